// SPDX-License-Identifier: MIT

public import LuaVM

extension LuaFunction: FunctionReference {
    /// Returns whether both handles refer to the same function.
    public func isSame(as other: any FunctionReference) -> Bool {
        (other as? LuaFunction).map { isSame(as: $0) } ?? false
    }
}

/// A result of an API function, or an argument of a script function.
enum ScriptValue {
    case value(Value)
    case navigation(Navigation)
    case task(RouteTask)
    /// A timer with the given number.
    case timer(Int)
    case routing(Routing)
    /// A deep link, as the ticket that scripts use.
    case link(QueuedLink)
    /// A value of a script that is passed back unchanged.
    case reference(LuaReference)
    /// There is no result yet, because the calling script waits.
    case waits

    func write(to writer: inout FlatWriter, _ objects: ScriptObjects) {
        switch self {
        case .value(let value): value.write(to: &writer, objects)
        case .navigation(let navigation): objects.write(navigation, to: &writer)
        case .task(let task): objects.write(task, to: &writer)
        case .timer(let timer): writer.write(objects.timer, Int64(timer))
        case .routing(let routing): objects.write(routing, to: &writer)
        case .link(let link): objects.write(link, to: &writer)
        case .reference(let reference): writer.write(reference)
        case .waits: break
        }
    }
}

extension Value {
    /// Copies an argument of a call.
    ///
    /// - Throws: `badInfo` with the path of a value that cannot be transferred.
    init(_ frame: borrowing CallFrame, at position: Int, _ objects: ScriptObjects)
        throws(RouteError)
    {
        switch frame.kind(at: position) {
        case .none, .nil: self = .nil
        case .boolean: self = frame.boolean(at: position).map(Value.boolean) ?? .nil
        case .integer: self = frame.integer(at: position).map(Value.integer) ?? .nil
        case .number: self = frame.number(at: position).map(Value.number) ?? .nil
        case .string:
            self = frame.withBytes(at: position) { .string(ByteString(bytes: $0)) } ?? .nil
        case .function: self = frame.function(at: position).map(Value.function) ?? .nil
        case .object:
            guard let object = frame.object(at: position) else {
                self = .nil
                return
            }
            self = objects.value(object.type, object.identifier)
        case .table, .other:
            do {
                var reader = try frame.read(at: position)
                self = Value(from: &reader, objects) ?? .nil
            } catch {
                throw RouteError(error)
            }
        }
    }

    /// Reads the next value; nil after the last one.
    init?(from reader: inout FlatReader, _ objects: ScriptObjects) {
        self.init(from: &reader, object: objects.value)
    }

    /// Reads the next value; nil after the last one.
    ///
    /// The given closure returns the values of objects.
    init?(from reader: inout FlatReader, object value: (ObjectType, Int64) -> Value) {
        guard let item = reader.next() else { return nil }
        switch item {
        case .nil: self = .nil
        case .boolean(let boolean): self = .boolean(boolean)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .string(let bytes): self = .string(ByteString(bytes: bytes))
        case .function(let function): self = .function(function)
        case .object(let type, let identifier): self = value(type, identifier)
        case .table(let list, let entries):
            self = .table(InfoTable(from: &reader, list: list, entries: entries, object: value))
        }
    }

    /// Writes the value for a script.
    ///
    /// - Parameters:
    ///   - writer: The writer.
    ///   - objects: The types of host objects.
    ///   - frozen: The error message if a script writes to a table; nil for tables that scripts may
    ///     change.
    func write(to writer: inout FlatWriter, _ objects: ScriptObjects, frozen: String? = nil) {
        write(to: &writer, frozen: frozen) { value, writer in
            switch value {
            case .screen(let id): writer.write(objects.screen, id.identifier)
            case .function(let function as LuaFunction): objects.write(function, to: &writer)
            case .object(let object): objects.write(object, to: &writer)
            default: writer.writeNil()
            }
        }
    }

    /// Writes the value.
    ///
    /// The given closure writes the parts that are not plain data.
    func write(
        to writer: inout FlatWriter,
        frozen: String? = nil,
        reference: (Value, inout FlatWriter) -> Void
    ) {
        switch self {
        case .nil: writer.writeNil()
        case .boolean(let boolean): writer.write(boolean)
        case .integer(let integer): writer.write(integer)
        case .number(let number): writer.write(number)
        case .string(let string): string.withBytes { writer.write(bytes: $0) }
        case .screen, .function, .object: reference(self, &writer)
        case .table(let table):
            writer.beginTable(list: table.list.count, entries: table.entries.count, frozen: frozen)
            for value in table.list { value.write(to: &writer, reference: reference) }
            for (key, value) in table.entries {
                switch key {
                case .integer(let integer): writer.write(integer)
                case .string(let string): string.withBytes { writer.write(bytes: $0) }
                }
                value.write(to: &writer, reference: reference)
            }
        }
    }
}

