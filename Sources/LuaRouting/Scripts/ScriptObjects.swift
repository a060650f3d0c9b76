// SPDX-License-Identifier: MIT

internal import LuaVM

/// The host objects that scripts hold: screens, navigations, tasks, `router.state`, values of
/// the host.
final class ScriptObjects {
    let screen: ObjectType
    let navigation: ObjectType
    let task: ObjectType
    let state: ObjectType
    let host: ObjectType
    /// What functions of `router` make for definitions: links, actions, finders, switches, trees.
    let declaration: ObjectType
    /// What `router.delay` gives.
    let timer: ObjectType
    /// What `router.routing` gives.
    let routing: ObjectType
    /// What `router.dispatch` gives.
    let ticket: ObjectType
    /// The type of the one value `router.later`.
    let later: ObjectType

    private let held: HeldObjects
    private unowned let lua: LuaState

    /// Defines the types.
    ///
    /// They work once they are connected to a generation.
    init(_ lua: LuaState) throws(ScriptError) {
        let held = HeldObjects()
        self.held = held
        self.lua = lua
        screen = try lua.defineType(
            name: "screen",
            index: { frame in try held.connected.readScreen(&frame) },
            newIndex: { frame in try held.connected.writeScreen(&frame) },
            description: { frame in try held.connected.describeScreen(&frame) },
            released: { held.droppedScreens.append($0) }
        )
        navigation = try lua.defineType(
            name: "navigation",
            index: { frame in try held.connected.readNavigation(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("navigation") },
            released: { held.navigations[$0] = nil }
        )
        task = try lua.defineType(
            name: "task",
            index: { frame in try held.connected.readTask(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("task") },
            released: { held.tasks[$0] = nil }
        )
        state = try lua.defineType(
            name: "router.state",
            index: { frame in try held.connected.readState(&frame) },
            newIndex: { frame in try held.connected.writeState(&frame) },
            description: { frame in frame.returnString("router.state") }
        )
        host = try lua.defineType(
            name: "host object",
            description: { frame in frame.returnString("host object") },
            released: { held.forgetHostObject($0) }
        )
        declaration = try lua.defineType(
            name: "declaration",
            description: { frame in held.connected.describeDeclaration(&frame) },
            released: { held.forgetHostObject($0) }
        )
        timer = try lua.defineType(
            name: "timer",
            index: { frame in try held.connected.readTimer(&frame) },
            description: { frame in frame.returnString("timer") }
        )
        routing = try lua.defineType(
            name: "routing",
            index: { frame in try held.connected.readRouting(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("routing") },
            released: { held.routings[$0] = nil }
        )
        ticket = try lua.defineType(
            name: "ticket",
            index: { frame in try held.connected.readTicket(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("ticket") },
            released: { held.links[$0] = nil }
        )
        later = try lua.defineType(
            name: "router.later",
            description: { frame in frame.returnString("router.later") }
        )
        held.names = [
            navigation: "navigation", task: "task", state: "router.state", routing: "routing",
            ticket: "ticket",
        ]
    }

    /// Checks what a function of a script gave: navigations and tasks are no values.
    ///
    /// - Throws: `badInfo`, which names the path.
    func checkCrossing(_ values: Value...) throws(RouteError) {
        guard hasMetHandle else { return }
        hasMetHandle = false
        for value in values {
            if let (path, kind) = value.pathToHandle { throw .cannotCross(path, kind) }
        }
    }

    /// What stands for an object that is no value: it cannot cross.
    struct Handle: Sendable {
        let kind: String
    }

    /// Lets the objects reach what they stand for.
    func connect(to generation: Generation) { held.generation = generation }

    /// The value of a navigation for scripts.
    func write(_ navigation: Navigation, to writer: inout FlatWriter) {
        held.navigations[Int64(navigation.id)] = navigation
        writer.write(self.navigation, Int64(navigation.id))
    }

    func write(_ task: RouteTask, to writer: inout FlatWriter) {
        held.tasks[Int64(task.id)] = task
        writer.write(self.task, Int64(task.id))
    }

    func write(_ routing: Routing, to writer: inout FlatWriter) {
        held.routings[Int64(routing.number)] = routing
        writer.write(self.routing, Int64(routing.number))
    }

    func write(_ link: DeferredLink, to writer: inout FlatWriter) {
        held.links[Int64(link.id)] = link
        writer.write(ticket, Int64(link.id))
    }

    func write(_ object: HostObject, to writer: inout FlatWriter) {
        let type = object.base is any Declaration ? declaration : host
        writer.write(type, held.number(of: object))
    }

    /// The object of a script that has functions, nil where it has none.
    func owner(_ type: ObjectType, _ identifier: Int64) -> Arguments.Owner? {
        switch type {
        case navigation: held.navigations[identifier].map(Arguments.Owner.navigation)
        case task: held.tasks[identifier].map(Arguments.Owner.task)
        case timer: .timer(Int(identifier))
        case routing: held.routings[identifier].map(Arguments.Owner.routing)
        case ticket: held.links[identifier].map(Arguments.Owner.link)
        default: nil
        }
    }

    /// What an object of a script stands for; nil for one that is no value of its own.
    func value(_ type: ObjectType, _ identifier: Int64) -> Value {
        if type == screen { return .screen(held.connected.id(identifier)) }
        if type == later { return Self.laterValue }
        if type == host || type == declaration, let object = held.hosted[identifier] {
            return .object(object)
        }
        hasMetHandle = true
        return .object(HostObject(Handle(kind: held.names[type] ?? "object")))
    }

    /// Whether a value was read that cannot cross since this was last set to false.
    var hasMetHandle: Bool {
        get { held.hasMetHandle }
        set { held.hasMetHandle = newValue }
    }

    /// What `router.later` is to Swift.
    fileprivate static let laterValue = Value.object(HostObject("router.later"))

    /// Lets scripts ask anew for the fields of a screen, which have changed.
    func forgetFields(of screen: ScreenID) {
        lua.forgetMembers(of: self.screen, screen.identifier)
    }

    /// The navigations that scripts hold.
    var heldNavigations: some Collection<Navigation> { held.navigations.values }

    /// The tasks that scripts hold.
    var heldTasks: some Collection<RouteTask> { held.tasks.values }

    /// The screens that no script holds any more since the last call.
    func takeDroppedScreens() -> [ScreenID] {
        guard !held.droppedScreens.isEmpty else { return [] }
        defer { held.droppedScreens = [] }
        return held.droppedScreens.map { held.connected.id($0) }
    }
}

/// What the objects of scripts stand for.
private final class HeldObjects {
    /// What messages call the objects of types that are no values.
    var names: [ObjectType: String] = [:]
    var hasMetHandle = false
    unowned(unsafe) var generation: Generation?
    var navigations: [Int64: Navigation] = [:]
    var tasks: [Int64: RouteTask] = [:]
    var routings: [Int64: Routing] = [:]
    var links: [Int64: DeferredLink] = [:]
    var hosted: [Int64: HostObject] = [:]
    // No two accesses overlap: each takes all, or adds one.
    @exclusivity(unchecked) var droppedScreens: [Int64] = []
    private var numbers: [ObjectIdentifier: Int64] = [:]
    private var lastNumber: Int64 = 0

    var connected: Reader {
        guard let generation else {
            preconditionFailure("objects are connected before scripts run")
        }
        return Reader(generation: generation, held: self)
    }

    func number(of object: HostObject) -> Int64 {
        let key = ObjectIdentifier(object)
        if let number = numbers[key] { return number }
        lastNumber += 1
        numbers[key] = lastNumber
        hosted[lastNumber] = object
        return lastNumber
    }

    func forgetHostObject(_ number: Int64) {
        guard let object = hosted.removeValue(forKey: number) else { return }
        numbers[ObjectIdentifier(object)] = nil
    }
}

/// Reads and writes the members of objects for a script.
private struct Reader {
    let generation: Generation
    let held: HeldObjects

    private var router: Router { generation.router }
    private var objects: ScriptObjects { generation.objects }

    // MARK: Screens

    func id(_ identifier: Int64) -> ScreenID { router.tree.id(identifier) }

    func readScreen(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1) else {
            return
        }
        let id = id(identifier)
        guard let screen = router.tree.screen(id) else {
            // Nobody held it, so nothing is known of it any more.
            if name == "serial" { frame.returnInteger(Int64(id.serial)) }
            if name == "isAlive" || name == "isVisible" { frame.returnBoolean(false) }
            return
        }
        guard let property = ScreenProperty.named[name] else {
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
            try frame.return(.table(Table(list: screen.children.map(Value.screen))), objects)
        }
    }

    func writeScreen(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0) else { return }
        guard let name = frame.string(at: 1) else {
            throw RouteError.notAName(frame.kind(at: 1).rawValue)
        }
        let value = try Value(frame, at: 2, objects)
        try generation.setField(name, to: value, of: id(identifier))
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
            let navigation = held.navigations[identifier]
        else { return }
        switch name {
        case "status": frame.returnString(navigation.status.name)
        case "service":
            try frame.return(navigation.target.map { Value($0.service) } ?? .nil, objects)
        case "task": try frame.return(navigation.target.map { Value($0.task) } ?? .nil, objects)
        case "info":
            try frame.return(
                .table(navigation.info),
                objects,
                frozen: "'info' of a navigation is read only"
            )
        case "origin": frame.returnString(navigation.origin.rawValue)
        case "window": frame.returnString(router.windowName(of: navigation))
        case "from": frame.return(navigation.options.from, objects)
        case "found": frame.return(navigation.plan?.found, objects)
        case "url": try frame.return(navigation.opened.map { .string($0.text) } ?? .nil, objects)
        case "path": try frame.return(navigation.path.map { Value($0) } ?? .nil, objects)
        case "fragment":
            let fragment = navigation.opened?.match.fragment
            try frame.return(fragment.map(Value.string) ?? .nil, objects)
        case "params", "query", "queryItems", "deps", "stack":
            let table: Table =
                switch name {
                case "params": navigation.params
                case "query": navigation.query
                case "queryItems": navigation.queryItems.list
                case "stack": Table(list: navigation.stack.map(Value.screen))
                default: Table()
                }
            try frame.return(
                .table(table),
                objects,
                frozen: "'\(name)' of a navigation is read only"
            )
        default:
            guard let method = generation.navigationMethods[name] else {
                throw RouteError.noMember(name, of: "navigation", among: Self.navigationMembers)
            }
            try frame.return(.function(method), objects)
        }
    }

    private static let navigationMembers =
        (APIFunction.navigation + APIFunction.acting).map(\.name) + [
            "deps", "found", "fragment", "from", "info", "origin", "params", "path", "query",
            "queryItems", "service", "stack", "status", "task", "url", "window",
        ]

    func readTask(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1),
            let task = held.tasks[identifier]
        else { return }
        if name == "status" {
            frame.returnString(task.status.name)
        } else if let method = generation.taskMethods[name] {
            try frame.return(.function(method), objects)
        } else {
            let members = APIFunction.task.map(\.name) + ["status"]
            throw RouteError.noMember(name, of: "task", among: members)
        }
    }

    func readTimer(_ frame: inout CallFrame) throws {
        guard let name = frame.string(at: 1) else { return }
        guard let method = generation.timerMethods[name] else {
            let members = APIFunction.timer.map(\.name)
            throw RouteError.noMember(name, of: "timer", among: members)
        }
        try frame.return(.function(method), objects)
    }

    // MARK: Routings and tickets

    func readRouting(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1),
            let routing = held.routings[identifier]
        else { return }
        if name == "pattern" {
            frame.returnString(routing.pattern)
        } else if let method = generation.routingMethods[name] {
            try frame.return(.function(method), objects)
        } else {
            let members = APIFunction.routing.map(\.name) + ["pattern"]
            throw RouteError.noMember(name, of: "routing", among: members)
        }
    }

