// SPDX-License-Identifier: MIT

internal import LuaVM

/// Functions of the Lua API that read the tree and listen to events.
extension Generation {
    /// Returns the window that a call names.
    ///
    /// If the call does not name a window, returns the window of the current navigation or, if
    /// there is no navigation, the first window.
    func window(_ arguments: Arguments) -> RouterWindow? {
        guard let name = arguments[0].text else {
            return router.windowOfNavigation ?? router.tree.windows.first
        }
        return router.tree.window(name)
    }

    // MARK: Events

    func listen(_ arguments: Arguments) throws(RouteError) {
        try checkSuspension()
        guard let kind = Event.Kind(rawValue: arguments.text(0)),
            let function = arguments[1].luaFunction
        else { return }
        listeners[kind, default: []].append(function)
    }

    /// Calls a function that listens to an event.
    ///
    /// Errors of the function are logged.
    func call(_ listener: LuaFunction, with event: Event) {
        let activity = Activity(
            "listener to '\(event.kind.rawValue)'",
            for: nil,
            chain: router.chain,
            timeout: declarations.timeout
        ) { [unowned self] result in
            // A listener to the log that fails would receive its own failures endlessly.
            guard case .failure(let error) = result, event.kind != .log else { return }
            router.logUnheard(error)
        }
        activity.hearsSlow = event.kind == .slow
        router.run(listener, as: activity, results: 0) { writer in
            Value.table(event.table).write(to: &writer, runtime.objects)
        }
    }
}

extension Event {
    /// The approximate size of the event, in bytes.
    var byteCount: Int { Self.byteCount(of: fields) }

    /// Returns the approximate size of an event with the given fields, in bytes.
    static func byteCount(of fields: [(name: String, value: Value)]) -> Int {
        fields.reduce(64) { $0 + $1.value.size }
    }

    /// The event as a table for scripts.
    fileprivate var table: InfoTable {
        var table = InfoTable()
        table["seq"] = .integer(Int64(sequence))
        table["time"] = .number(time)
        table["navigation"] = navigation.map { .integer(Int64($0)) } ?? .nil
        table["parent"] = parent.map { .integer(Int64($0)) } ?? .nil
        table["generation"] = .integer(Int64(generation))
        table["location"] = location.map { Value($0.description) } ?? .nil
        table["kind"] = Value(kind.rawValue)
        for (name, value) in fields { table[name] = value }
        return table
    }
}
