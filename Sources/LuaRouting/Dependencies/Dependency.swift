// SPDX-License-Identifier: MIT

internal import LuaVM

/// A value that routes need, created by a provider or by the host.
///
/// The value is shared as long as it is referenced: by a screen that uses it, by an active
/// navigation, or by another dependency whose provider requested it.
final class Dependency {
    let name: String
    /// The value.
    ///
    /// The value stays in Lua, so a table keeps its functions, its metatable and its identity.
    let value: LuaReference
    /// The dependencies that the provider of the value requested.
    ///
    /// These dependencies live as long as the value.
    let parts: [Dependency]

    init(_ name: String, _ value: LuaReference, parts: [Dependency]) {
        self.name = name
        self.value = value
        self.parts = parts
    }
}

/// The dependencies of one generation: the existing values, and the values that are being created.
struct Dependencies {
    /// A value that lives as long as something references it.
    private struct Shared {
        weak var dependency: Dependency?
    }

    /// A value that is being created.
    struct Making {
        let name: String
        /// The dependencies that the provider has requested so far.
        var parts: [Dependency] = []
    }

    /// The values that are being created; each value is needed by the value before it.
    var making: [Making] = []
    private var shared: [String: Shared] = [:]

    /// The names of the values that are still referenced.
    var living: Set<String> { Set(shared.filter { $0.value.dependency != nil }.keys) }

    /// Replaces the values with copies.
    ///
    /// Values that have no copy are no longer referenced, and are removed.
    mutating func take(_ renewed: [ObjectIdentifier: Dependency]) {
        shared = shared.compactMapValues { shared in
            shared.dependency.flatMap { renewed[ObjectIdentifier($0)] }
                .map { Shared(dependency: $0) }
        }
    }

    /// The value with the given name; nil if nothing references such a value.
    subscript(name: String) -> Dependency? {
        get { shared[name]?.dependency }
        set { shared[name] = newValue.map { Shared(dependency: $0) } }
    }
}

extension Navigation {
    /// Returns the dependencies that a step names, for the functions of the step.
    func dependencies(of step: Step?) -> [(name: String, dependency: Dependency)] {
        (step?.needs ?? []).compactMap { name in record.dependencies[name].map { (name, $0) } }
    }
}
