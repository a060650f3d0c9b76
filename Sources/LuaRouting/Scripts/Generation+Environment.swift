// SPDX-License-Identifier: MIT

internal import LuaVM

/// What the environments of scripts hold, and how modules are loaded into them.
extension Generation {
    /// Runs a module of the bundle, as `require` asks for it.
    ///
    /// - Parameters:
    ///   - name: The name of the module.
    ///   - run: Calls the chunk that it is given, and keeps what it returns.
    /// - Throws: What keeps the module from being loaded.
    func require(_ name: String, run: LuaFunction) throws {
        let file = try ModuleLoader.file(of: name)
        try modules.begin(name)
        defer { modules.end() }
        let chunk: LuaFunction
        do {
            chunk = try compile(file)
        } catch let error as BundleError where error.reason == .missing {
            throw RouteError.noModule(name, file: file)
        }
        // Scripts that serve may ask for a module that nobody needed before.
        if !isLoading { try bundle.checkStability(late: file) }
        _ = try router.lending.calling(as: .nobody) {
            try lua.call(run) { writer in
                writer.write(chunk)
                writer.write(name)
            }
        }
    }

    /// Compiles a file of the bundle.
    func compile(_ file: String) throws -> LuaFunction {
        do {
            return try modules.compile(file, of: bundle, in: lua)
        } catch let error as ScriptError where error.kind == .syntax {
            hasSyntaxError = true
            throw error
        }
    }

    /// The name of the library's own chunks, which messages do not name.
    static let preludeName = "=luaroute"

    /// Gives the environments `router`, `print` and `require`.
    func installEnvironment() throws {
        let prelude = try lua.load(
            PackageResources.Prelude_lua,
            chunkName: Self.preludeName,
            environment: modules.own
        )
        let verbs = try APIFunction.all.map(function)
        let log = try APIFunction.log.map(function)
        let os = try APIFunction.os(router.configuration.profile).map(function)
        let navigation = APIFunction.navigation + APIFunction.acting
        navigationMethods = try methods(navigation, of: objects.navigation, "nav")
        taskMethods = try methods(APIFunction.task, of: objects.task, "task")
        timerMethods = try methods(APIFunction.timer, of: objects.timer, "timer")
        routingMethods = try methods(APIFunction.routing, of: objects.routing, "routing")
        ticketMethods = try methods(APIFunction.ticket, of: objects.ticket, "ticket")
        let unknown = try lua.makeFunction(name: "router") { frame in
            let table = frame.string(at: 0) ?? ""
            let known = table == "router" ? APIFunction.memberNames : APIFunction.log.map(\.name)
            let error = RouteError.noMember(frame.string(at: 1) ?? "", of: table, among: known)
            frame.returnString(error.message)
        }
        let write = try lua.makeFunction(name: "print") { [unowned self] frame in
            let text = frame.withBytes(at: 0) { ByteString(bytes: $0) }
            try self.log("info", text ?? "", at: frame.place())
        }
        let freeze = try lua.makeFreezer()
        let settle = try lua.makeMetatableReader()
        settleMetatables = settle
        let find = try lua.makeFunction(name: "require") { [unowned self] frame in
            guard let name = frame.string(at: 0) else { throw frame.mismatch(at: 0, "string") }
            let isVendor = frame.boolean(at: 1) ?? false
            frame.returnString(try ModuleLoader.module(name, isVendor: isVendor, of: bundle))
        }
        let load = try lua.makeFunction(name: "require") { [unowned self] frame in
            guard let name = frame.string(at: 0), let run = frame.function(at: 1) else {
                throw frame.mismatch(at: 0, "string")
            }
            try require(name, run: run)
        }
        var reader = try lua.call(prelude, results: 1) { writer in
            for functions in [verbs, log, os] {
                writer.beginTable(list: 0, entries: functions.count)
                for (name, function) in functions {
                    writer.write(name)
                    writer.write(function)
                }
            }
            writer.write(objects.state, 0)
            writer.write(objects.later, 0)
            objects.write(NextMatch.value, to: &writer)
            writer.write(unknown)
            writer.write(write)
            writer.write(find)
            writer.write(load)
            writer.write(freeze)
            writer.write(settle)
        }
        guard case .function(let share)? = reader.next() else { return }
        let shared = try lua.load(
            "local share = ...  router, os, print, require = share(_G, true)",
            chunkName: Self.preludeName,
            environment: modules.vendor
        )
        try lua.call(shared) { writer in writer.write(share) }
    }

    /// Makes the function that scripts call for a description.
    private func function(
        _ description: APIFunction
    ) throws(ScriptError) -> (name: String, function: LuaFunction) {
        let function = try lua.makeFunction(name: description.name) { [unowned self] frame in
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
            countDeclaration(by: description, arguments, size: arguments.size)
        }
        for case .value(.object(let object)) in results {
            objects.count(object, size: arguments.size)
        }
        countKeptMemory()
    }

    /// Makes the functions of a kind of objects.
    private func methods(
        _ descriptions: [APIFunction],
        of kind: ObjectType,
        _ title: String
    ) throws(ScriptError) -> [String: LuaFunction] {
        var methods: [String: LuaFunction] = [:]
        for description in descriptions {
            methods[description.name] = try lua.makeFunction(name: description.name) {
                [unowned self] frame in
                guard let (type, identifier) = frame.object(at: 0), type == kind,
                    let owner = objects.owner(type, identifier)
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
        let title = owner == nil ? "router.\(description.name)" : description.name
        var waiter: Activity?
        if description.use == .waiting {
            guard frame.canWait, !router.lending.context.isPlanning,
                let activity = router.currentActivity
            else {
                throw RouteError.cannotWait(title)
            }
            waiter = activity
        }
        if isLoading, description.use.isRefusedWhileLoading {
            throw RouteError.notWhileLoading(title)
        }
        if router.isRestricted, description.use != .always { try checkEvents() }
        if description.use.isRefusedWhilePlanning { try router.checkEffects(of: "'\(title)'") }
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
