// SPDX-License-Identifier: MIT

internal import LuaVM

/// One bundle loaded into one Lua state, and what it registered.
final class Generation {
    let number: Int
    let bundle: Bundle
    unowned let router: Router
    let lua: LuaState

    var routes = RouteTable()
    var classes = ScreenClasses()
    private(set) var isLoading = false

    /// The kinds of host objects that scripts see.
    let objects: ScriptObjects

    private var modules: ModuleLoader
    private var firstTree: (build: LuaFunction, place: RouteError.Location?)?

    /// Makes the state and the environments; runs nothing of the bundle.
    init(number: Int, bundle: Bundle, router: Router) throws(RouteError) {
        self.number = number
        self.bundle = bundle
        self.router = router
        do {
            var configuration = LuaState.Configuration()
            configuration.budget = router.configuration.budget
            configuration.loadBudget = router.configuration.loadBudget
            configuration.randomSeed = router.configuration.seed
            lua = try LuaState(configuration)
            objects = try ScriptObjects(lua)
            modules = ModuleLoader(
                own: try lua.makeEnvironment(strict: true) { name, defined in
                    Suggestion.hint(for: name, among: defined)
                },
                vendor: try lua.makeEnvironment(strict: false)
            )
        } catch {
            throw RouteError(error)
        }
    }

