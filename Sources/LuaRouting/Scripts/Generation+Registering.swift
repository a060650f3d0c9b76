// SPDX-License-Identifier: MIT

internal import LuaVM

/// Functions of the Lua API that make declarations.
extension Generation {
    /// Registers a route.
    ///
    /// - Parameters:
    ///   - arguments: The target, the definition and options.
    ///   - group: The index of the exclusive group to which the route belongs; nil if there is
    ///     none.
    /// - Throws: The errors of the definition and its patterns; `script` if the target already has
    ///   a route.
    func registerScreen(_ arguments: Arguments, group: Int? = nil) throws(RouteError) {
        let target = arguments.target()
        var overrides = arguments.table(3)["override"].boolean ?? false
        let step: Step
        if arguments.tree[2].kind == .table {
            let definition = arguments.definition(2)
            step = try Step(
                target,
                at: arguments.location,
                definition,
                group: group,
                in: router.tree
            )
            overrides = overrides || definition[.override].boolean ?? false
            hide(definition.argument(.private))
        } else {
            guard let provider = arguments[2].luaFunction else { return }
            step = Step(target, at: arguments.location, provider: provider)
        }
        try checkPatterns(step.urls)
        try register(.screen(step), as: target, overrides: overrides)
        try adopt(step)
    }

    private func register(
        _ registration: Registration,
        as target: Target,
        overrides: Bool
    ) throws(RouteError) {
        let step: Step? = if case .screen(let step) = registration { step } else { nil }
        func change() throws(RouteError) {
            try declarations.register(registration, as: target, overrides: overrides)
        }
        // The patterns of a new target can be added without changing those of other routes.
        if !runtime.isLoading, declarations.state.routes[target] == nil, try addPatterns(of: step) {
            return try change()
        }
        try changingLinks(change)
    }

    func registerTask(_ arguments: Arguments) throws(RouteError) {
        guard let function = arguments[2].luaFunction else { return }
        let target = arguments.target()
        let declaration = arguments.definition(3)
        let (info, result) = (try declaration.info(), try declaration.result())
        // When a task begins, no script can be called to check a value.
        if info?.callsScripts == true || result?.type.callsScripts == true {
            throw .taskCallsScripts(target)
        }
        let worker = Worker(
            target,
            at: arguments.location,
            function: function,
            timeout: try timeout(in: arguments.table(3)),
            info: info,
            result: result
        )
        try register(
            .task(worker),
            as: target,
            overrides: arguments.table(3)["override"].boolean ?? false
        )
    }

    func declareClass(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        let declaration = arguments.tree[1]
        // Most classes have few of the keys, so the table is read in place.
        func value(_ key: String) -> Value { declaration[key]?.value ?? .nil }
        if declarations.state.classes.declares(name), value("override").boolean != true {
            throw .declaredTwice("class '\(name)'", declarations.state.classes[name].location)
        }
        let kind = value("kind").text.flatMap { Screen.Kind(rawValue: $0) }
        let (fields, types) = try fields(ofClass: name, declaration["fields"])
        let shows = value("shows").text.flatMap { Screen.Shows(rawValue: $0) }
        let max = value("max").integer
        let reselected = value("reselected")
        if !reselected.isNil, (kind ?? Screen.Kind(impliedBy: name)) != .tabs, shows != .selected {
            throw .hasNoTabs(name)
        }
        if kind != .container, shows != nil || max != nil { throw .isNoContainer(name) }
        if let max, max < 1 { throw .badMax(name, max) }
        let foreign = value("foreign").text.flatMap(ForeignPolicy.init)
        if foreign != nil, kind != .foreign { throw .isNotForeign(name) }
        var rules = ClassDeclaration()
        rules.foreignPolicy = foreign
        var screenClass = ScreenClass(
            name,
            kind: kind,
            fields: fields,
            shows: shows ?? .last,
            max: max.map { Int(clamping: $0) }
        )
        screenClass.types = types
        screenClass.location = arguments.location
        screenClass.declaresFields = declaration["fields"] != nil
        switch value("dismissible") {
        case .boolean(let answer): rules.dismissal = .always(answer)
        case .function(let function as LuaFunction): rules.dismissal = .function(function)
        default: break
        }
        rules.leaving = value("leaving").luaFunction
        rules.guarded = value("guarded").luaFunction
        try checkCapability(
            .leaving,
            isAllowed: !rules.guardsScreens || router.capabilities.leaving
        )
        if case .table(let list) = value("offers") {
            rules.offers = try list.list.compactMap(\.text).map { (text) throws(RouteError) in
                try Target(checking: text)
            }
        }
        switch reselected {
        case .boolean(false): rules.reselection = .ignored
        case .function(let function as LuaFunction): rules.reselection = .function(function)
        default: break
        }
        rules.restorer = value("restore").luaFunction
        hide(declaration["private"])
        declarations.declare(screenClass, rules)
    }

    /// Hides the values of the fields and parameters that the key `private` of a table names.
    private func hide(_ names: Argument?) {
        guard let names else { return }
        declarations.classes.privateNames.formUnion(names.names)
    }

    /// Reads the fields of a class: first the names in a list, in order, then the other names with
    /// their types.
    private func fields(
        ofClass name: String,
        _ argument: Argument?
    ) throws(RouteError) -> (names: [String], types: InfoDeclaration) {
        guard let argument else { return ([], InfoDeclaration([])) }
        let listed = argument.names
        let sorted = listed.sorted()
        for (field, next) in zip(sorted, sorted.dropFirst()) where field == next {
            throw .declaredTwice("field '\(field)' of class '\(name)'", nil)
        }
        let types = try InfoDeclaration(argument, ignoresList: true)
        let known = types.parameters.isEmpty ? [] : Set(listed)
        let fields = listed + types.parameters.map(\.name).filter { !known.contains($0) }
        for field in fields where ScreenProperty.named(field) != nil { throw .readOnly(field) }
        for type in types.parameters where !type.type.canBeField || type.type.callsScripts {
            throw .isNoFieldType(type, of: name)
        }
        return (fields, types)
    }

