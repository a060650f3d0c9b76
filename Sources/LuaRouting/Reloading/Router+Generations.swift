// SPDX-License-Identifier: MIT

internal import LuaVM

/// The generations of scripts that a router has.
extension Router {
    /// The generation to which new work belongs: the generation of the navigation that it belongs
    /// to, otherwise the active one.
    var generationForNew: Generation {
        if retired.isEmpty { return serving }
        guard let parent = currentNavigation, parent.isPending else { return serving }
        return parent.generation ?? serving
    }

    /// Whether a function of a script runs.
    var isRunningScript: Bool {
        serving.runtime.lua.isRunning
            || !retired.isEmpty && retired.contains { $0.runtime.lua.isRunning }
    }

    /// The number of generations: the active one, and the retired ones that are still in use.
    package var generationCount: Int {
        generations.count + contents.leftObjects.count { $0.left.generation != nil }
    }

    /// Makes scripts read the fields of screens again, because they have changed.
    package func forgetFields(of screens: [ScreenID]) {
        eachGeneration { generation in
            for screen in screens { generation.runtime.objects.forgetFields(of: screen) }
        }
    }

    /// Calls a closure for each generation.
    ///
    /// Usually there is only one, and no list is created.
    @inline(__always)
    func eachGeneration(_ body: (Generation) -> Void) {
        body(serving)
        for generation in retired { body(generation) }
    }
}