    func readTicket(_ frame: inout CallFrame) throws {
        guard let (_, identifier) = frame.object(at: 0), let name = frame.string(at: 1),
            let link = held.links[identifier]
        else { return }
        switch name {
        case "status": frame.returnString(link.status.name)
        case "url": try frame.return(.string(link.text), objects)
        default:
            guard let method = generation.ticketMethods[name] else {
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

    func writeState(_ frame: inout CallFrame) throws {
        guard frame.kind(at: 1) == .string, let name = frame.string(at: 1) else {
            throw RouteError.notAName(try Value(frame, at: 1, objects).description)
        }
        try router.checkEffects(of: "setting 'router.state.\(name)'")
        let value = try Value(frame, at: 2, objects)
        try router.setState(name, to: value)
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

    /// Adds a result of a function of the API to the results.
    mutating func `return`(_ value: ScriptValue, _ objects: ScriptObjects) throws {
        if case .value(let value) = value {
            try `return`(value, objects)
        } else {
            try returnValues { writer in value.write(to: &writer, objects) }
        }
    }

    /// The line of the script that calls.
    borrowing func place() -> RouteError.Location? {
        location().map { RouteError.Location(file: $0.chunk, line: $0.line) }
    }
}

extension Value {
    /// Whether it is `router.later`.
    var isLater: Bool {
        guard case .object(let object) = self, case .object(let later) = ScriptObjects.laterValue
        else { return false }
        return object === later
    }
}