    func declareStart(_ arguments: Arguments) throws(RouteError) {
        if let firstTree = declarations.firstTree {
            throw .declaredTwice("'router.start'", firstTree.location)
        }
        switch arguments[0] {
        case .function(let function as LuaFunction):
            declarations.firstTree = (.function(function), arguments.location)
        case .table(let table):
            guard let target = Target(table.list) else { throw .badTargetList(table.list) }
            declarations.firstTree = (
                .blueprint(Blueprint(stackOf: target, declarations.classes["nav"])),
                arguments.location
            )
        default: return
        }
    }

    func declareFallback(_ arguments: Arguments) throws(RouteError) {
        if let fallback = declarations.fallback {
            throw .declaredTwice("'router.fallback'", fallback.location)
        }
        let table = arguments.table(0)
        declarations.fallback = Declarations.Fallback(
            screen: table["screen"].luaFunction,
            task: table["task"].luaFunction,
            location: arguments.location
        )
    }

    func declareExport(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        if let earlier = declarations.exports[name] {
            throw .declaredTwice("export '\(name)'", earlier.location)
        }
        guard let function = arguments[1].luaFunction else { return }
        declarations.exports[name] = DeclaredFunction(
            function: function,
            location: arguments.location
        )
    }

    func declareBackHandler(_ arguments: Arguments) throws(RouteError) {
        if let earlier = declarations.backHandler {
            throw .declaredTwice("'router.onBack'", earlier.location)
        }
        guard let function = arguments[0].luaFunction else { return }
        declarations.backHandler = DeclaredFunction(
            function: function,
            location: arguments.location
        )
    }

    func declareActivated(_ arguments: Arguments) throws(RouteError) {
        if let earlier = declarations.activated {
            throw .declaredTwice("'router.activated'", earlier.location)
        }
        guard let function = arguments[0].luaFunction else { return }
        declarations.activated = DeclaredFunction(
            function: function,
            location: arguments.location
        )
    }

    /// Adds expectations of the scripts.
    ///
    /// - Throws: `notFound` if the scripts have loaded and the host's manifest does not contain an
    ///   expected name; the expectations are then unchanged. While scripts load, all missing names
    ///   are reported together at the end.
    func declareExpectations(_ arguments: Arguments) throws(RouteError) {
        let earlier = declarations.expectations
        do throws(RouteError) {
            try expect(arguments)
            guard !runtime.isLoading else { return }
            for lack in hostFindings where lack.location == declarations.expectations.location {
                throw lack.error
            }
        } catch {
            declarations.expectations = earlier
            throw error
        }
    }

    private func expect(_ arguments: Arguments) throws(RouteError) {
        let earlier = declarations.expectations.location
        declarations.expectations.location = arguments.location
        let table = arguments.table(0)
        if case .table(let tasks) = table["tasks"] {
            for text in tasks.list.compactMap(\.text) {
                declarations.expectations.tasks.insert(try Target(checking: text))
            }
            for (key, declaration) in tasks.entries {
                let name = if case .string(let name) = key { name.text } else { String?.none }
                let target = try Target(checking: name ?? key.pathComponent)
                let types = try Declarations.TaskTypes(target, declaration)
                if types.callsScripts { throw .taskCallsScripts(target) }
                if declarations.expectations.taskTypes.updateValue(types, forKey: target) != nil {
                    throw .declaredTwice("task '\(target)' of 'router.expects'", earlier)
                }
                declarations.expectations.tasks.insert(target)
            }
        }
        if case .table(let screens) = table["screens"] {
            declarations.expectations.screens = (declarations.expectations.screens ?? []).union(
                screens.list.compactMap(\.text)
            )
        }
        if case .table(let dependencies) = table["dependencies"] {
            declarations.expectations.dependencies.formUnion(dependencies.list.compactMap(\.text))
        }
    }

    func setOptions(_ arguments: Arguments) throws(RouteError) {
        if let optionsPlace = state.optionsPlace {
            throw .declaredTwice("'router.options'", optionsPlace)
        }
        state.optionsPlace = arguments.location ?? RouteError.Location(file: bundle.entry, line: 1)
        let options = arguments.table(0)
        if let policy = options["policy"].text.flatMap(Policy.init) {
            self.declarations.policy = policy
        }
        if let policy = options["atDialog"].text.flatMap(DialogPolicy.init) {
            declarations.dialogPolicy = policy
        }
        if let policy = options["foreign"].text.flatMap(ForeignPolicy.init) {
            declarations.foreignPolicy = policy
        }
        if let timeout = try timeout(in: options) { declarations.timeout = timeout }
        if let drain = options["drain"].double {
            guard drain >= 0 else { throw .badDrain(drain) }
            state.lease.drain = drain
        }
        guard case .table(let table) = options["budget"] else { return }
        var budget = runtime.budget
        if let instructions = table["instructions"].integer {
            budget.instructions = min(budget.instructions, max(0, instructions))
        }
        // The values are compared as numbers, because a duration cannot represent every number.
        let (whole, fraction) = budget.duration.components
        if let seconds = table["seconds"].double, seconds >= 0,
            seconds < Double(whole) + Double(fraction) / 1e18
        {
            budget.duration = .seconds(seconds)
        }
        if let bytes = table["bytes"].integer, bytes < budget.bytes {
            budget.bytes = max(0, Int(clamping: bytes))
        }
        runtime.budget = budget
    }
}
