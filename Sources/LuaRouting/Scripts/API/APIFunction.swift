// SPDX-License-Identifier: MIT

internal import LuaVM

/// A function that scripts call: its name, parameters, results, description and implementation.
///
/// These descriptions are the only source of the Lua API. They are used to register the functions
/// and to check their arguments.
package final class APIFunction: Sendable {
    /// The situations in which a function may be called.
    enum Use: Sendable {
        case always
        /// Always, except while a navigation is planned, because the function has an effect.
        case declaring
        /// Always, except while the scripts load.
        case running
        /// Always, except while the scripts load or a navigation is planned.
        case acting
        /// Only in a script function that may wait.
        case waiting

        var isRefusedWhileLoading: Bool { self == .running || self == .acting }
        var isRefusedWhilePlanning: Bool { self == .declaring || self == .acting }
    }

    package let name: String
    package let text: String
    package let parameters: [APIParameter]
    /// The results as shown in the documentation, such as `screen?` or `value, task`.
    package let results: String
    let use: Use
    package let example: APIExample
    let body: @Sendable (Generation, Arguments) throws -> [ScriptValue]

    init(
        _ name: String,
        _ text: String,
        parameters: [APIParameter] = [],
        results: String = "",
        use: Use = .always,
        example: String,
        steps: [String] = [],
        body: @escaping @Sendable (Generation, Arguments) throws -> [ScriptValue]
    ) {
        self.name = name
        self.text = text
        self.parameters = parameters
        self.results = results
        self.use = use
        self.example = APIExample(lua: example, steps: steps)
        self.body = body
    }
}

extension APIFunction {
    /// The name with the parameters and results, as shown in the documentation.
    package var signature: String {
        let parameters = parameters.map { $0.isOptional ? "[\($0.name)]" : $0.name }
        return "\(name)(\(parameters.joined(separator: ", ")))"
            + (results.isEmpty ? "" : " → \(results)")
    }

    /// A sentence that follows ``text`` and says when the function may be called; empty if there is
    /// no restriction.
    package var restriction: String {
        switch use {
        case .running, .acting: " Cannot be called while the scripts load."
        case .waiting: " Can only be called in a function that may wait."
        case .always, .declaring: ""
        }
    }

    /// Returns the name as written in a call, such as `router.navigate` or `nav:await`.
    ///
    /// Methods are called with a colon.
    package func name(of object: String) -> String {
        let isMethod = !["router", "router.log", "os"].contains(object)
        return "\(object)\(isMethod ? ":" : ".")\(name)"
    }
}

/// An example of a member of the API, which a test runs.
package struct APIExample: Sendable {
    /// The code: a part of the scripts if there are ``steps``, and otherwise the body of an
    /// exported function.
    package let lua: String
    /// The steps of a scenario that demonstrate the effect.
    package let steps: [String]
}

/// The checked arguments of a call.
struct Arguments {
    var tree: ArgumentTree
    /// The source location of the call.
    let location: RouteError.Location?
    /// The object whose method is called; nil for functions that are not methods.
    var owner: Owner?
    /// The activity that waits in the call; nil for functions that do not wait.
    var waiter: Activity?

    /// An object that has methods.
    enum Owner {
        case navigation(Navigation)
        case task(RouteTask)
        /// A timer with the given number.
        case timer(Int)
        case routing(Routing)
        case group(RouteGroup)
        case link(QueuedLink)
    }

    var navigation: Navigation? {
        if case .navigation(let navigation)? = owner { navigation } else { nil }
    }

    var task: RouteTask? {
        if case .task(let task)? = owner { task } else { nil }
    }

    var timer: Int? {
        if case .timer(let timer)? = owner { timer } else { nil }
    }

    /// The approximate size of the arguments, in bytes.
    var size: Int { tree.size }

    subscript(index: Int) -> Value { tree[index].value }

    func text(_ index: Int) -> String { tree[index].text ?? "" }

    func table(_ index: Int) -> InfoTable {
        if case .table(let table) = self[index] { table } else { InfoTable() }
    }

    func definition(_ index: Int) -> Definition { Definition(tree, tree[index]) }

    func screen(_ index: Int) -> ScreenID? { self[index].screen }

    func target() -> Target { Target(tree[0].name ?? "", tree[1].name ?? "") }

    /// Returns the first function among the arguments from the given position on.
    ///
    /// Use this method for API functions with optional arguments before the function.
    func function(from index: Int) -> LuaFunction? {
        (index..<max(index, tree.count)).lazy.compactMap { self[$0].luaFunction }.first
    }
}
