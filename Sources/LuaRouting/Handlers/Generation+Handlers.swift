// SPDX-License-Identifier: MIT

internal import LuaVM

/// Declares and calls handlers of route strings.
extension Generation {
    func declareHandler(_ arguments: Arguments) throws(RouteError) {
        guard let function = arguments.function(from: 1) else { throw .handlerIsMissing() }
        let options = arguments.table(1)
        let info = try arguments.definition(1).info()
        let values = if case .table(let table) = arguments[0] { table.list } else { [arguments[0]] }
        guard !values.isEmpty else { throw .handlesNothing() }
        let handler = Handler(info: info, function: function, location: arguments.location)
        var handlers = declarations.handlers
        var own: Set<ByteString> = []
        for case .string(let identifier) in values {
            guard identifier.text != nil, !identifier.withBytes({ $0.contains(UInt8(ascii: "|")) })
            else { throw .badIdentifier(identifier) }
            let earlier = handlers.updateValue(handler, forKey: identifier)
            let isOwn = !own.insert(identifier).inserted
            if let earlier, isOwn || options["override"].boolean != true {
                throw .declaredTwice(
                    "route identifier '\(RouteError.shortened(identifier))'",
                    earlier.location
                )
            }
        }
        self.declarations.handlers = handlers
    }

    /// Calls a handler, which returns the target of a route string.
    ///
    /// - Throws: The error that the handler raises, or `script` if the handler does not return a
    ///   service and a task.
    func ask(
        _ handler: Handler,
        _ route: RouteString,
        text: ByteString,
        payload: InfoTable,
        from screen: ScreenID?
    ) throws(RouteError) -> (target: Target, info: InfoTable?) {
        var described = InfoTable()
        described["identifier"] = Value(route.identifier)
        described["info"] = .table(payload)
        described["text"] = .string(text)
        var values: [Value] = []
        let objects = runtime.objects
        try runtime.entering { () throws(ScriptError) in
            var reader = try runtime.lua.call(handler.function.lua, results: -3) { writer in
                Value.table(described).write(to: &writer, objects)
                (screen.map(Value.screen) ?? .nil).write(to: &writer, objects)
            }
            objects.hasMetHandle = false
            while let value = Value(from: &reader, objects) { values.append(value) }
        }
        guard !values.isEmpty else {
            let owner = "the handler of '\(RouteError.shortened(route.identifier))'"
            throw RouteError.returnedNothing(owner, instead: "service and the task")
                .at(handler.location)
        }
        values += Array(repeating: .nil, count: 3 - values.count)
        try objects.checkCrossing(.table(InfoTable(list: values)))
        guard let target = Target(Array(values[..<2])) else {
            throw RouteError.badHandlerResult(route.identifier, values).at(handler.location)
        }
        switch values[2] {
        case .nil: return (target, nil)
        case .table(let info): return (target, info)
        default: throw RouteError.badHandlerResult(route.identifier, values).at(handler.location)
        }
    }
}
