// SPDX-License-Identifier: MIT

internal import LuaVM

/// The generations of scripts in a router.
extension Router {
    /// The generation for new work: the generation of the current navigation if that navigation is
    /// pending; otherwise the active generation.
    var generationForNew: Generation {
        if retired.isEmpty { return serving }
        guard let parent = currentNavigation, parent.isPending else { return serving }
        return parent.generation ?? serving
    }

    /// Whether a script function is running.
    var isRunningScript: Bool {
        serving.runtime.lua.isRunning
            || !retired.isEmpty && retired.contains { $0.runtime.lua.isRunning }
    }

    /// The number of generations: the active generation, and the retired generations that are still
    /// in use.
    package var generationCount: Int {
        generations.count + contents.leftObjects.count { $0.left.generation != nil }
    }

    /// Makes scripts read the fields of the given screens again, because the fields have changed.
    package func forgetFields(of screens: [ScreenID]) {
        eachGeneration { generation in
            for screen in screens { generation.runtime.objects.forgetFields(of: screen) }
        }
    }

    /// Calls the given closure with each generation.
    ///
    /// No list is created, because there is usually only one generation.
    @inline(__always)
    func eachGeneration(_ body: (Generation) -> Void) {
        body(serving)
        for generation in retired { body(generation) }
    }
}
