// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteURLs

/// Reads and writes the members of objects for a script.
struct ObjectReader {
    let generation: Generation
    let held: HeldObjects

    private var router: Router { generation.router }
    private var objects: ScriptObjects { generation.runtime.objects }

    // MARK: Screens

    func id(_ identifier: Int64) -> ScreenID { router.tree.id(identifier) }

    func readScreen(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1) else {
            return
        }
        let id = id(identifier)
        guard let screen = router.tree.screen(id) else {
            // The screen was not retained, so nothing else is known about it.
            if name == "serial" { frame.returnInteger(Int64(id.serial)) }
            if name == "isAlive" || name == "isVisible" { frame.returnBoolean(false) }
            return
        }
        guard let property = ScreenProperty.named(name) else {
            try frame.return(screen.fields[name], objects)
            frame.keepResult()
            return
        }
        switch property {
        case .serial: frame.returnInteger(Int64(id.serial))
        case .class:
            frame.returnString(screen.class)
            frame.keepResult()
        case .kind: frame.returnString(screen.kind.rawValue)
        case .parent: frame.return(screen.parent, objects)
        case .presenter: frame.return(screen.presenter, objects)
        case .modal: frame.return(screen.modal, objects)
        case .isVisible: frame.returnBoolean(router.tree.isVisible(id))
        case .isAlive: frame.returnBoolean(router.tree.isAlive(id))
        case .window:
            if let window = router.tree.window(of: id) { frame.returnString(window.name) }
        case .children:
            try frame.return(.table(InfoTable(list: screen.children.map(Value.screen))), objects)
        }
    }

    func writeScreen(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0) else { return }
        guard let name = frame.string(at: 1) else {
            throw RouteError.notAName(frame.kind(at: 1).rawValue)
        }
        let value = try Value(frame, at: 2, objects)
        try generation.setField(name, to: value, of: id(identifier))
        generation.runtime.count(keptBytes: generation.keptBytes)
    }

    func describeScreen(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0) else { return }
        frame.returnString(router.notation(of: id(identifier)))
    }

    func describeDeclaration(_ frame: inout CallFrame) {
        guard let (type, identifier) = frame.object(at: 0) else { return }
        frame.returnString(objects.value(type, identifier).scriptKind)
    }

    // MARK: Navigations and tasks

    func readNavigation(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1),
            let navigation = held.state.navigations[identifier]
        else { return }
        switch name {
        case "status":
            // Reading the status of a navigation that has ended counts as awaiting it.
            if !navigation.isPending { navigation.isAwaited = true }
            frame.returnString(navigation.status.name)
        case "service":
            try frame.return(navigation.route.map { Value($0.service) } ?? .nil, objects)
        case "task": try frame.return(navigation.route.map { Value($0.task) } ?? .nil, objects)
        case "info":
            try frame.return(
                .table(info(of: navigation)),
                objects,
                frozen: "'info' of a navigation is read only"
            )
        case "step":
            let own = currentStep(of: navigation) ?? navigation.journey.definition
            try frame.return(own.map { Value($0.title) } ?? .nil, objects)
        case "origin": frame.returnString(navigation.origin.rawValue)
        case "window": frame.returnString(router.tree.windowName(of: navigation.options))
        case "from": frame.return(navigation.options.from, objects)
        case "found": frame.return(navigation.journey.plan?.found, objects)
        case "url":
            try frame.return(navigation.journey.opened.map { .string($0.text) } ?? .nil, objects)
        case "path": try frame.return(navigation.path.map { Value($0) } ?? .nil, objects)
        case "fragment":
            let fragment = navigation.journey.opened?.match.fragment
            try frame.return(fragment.map(Value.string) ?? .nil, objects)
        case "params", "query", "queryItems", "stack":
            let table: InfoTable =
                switch name {
                case "params": navigation.params
                case "query": navigation.query
                case "queryItems": navigation.queryItems.list
                default: InfoTable(list: navigation.journey.stack.map(Value.screen))
                }
            try frame.return(
                .table(table),
                objects,
                frozen: "'\(name)' of a navigation is read only"
            )
        case "deps":
            let dependencies = router.dependencies(seenBy: navigation)
            try frame.returnValues { writer in
                writer.beginTable(
                    list: 0,
                    entries: dependencies.count,
                    frozen: "'deps' of a navigation is read only"
                )
                for (name, dependency) in dependencies {
                    writer.write(name)
                    writer.write(dependency.value)
                }
            }
        default:
            guard let method = try generation.method(name, of: objects.navigation) else {
                throw RouteError.noMember(name, of: "navigation", among: Self.navigationMembers)
            }
            try frame.return(.function(method), objects)
        }
    }

    /// Returns the step whose function is running; nil if there is none.
    private func currentStep(of navigation: Navigation) -> Step? {
        if let link = navigation.record.asked?.interception.link { return link.step }
        let context = router.lending.context
        if router.currentNavigation === navigation, let step = context.step { return step }
        guard let activity = router.currentActivity, activity.navigation === navigation else {
            return nil
        }
        return activity.step
    }

    /// Returns the parameters of a navigation for the step whose interceptor is running.
    private func info(of navigation: Navigation) -> InfoTable {
        let context = router.lending.context
        if router.currentNavigation === navigation, let info = context.link?.info { return info }
        return navigation.record.asked?.interception.link?.info ?? navigation.info
    }

    private static let navigationMembers =
        (APIFunction.navigation + APIFunction.acting).map(\.name)
        + (APIFunction.navigationMembers + APIFunction.urlMembers).map(\.name)

    func readTask(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1),
            let task = held.state.tasks[identifier]
        else { return }
        if name == "status" {
            // Reading the status of a task that has ended counts as awaiting it.
            if !task.isPending { task.state.isAwaited = true }
            frame.returnString(task.status.name)
        } else if let method = try generation.method(name, of: objects.task) {
            try frame.return(.function(method), objects)
        } else {
            let members = APIFunction.task.map(\.name) + ["status"]
            throw RouteError.noMember(name, of: "task", among: members)
        }
    }

    func readTimer(_ frame: inout CallFrame) throws {
        try readMethod(&frame, of: objects.timer, title: "timer", functions: APIFunction.timer)
    }

    func readGroup(_ frame: inout CallFrame) throws {
        try readMethod(&frame, of: objects.group, title: "group", functions: APIFunction.group)
    }

    private func readMethod(
        _ frame: inout CallFrame,
        of type: ObjectType,
        title: String,
        functions: [APIFunction]
    ) throws {
        guard let name = frame.string(at: 1) else { return }
        guard let method = try generation.method(name, of: type) else {
            throw RouteError.noMember(name, of: title, among: functions.map(\.name))
        }
        try frame.return(.function(method), objects)
    }

    // MARK: Routings and tickets

    func readRouting(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1),
            let routing = held.state.routings[identifier]
        else { return }
        if name == "pattern" {
            frame.returnString(routing.pattern)
        } else if let method = try generation.method(name, of: objects.routing) {
            try frame.return(.function(method), objects)
        } else {
            let members = APIFunction.routing.map(\.name) + ["pattern"]
            throw RouteError.noMember(name, of: "routing", among: members)
        }
    }

    func readTicket(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1),
            let link = held.state.links[identifier]
        else { return }
        switch name {
        case "status": frame.returnString(link.status.name)
        case "url": try frame.return(.string(link.text), objects)
        default:
            guard let method = try generation.method(name, of: objects.ticket) else {
                let members =
                    (APIFunction.ticket.map(\.name)) + APIFunction.ticketMembers.map(\.name)
                throw RouteError.noMember(name, of: "ticket", among: members)
            }
            try frame.return(.function(method), objects)
        }
    }

    // MARK: State

    func readState(_ frame: inout CallFrame) throws {
        guard let name = frame.string(at: 1) else { return }
        try frame.return(
            router.state[name],
            objects,
            frozen: "a table read from router.state is read only"
        )
    }

    /// Returns a sorted list of the names in `router.state` to the script.
    func listState(_ frame: inout CallFrame) throws {
        let names = router.state.entries.compactMap { entry -> Value? in
            if case .string(let name) = entry.key { .string(name) } else { nil }
        }
        try frame.return(.table(InfoTable(list: names)), objects)
    }

    func writeState(_ frame: inout CallFrame) throws {
        guard frame.kind(at: 1) == .string, let name = frame.string(at: 1) else {
            let key = try Value(frame, at: 1, objects)
            throw RouteError.notAName(NotationPrinter(limit: 80).value(key))
        }
        let keepsState = router.lending.context.effects == .state
        if !keepsState {
            try router.checkEffects(of: "setting 'router.state.\(name)'")
        }
        let value = try Value(frame, at: 2, objects)
        try router.changeState(name, to: value)
        // A rollback keeps this change, because the function that made it is called only once.
        if keepsState { router.lending.stage?.pointee.keep(name, value) }
        generation.runtime.count(keptBytes: generation.keptBytes)
    }
}

