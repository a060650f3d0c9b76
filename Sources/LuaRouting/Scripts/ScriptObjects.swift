// SPDX-License-Identifier: MIT

internal import LuaVM

/// The types of host objects that scripts reference: screens, navigations, tasks, `router.state`,
/// values of the host and others.
final class ScriptObjects {
    let screen: ObjectType
    let navigation: ObjectType
    let task: ObjectType
    let state: ObjectType
    let host: ObjectType
    /// The type of the parts of definitions: links, actions, finders, switches and trees.
    let declaration: ObjectType
    /// The type of the results of `router.delay`.
    let timer: ObjectType
    /// The type of the results of `router.routing`.
    let routing: ObjectType
    /// The type of the results of `router.group`.
    let group: ObjectType
    /// The type of the results of `router.dispatch`.
    let ticket: ObjectType
    /// The type whose only object is `router.later`.
    let later: ObjectType

    let held: HeldObjects
    // No reference counting is needed, because the runtime owns both this object and the state.
    private unowned(unsafe) let lua: LuaState

    /// Defines the types.
    ///
    /// Objects of these types can be used only after ``connect(to:)`` was called.
    init(_ lua: LuaState) throws(ScriptError) {
        let held = HeldObjects()
        self.held = held
        self.lua = lua
        screen = try lua.defineType(
            name: "screen",
            index: { frame in try held.connected.readScreen(&frame) },
            newIndex: { frame in try held.connected.writeScreen(&frame) },
            description: { frame in try held.connected.describeScreen(&frame) },
            released: { held.state.droppedScreens.append($0) }
        )
        navigation = try lua.defineType(
            name: "navigation",
            index: { frame in try held.connected.readNavigation(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("navigation") },
            released: { held.state.navigations[$0] = nil }
        )
        task = try lua.defineType(
            name: "task",
            index: { frame in try held.connected.readTask(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("task") },
            released: { held.state.tasks[$0] = nil }
        )
        state = try lua.defineType(
            name: "router.state",
            index: { frame in try held.connected.readState(&frame) },
            newIndex: { frame in try held.connected.writeState(&frame) },
            description: { frame in frame.returnString("router.state") },
            names: { frame in try held.connected.listState(&frame) }
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
        group = try lua.defineType(
            name: "group",
            index: { frame in try held.connected.readGroup(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("group") },
            released: { held.forgetHostObject($0) }
        )
        routing = try lua.defineType(
            name: "routing",
            index: { frame in try held.connected.readRouting(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("routing") },
            released: { held.state.routings[$0] = nil }
        )
        ticket = try lua.defineType(
            name: "ticket",
            index: { frame in try held.connected.readTicket(&frame) },
            newIndex: { frame in throw RouteError.readOnly(frame.string(at: 1) ?? "") },
            description: { frame in frame.returnString("ticket") },
            released: { held.state.links[$0] = nil }
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

    /// Checks that the given values can leave the scripts.
    ///
    /// Navigations, tasks and similar objects cannot be transferred.
    ///
    /// - Throws: `badInfo` with the path of the object.
    func checkCrossing(_ values: Value...) throws(RouteError) {
        guard hasMetHandle else { return }
        hasMetHandle = false
        for value in values {
            if let (path, kind) = value.pathToHandle { throw .cannotCross(path, kind) }
        }
    }

    /// The size of the objects that scripts created, in bytes.
    @inline(__always)
    var declaredBytes: Int { held.state.declaredBytes }

    /// Counts the memory of an object that a script created.
    func count(_ object: HostObject, size: Int) { held.count(object, size: size) }

    /// Connects the objects to the values that they represent.
    func connect(to generation: Generation) { held.generation = generation }

    /// Writes a navigation for scripts.
    func write(_ navigation: Navigation, to writer: inout FlatWriter) {
        held.state.navigations[Int64(navigation.id)] = navigation
        writer.write(self.navigation, Int64(navigation.id))
    }

    func write(_ task: RouteTask, to writer: inout FlatWriter) {
        held.state.tasks[Int64(task.id)] = task
        writer.write(self.task, Int64(task.id))
    }

    /// Writes a function.
    ///
    /// A function of another generation is wrapped in a function of this generation.
    func write(_ function: LuaFunction, to writer: inout FlatWriter) {
        // If there is no memory for a wrapper, the C shim rejects the foreign function.
        if lua.owns(function) || held.generation == nil {
            writer.write(function)
        } else {
            writer.write((try? held.connected.generation.adopt(function)) ?? function)
        }
    }

    func write(_ routing: Routing, to writer: inout FlatWriter) {
        held.state.routings[Int64(routing.number)] = routing
        writer.write(self.routing, Int64(routing.number))
    }

    func write(_ link: QueuedLink, to writer: inout FlatWriter) {
        held.state.links[Int64(link.id)] = link
        writer.write(ticket, Int64(link.id))
    }

    func write(_ object: HostObject, to writer: inout FlatWriter) {
        let type =
            object.base is RouteGroup ? group : object.base is any Declaration ? declaration : host
        writer.write(type, held.number(of: object))
    }

    /// Returns the object whose methods a script calls; nil if there are no methods.
    func owner(_ type: ObjectType, _ identifier: Int64) -> Arguments.Owner? {
        switch type {
        case navigation: held.state.navigations[identifier].map(Arguments.Owner.navigation)
        case task: held.state.tasks[identifier].map(Arguments.Owner.task)
        case timer: .timer(Int(identifier))
        case routing: held.state.routings[identifier].map(Arguments.Owner.routing)
        case group:
            (held.state.hosted[identifier]?.base as? RouteGroup).map(Arguments.Owner.group)
        case ticket: held.state.links[identifier].map(Arguments.Owner.link)
        default: nil
        }
    }

    /// Returns the value that a script object represents.
    ///
    /// If the object cannot be transferred, returns a placeholder with the name of its type, and
    /// sets ``hasMetHandle``.
    func value(_ type: ObjectType, _ identifier: Int64) -> Value {
        if type == screen { return .screen(held.connected.id(identifier)) }
        if type == later { return Self.laterValue }
        if type == host || type == declaration || type == group,
            let object = held.state.hosted[identifier]
        {
            return .object(object)
        }
        hasMetHandle = true
        return .object(HostObject(ScriptHandle(kind: held.names[type] ?? "object")))
    }

    /// Whether a value that cannot be transferred has been read since this property was set to
    /// false.
    var hasMetHandle: Bool {
        get { held.hasMetHandle }
        set { held.hasMetHandle = newValue }
    }

    /// The Swift value of `router.later`.
    fileprivate static let laterValue = Value.object(HostObject("router.later"))

    /// Discards the cached fields of a screen, because they have changed.
    func forgetFields(of screen: ScreenID) {
        lua.forgetMembers(of: self.screen, screen.identifier)
    }

    /// The number of host objects that scripts reference, including objects that are garbage.
    var count: Int {
        let records = held.state
        return records.hosted.count + records.navigations.count + records.tasks.count
            + records.routings.count + records.links.count
    }

    /// Returns whether a script references a screen.
    func holds(_ screen: ScreenID) -> Bool { lua.holds(self.screen, screen.identifier) }

    /// The navigations that scripts reference.
    var heldNavigations: some Collection<Navigation> { held.state.navigations.values }

    /// The tasks that scripts reference.
    var heldTasks: some Collection<RouteTask> { held.state.tasks.values }

    /// Whether scripts have released screens since the last call to ``takeDroppedScreens(of:)``.
    var hasDroppedScreens: Bool { !held.state.droppedScreens.isEmpty }

    /// Returns the screens that scripts have released since the last call.
    func takeDroppedScreens(of tree: ScreenTree) -> [ScreenID] {
        guard !held.state.droppedScreens.isEmpty else { return [] }
        defer { held.state.droppedScreens = [] }
        return held.state.droppedScreens.map { tree.id($0) }
    }
}

extension Value {
    /// Whether the value is `router.later`.
    var isLater: Bool {
        guard case .object(let object) = self, case .object(let later) = ScriptObjects.laterValue
        else { return false }
        return object === later
    }
}
