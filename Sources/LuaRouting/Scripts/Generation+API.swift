// SPDX-License-Identifier: MIT

internal import LuaVM

/// The functions of the Lua API, as scripts call them.
extension Generation {
    /// Gives the environments the functions of the Lua API.
    func installEnvironment() throws {
        let navigation = APIFunction.navigation + APIFunction.acting
        let objects = runtime.objects
        runtime.methods = ScriptRuntime.Methods(
            navigation: try methods(navigation, of: objects.navigation, "nav"),
            task: try methods(APIFunction.task, of: objects.task, "task"),
            timer: try methods(APIFunction.timer, of: objects.timer, "timer"),
            routing: try methods(APIFunction.routing, of: objects.routing, "routing"),
            ticket: try methods(APIFunction.ticket, of: objects.ticket, "ticket")
        )
        try runtime.installEnvironment(
            verbs: try APIFunction.all.map(function),
            log: try APIFunction.log.map(function),
            os: try APIFunction.os(router.configuration.profile).map(function),
            print: try runtime.lua.makeFunction(name: "print") { [unowned self] frame in
                let text = frame.withBytes(at: 0) { ByteString(bytes: $0) }
                try log("info", text ?? "", at: frame.place())
            }
        )
    }

    /// Makes the function that scripts call for a description.
    private func function(
        _ description: APIFunction
    ) throws(ScriptError) -> ScriptRuntime.Member {
        let function = try runtime.lua.makeFunction(name: description.name) {
            [unowned self] frame in
            try run(description, &frame, from: 0)
        }
        return (description.name, function)
    }

    /// Counts the memory that a call has made Swift keep.
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

    /// Makes the functions of a kind of objects.
    private func methods(
        _ descriptions: [APIFunction],
        of kind: ObjectType,
        _ title: String
    ) throws(ScriptError) -> [String: LuaFunction] {
        var methods: [String: LuaFunction] = [:]
        for description in descriptions {
            methods[description.name] = try runtime.lua.makeFunction(name: description.name) {
                [unowned self] frame in
                guard let (type, identifier) = frame.object(at: 0), type == kind,
                    let owner = runtime.objects.owner(type, identifier)
                else { throw RouteError.notAMethodCall(description.name, of: title) }
                try run(description, &frame, from: 1, of: owner)
            }
        }
        return methods
    }

    /// Checks the arguments of a call, and does what is described.
    private func run(
        _ description: APIFunction,
        _ frame: inout CallFrame,
        from first: Int,
        of owner: Arguments.Owner? = nil
    ) throws {
        // Made where it is needed: mostly it is not.
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
        var values: [Value] = []
        values.reserveCapacity(max(0, frame.count - first))
        for position in first..<max(first, frame.count) {
            values.append(try Value(frame, at: position, objects))
        }
        try ArgumentCheck.check(values, of: description)
        if objects.hasMetHandle {
            for (index, value) in values.enumerated() {
                guard let (path, kind) = value.pathToHandle else { continue }
                throw RouteError.cannotCross(description.name, index + 1, path, kind)
            }
        }
        let arguments = Arguments(
            values: values,
            place: frame.place(),
            owner: owner,
            waiter: waiter
        )
        let results =
            try router.trace?.standIns(for: description, arguments, self)
            ?? description.body(self, arguments)
        count(results, of: description, arguments)
        for result in results {
            if case .waits = result { return frame.wait() }
            try frame.return(result, objects)
        }
    }
}