extension CallFrame {
    /// Adds a screen, or nil, to the results.
    fileprivate mutating func `return`(_ screen: ScreenID?, _ objects: ScriptObjects) {
        guard let screen else {
            returnNil()
            return
        }
        returnObject(objects.screen, screen.identifier)
    }

    /// Adds a value to the results.
    mutating func `return`(
        _ value: Value,
        _ objects: ScriptObjects,
        frozen: String? = nil
    ) throws {
        switch value {
        case .nil: returnNil()
        case .boolean(let boolean): returnBoolean(boolean)
        case .integer(let integer): returnInteger(integer)
        case .number(let number): returnNumber(number)
        case .string(let string): string.withBytes { returnBytes($0) }
        case .screen(let id): returnObject(objects.screen, id.identifier)
        case .function, .object, .table:
            try returnValues { writer in value.write(to: &writer, objects, frozen: frozen) }
        }
    }

    /// Adds a result of an API function to the results.
    mutating func `return`(_ value: ScriptValue, _ objects: ScriptObjects) throws {
        if case .value(let value) = value {
            try `return`(value, objects)
        } else {
            try returnValues { writer in value.write(to: &writer, objects) }
        }
    }

    /// Returns the source location of the calling script.
    borrowing func location() -> RouteError.Location? { location(at: 1) }

    /// Returns the source location at a level of the call stack, as for ``location(level:)``.
    borrowing func location(at level: Int) -> RouteError.Location? {
        location(level: level).map { RouteError.Location(file: $0.chunk, line: $0.line) }
    }
}