    /// Runs the entry of the bundle, which registers what it has to.
    ///
    /// - Throws: `script` or `budget`; the generation cannot serve then.
    func load() throws(RouteError) {
        isLoading = true
        defer { isLoading = false }
        objects.connect(to: self)
        do {
            try installEnvironment()
            try lua.run(try modules.compile(bundle.entry, of: bundle, in: lua))
        } catch let error as ScriptError {
            throw RouteError(error)
        } catch let error as BundleError {
            throw RouteError(.script, error.message, cause: error)
        } catch let error as RouteError {
            throw error
        } catch {
            throw RouteError(.script, "\(error)", cause: error)
        }
        if routes.isEmpty, firstTree == nil { throw .nothingRegistered(bundle.entry) }
    }

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
            chunk = try modules.compile(file, of: bundle, in: lua)
        } catch let error as BundleError where error.reason == .missing {
            throw RouteError.noModule(name, file: file)
        }
        try lua.call(run) { writer in
            writer.write(chunk)
            writer.write(name)
        }
    }

    /// What messages call the chunks of the library itself.
    static let preludeName = "luaroute"

    /// Gives the environments `router`, `print` and `require`.
    private func installEnvironment() throws {
        let prelude = try lua.load(
            PackageResources.Prelude_lua,
            chunkName: Self.preludeName,
            environment: modules.own
        )
        let verbs = try (APIFunction.verbs + APIFunction.screens).map(function)
        let log = try APIFunction.log.map(function)
        let unknown = try lua.makeFunction(name: "router") { [unowned self] frame in
            let table = frame.string(at: 0) ?? ""
            let known = table == "router" ? APIFunction.memberNames : APIFunction.log.map(\.name)
            let error = RouteError.noMember(frame.string(at: 1) ?? "", of: table, among: known)
            frame.returnString(error.message)
            _ = self
        }
        let write = try lua.makeFunction(name: "print") { [unowned self] frame in
            router.log("info", frame.string(at: 0) ?? "", at: frame.place(level: 2))
        }
        let load = try lua.makeFunction(name: "require") { [unowned self] frame in
            guard let name = frame.string(at: 0), let run = frame.function(at: 1) else {
                throw frame.mismatch(at: 0, "string")
            }
            do {
                try require(name, run: run)
            } catch var error as RouteError {
                // The line that requires, not the one of the prelude between.
                error.location = error.location ?? frame.place(level: 2)
                throw error
            }
        }
        var reader = try lua.call(prelude, results: 1) { writer in
            for functions in [verbs, log] {
                writer.beginTable(list: 0, entries: functions.count)
                for (name, function) in functions {
                    writer.write(name)
                    writer.write(function)
                }
            }
            writer.write(objects.state, 0)
            writer.write(objects.later, 0)
            writer.write(unknown)
            writer.write(write)
            writer.write(load)
        }
        guard case .function(let share)? = reader.next() else { return }
        let shared = try lua.load(
            "local share = ...  router, print, require = share()",
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
            if isLoading, description.use == .running {
                throw RouteError.notWhileLoading(description.name)
            }
            var values: [Value] = []
            for position in 0..<frame.count {
                values.append(try Value(frame, at: position, objects))
            }
            try ArgumentCheck.check(values, of: description)
            let arguments = Arguments(values: values, place: frame.place())
            for result in try description.body(self, arguments) {
                try frame.return(result, objects)
            }
        }
        return (description.name, function)
    }

    // MARK: Registering

    func registerScreen(_ arguments: Arguments) throws(RouteError) {
        let target = arguments.target()
        let definition: Definition
        switch arguments[2] {
        case .function(let provider as LuaFunction):
            definition = Definition(target, at: arguments.place, provider: provider)
        case .table(let table):
            definition = try Definition(target, at: arguments.place, table, in: router.tree)
        default: return
        }
        try routes.register(.screen(definition), as: target)
    }

    func registerTask(_ arguments: Arguments) throws(RouteError) {
        guard let function = arguments[2].luaFunction else { return }
        let target = arguments.target()
        let worker = Worker(target, at: arguments.place, function: function)
        try routes.register(.task(worker), as: target)
    }

    func declareClass(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        guard !classes.declares(name) else { throw .classDeclaredTwice(name) }
        let declaration = arguments.table(1)
        let kind = declaration["kind"].text.flatMap { Screen.Kind(rawValue: $0) }
        var fields: [String] = []
        if case .table(let names) = declaration["fields"] { fields = names.list.compactMap(\.text) }
        classes.declare(ScreenClass(name, kind: kind, fields: fields))
    }

    func declareStart(_ arguments: Arguments) throws(RouteError) {
        if let firstTree { throw .startDeclaredTwice(firstTree.place) }
        guard let build = arguments[0].luaFunction else { return }
        firstTree = (build, arguments.place)
    }

    // MARK: Building

    /// The line that declared the first tree.
    var startPlace: RouteError.Location? { firstTree?.place }

    /// Runs the script's function for the first tree.
    func buildFirstTree(_ info: Table) throws(RouteError) -> ScreenID {
        guard let firstTree else { throw .noStart() }
        let result = try call(firstTree.build, [.value(.table(info))])
        guard case .screen(let screen) = result else { throw .startGave(result.kindName) }
        return screen
    }

    /// Makes the screen of a route.
    ///
    /// - Throws: `badInfo` where the provider returns nil, `script` where it returns no
    ///   screen, or what it raises.
    func build(_ definition: Definition, for navigation: Navigation) throws(RouteError) -> ScreenID
    {
        switch definition.build {
        case .template(let template):
            return try template.make(in: &router.tree)
        case .function(let provider):
            let result = try call(
                provider,
                [.value(.table(navigation.info)), .navigation(navigation)]
            )
            switch result {
            case .screen(let screen):
                if let name = router.tree.screen(screen)?.class { definition.screenClass = name }
                return screen
            case .nil: throw .providerGaveNothing(definition)
            default: throw .providerGave(result.kindName, definition)
            }
        }
    }

    /// Asks a route's own policy whether a screen is the one to recycle.
    func holds(
        _ predicate: LuaFunction,
        for screen: ScreenID,
        _ navigation: Navigation
    ) throws(RouteError) -> Bool {
        let result = try call(
            predicate,
            [.value(.screen(screen)), .value(.table(navigation.info)), .navigation(navigation)]
        )
        return result.isTrue
    }

    /// Calls a route's function that has to do with a screen.
    func call(
        _ function: LuaFunction,
        _ screen: ScreenID,
        _ navigation: Navigation,
        value: Value? = nil
    ) throws(RouteError) {
        let middle = value ?? .table(navigation.info)
        _ = try call(function, [.value(.screen(screen)), .value(middle), .navigation(navigation)])
    }

    /// Lets a function of the script check and convert a parameter.
    func convert(_ function: LuaFunction, _ value: Value) throws(RouteError) -> Value {
        try call(function, [.value(value)])
    }

    // MARK: Calling

    /// Calls a function of the scripts and returns its first result.
    func call(_ function: LuaFunction, _ arguments: [ScriptValue]) throws(RouteError) -> Value {
        do {
            var reader = try lua.call(function, results: 1) { writer in
                for argument in arguments { argument.write(to: &writer, objects) }
            }
            return Value(from: &reader, objects) ?? .nil
        } catch {
            throw RouteError(error)
        }
    }
}
