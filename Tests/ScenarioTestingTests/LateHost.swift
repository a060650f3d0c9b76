// SPDX-License-Identifier: MIT

import LuaRouting

/// A host on the main actor that completes each change one turn of the main actor later.
@MainActor
final class LateHost {
    /// The trees that the router asked the host to show.
    private(set) var shown: [ScreenTree] = []
    private var dependencies: [String: Value] = [:]
}

extension LateHost: @MainActor RouterHost {
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        shown.append(tree)
        Task { done(.success(())) }
    }

    func dependency(_ name: String) -> Value? {
        let value = dependencies[name] ?? .object(HostObject(name))
        dependencies[name] = value
        return value
    }
}
