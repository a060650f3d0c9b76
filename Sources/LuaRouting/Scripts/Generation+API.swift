// SPDX-License-Identifier: MIT

internal import LuaVM

/// Provides the functions of the Lua API to scripts.
extension Generation {
    /// Adds the functions of the Lua API to the environment of the bundle.
    func installEnvironment() throws {
        try runtime.installEnvironment(
            verbs: try table(of: .router),
            log: try table(of: .log),
            os: try table(of: .os(router.configuration.profile)),
            print: try runtime.lua.makeFunction(name: "print") { [unowned self] frame in
                let text = frame.withBytes(at: 0) { ByteString(bytes: $0) }
                try log("info", text ?? "", at: frame.location())
            }
        )
    }

    /// Creates a Lua table with the functions of a library.
    private func table(of library: APILibrary) throws(ScriptError) -> LuaReference {
        try runtime.lua.makeFunctions(
            library.names,
            unknown: { [unowned self] frame in
                if let name = frame.string(at: 1) {
                    throw RouteError.noMember(name, of: library.title, among: library.members)
                }
                let name =
                    switch frame.kind(at: 1) {
                    case .boolean, .integer, .number: "\(try Value(frame, at: 1, runtime.objects))"
                    case let kind: kind.rawValue
                    }
                throw RouteError.noMember(name, of: library.title, among: [])
            },
            { [unowned self] position, frame in
                try run(library.functions[position], &frame, from: 0, declares: library.declares)
            }
        )
    }

    /// Counts the memory that Swift keeps as a result of a call.
    private func count(
        _ results: [ScriptValue],
        of description: APIFunction,
        _ arguments: Arguments
    ) {
        if description.use == .declaring {
            runtime.countDeclaration(by: description, arguments, size: arguments.size)
        }
        for case .value(.object(let object)) in results {
            runtime.objects.count(object, size: arguments.size)
        }
        runtime.count(keptBytes: keptBytes)
    }

    /// Returns the method with the given name for objects of a type; nil if there is no such
    /// method.
    ///
    /// The method is created when a script first reads it.
    func method(_ name: String, of type: ObjectType) throws(ScriptError) -> LuaFunction? {
        let key = ScriptRuntime.Method(type: type, name: name)
        if let known = runtime.state.methods[key] { return known }
        let (title, descriptions) = methods(of: type)
        guard let description = descriptions.first(where: { $0.name == name }) else { return nil }
        let method = try runtime.lua.makeFunction(name: name) { [unowned self] frame in
            guard let (actual, identifier) = frame.object(at: 0), actual == type,
                let owner = runtime.objects.owner(type, identifier)
            else { throw RouteError.notAMethodCall(name, of: title) }
            try run(description, &frame, from: 1, of: owner)
        }
        runtime.state.methods[key] = method
        return method
    }

    /// Returns the name of an object type for messages, and the descriptions of the methods that
    /// objects of this type have.
    private func methods(of type: ObjectType) -> (title: String, descriptions: [APIFunction]) {
        let objects = runtime.objects
        return switch type {
        case objects.navigation: ("nav", APIFunction.navigation + APIFunction.acting)
        case objects.task: ("task", APIFunction.task)
        case objects.timer: ("timer", APIFunction.timer)
        case objects.group: ("group", APIFunction.group)
        case objects.routing: ("routing", APIFunction.routing)
        case objects.ticket: ("ticket", APIFunction.ticket)
        default: ("object", [])
        }
    }

    /// Checks the arguments of a call, and calls the function.
    private func run(
        _ description: APIFunction,
        _ frame: inout CallFrame,
        from first: Int,
        of owner: Arguments.Owner? = nil,
        declares: Bool = false
    ) throws {
        // The title is computed only when it is needed, which is rare.
        var title: String { owner == nil ? "router.\(description.name)" : description.name }
        var waiter: Activity?
        if description.use == .waiting {
            guard frame.canWait, !router.lending.context.isPlanning,
                let activity = router.currentActivity
            else {
                throw RouteError.cannotWait(title)
            }
            waiter = activity
        }
        if runtime.isLoading, description.use.isRefusedWhileLoading {
            throw RouteError.notWhileLoading(title)
        }
        if router.isRestricted, description.use != .always { try checkEvents() }
        if description.use.isRefusedWhilePlanning { try router.checkEffects(of: "'\(title)'") }
        let objects = runtime.objects
        objects.hasMetHandle = false
        var arguments = Arguments(
            tree: try runtime.readArguments(frame, from: first),
            // If a helper function makes a declaration, the line at the top level of the file is
            // more useful than a line in the helper function.
            location: frame.location(at: declares && runtime.isLoading ? 0 : 1),
            owner: owner,
            waiter: waiter
        )
        try ArgumentCheck.check(arguments.tree, of: description)
        if objects.hasMetHandle {
            for (index, value) in arguments.tree.values.enumerated() {
                guard let (path, kind) = value.pathToHandle else { continue }
                throw RouteError.cannotCross(
                    description.name,
                    position: index + 1,
                    path: path,
                    kind: kind
                )
            }
        }
        let results =
            try router.trace?.standIns(for: description, arguments, self)
            ?? description.body(self, arguments)
        count(results, of: description, arguments)
        runtime.giveBack(&arguments.tree)
        for result in results {
            if case .waits = result { return frame.wait() }
            try frame.return(result, objects)
        }
    }
}
