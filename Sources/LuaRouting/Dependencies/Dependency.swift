// SPDX-License-Identifier: MIT

internal import LuaVM

/// A value that routes need.
///
/// It is shared as long as a screen that uses it, an active navigation, or another dependency that
/// was created from it references it.
final class Dependency {
    let name: String
    /// The value, which stays in Lua: a table has its functions, its metatable and its identity.
    let value: LuaReference
    /// The dependencies that the value's provider requested, which live as long as the value.
    let parts: [Dependency]

    init(_ name: String, _ value: LuaReference, parts: [Dependency]) {
        self.name = name
        self.value = value
        self.parts = parts
    }
}

/// The dependencies of one generation: the values that are being made, and the existing ones.
struct Dependencies {
    /// A value that lives as long as something references it.
    private struct Shared {
        weak var dependency: Dependency?
    }

    /// A value that is being made.
    struct Making {
        let name: String
        /// The dependencies that the provider has requested so far.
        var parts: [Dependency] = []
    }

    /// The stack of values being made: each is needed by the previous one.
    var making: [Making] = []
    private var shared: [String: Shared] = [:]

    /// The names of the values that are still referenced.
    var living: Set<String> { Set(shared.filter { $0.value.dependency != nil }.keys) }

    /// Replaces values with their renewed copies.
    ///
    /// Removes values without a copy, which nothing references.
    mutating func take(_ renewed: [ObjectIdentifier: Dependency]) {
        shared = shared.compactMapValues { shared in
            shared.dependency.flatMap { renewed[ObjectIdentifier($0)] }
                .map { Shared(dependency: $0) }
        }
    }

    /// The value with a name; nil if nothing references it.
    subscript(name: String) -> Dependency? {
        get { shared[name]?.dependency }
        set { shared[name] = newValue.map { Shared(dependency: $0) } }
    }
}

extension Navigation {
    /// The dependencies that a step names, by name, as the step's functions see them.
    func dependencies(of step: Step?) -> [(name: String, dependency: Dependency)] {
        (step?.needs ?? []).compactMap { name in record.dependencies[name].map { (name, $0) } }
    }
}