extension ScriptRuntime {
    /// Copies the arguments of a call, beginning at the given position.
    ///
    /// - Throws: `badInfo` with the path of a value that cannot be transferred.
    func readArguments(
        _ frame: borrowing CallFrame,
        from first: Int
    ) throws(RouteError) -> ArgumentTree {
        let tree = spareArguments ?? ArgumentTree()
        spareArguments = nil
        do throws(ScriptError) {
            tree.read(try frame.readAll(from: first), objects)
        } catch {
            throw RouteError(error)
        }
        return tree
    }

    /// Keeps the memory of arguments for the next call, unless that memory is large or still
    /// referenced.
    func giveBack(_ arguments: inout ArgumentTree) {
        guard isKnownUniquelyReferenced(&arguments), arguments.isSmall else { return }
        arguments.removeAll()
        spareArguments = arguments
    }
}

extension ArgumentTree {
    /// Copies the arguments of a call.
    fileprivate func read(_ records: borrowing FlatRecords, _ objects: ScriptObjects) {
        let bytes = records.bytes
        let room = makeRoom(nodes: records.count, bytes: bytes.count)
        UnsafeMutableRawBufferPointer(start: room.bytes, count: bytes.count).copyMemory(from: bytes)
        for index in 0..<records.count {
            let record = records[index]
            room.nodes[index].count = record.length
            room.nodes[index].payload = record.payload
            let kind: Argument.Kind
            switch record.kind {
            case .boolean: kind = .boolean
            case .integer: kind = .integer
            case .number: kind = .number
            case .string: kind = .string
            case .table: kind = .table
            case .function:
                kind = .function
                let function = records.takeFunction(record)
                room.nodes[index].payload = append(reference: .function(function))
            case .object:
                let value = objects.value(records.type(of: record), record.payload)
                kind = value.screen == nil ? .object : .screen
                room.nodes[index].payload = append(reference: value)
            case .none, .nil, .other: kind = .nil
            }
            room.nodes[index].kind = kind
        }
        finish()
    }
}

extension InfoTable {
    /// Reads the elements of a table.
    fileprivate init(
        from reader: inout FlatReader,
        list: Int,
        entries: Int,
        object: (ObjectType, Int64) -> Value
    ) {
        var values: [Value] = []
        if list > 0 {
            values.reserveCapacity(list)
            for _ in 0..<list { values.append(Value(from: &reader, object: object) ?? .nil) }
        }
        var pairs: [(key: Key, value: Value)] = []
        if entries > 0 {
            pairs.reserveCapacity(entries)
            for _ in 0..<entries {
                let key: Key? =
                    switch reader.next() {
                    case .integer(let integer): .integer(integer)
                    case .string(let bytes): .string(ByteString(bytes: bytes))
                    default: nil
                    }
                let value = Value(from: &reader, object: object) ?? .nil
                if let key { pairs.append((key, value)) }
            }
        }
        if reader.isOfScript {
            self.init(list: values, sortedEntries: pairs)
        } else {
            self.init(list: values)
            for (key, value) in pairs { self[key] = value }
        }
    }
}

extension RouteError: ScriptMessage {
    /// The message for scripts, with the location of the error if there is one.
    public var scriptMessage: String { description }
    /// Whether the location of the call precedes the message.
    ///
    /// The error's own location, if there is one, is already part of the message.
    public var addsPosition: Bool { location == nil }

    /// Converts an error of the Lua bridge to an error of the router.
    init(_ error: ScriptError) {
        let location = error.chunk.flatMap { chunk in
            error.line.map { Location(file: chunk, line: $0) }
        }
        let traceback = error.traceback.isEmpty ? nil : error.traceback
        if var inner = error.underlying as? RouteError {
            inner.location = inner.location ?? location
            inner.traceback = inner.traceback ?? traceback
            self = inner
            return
        }
        let code: Code =
            switch error.kind {
            // The end of an interceptor is handled by its caller, so `ended` cannot occur here.
            case .syntax, .runtime, .handler, .ended: .script
            case .memory, .instructions, .deadline: .budget
            case .conversion: .badInfo
            case .cancelled: .cancelled
            case .rewound: .superseded
            }
        self.init(
            code,
            error.message,
            at: location,
            cause: error.underlying,
            traceback: traceback
        )
    }
}
