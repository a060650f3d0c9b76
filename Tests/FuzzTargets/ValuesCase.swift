// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import LuaVM
internal import RouteCore

/// Values that cross into a script and back in every possible way.
///
/// If the first byte is odd, the bytes write items without checks: tables that announce missing
/// items, invalid keys, nil in lists. If the first byte is even, the bytes write a valid value,
/// which must come back unchanged.
struct ValuesCase {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func faults() -> [String] {
        var faults: [String] = []
        weak var state: LuaState?
        do {
            let run = try ValuesRun()
            state = run.state
            var source = ByteSource(bytes)
            if source.byte() % 2 == 1 {
                try run.misuse(&source)
            } else {
                try run.cross(&source)
            }
            faults = run.faults
        } catch {
            faults.append("what does not depend on the value fails: \(error)")
        }
        if state != nil { faults.append("the state leaks") }
        return faults
    }
}

private final class ValuesRun {
    let state: LuaState
    private(set) var faults: [String] = []
    private let environment: LuaEnvironment
    private let type: ObjectType
    private let script: LuaFunction
    private let host: LuaFunction
    /// The host object that values reference, with which the references are compared after a round
    /// trip.
    private let function = HostObject("the function")
    private let objects = (0..<4).map { HostObject($0) }

    init() throws {
        // Nothing of this runs long: a value that is too large must say so itself.
        var configuration = LuaState.Configuration()
        configuration.budget.duration = .seconds(86_400)
        configuration.loadBudget.duration = .seconds(86_400)
        state = try LuaState(configuration)
        environment = try state.makeEnvironment(strict: false)
        type = try state.defineType(name: "Thing")
        let chunk = try state.load(
            "return function(...) value = ... return ... end",
            chunkName: "same.lua",
            environment: environment
        )
        var reader = try state.run(chunk, results: 1)
        guard case .function(let script)? = reader.next() else { throw NoFunction() }
        self.script = script
        host = try state.makeFunction(name: "same") { frame in
            let reader = try frame.read(at: 0)
            try frame.returnValues { writer in FlatCopy.copy(reader, to: &writer) }
        }
    }

    private struct NoFunction: Error {}

    // MARK: Sound values

    /// A value in the form in which it is written: its keys have an order, and may occur twice.
    private indirect enum Draft {
        case plain(Value)
        case table(list: [Draft], entries: [(key: Draft, value: Draft)], isFrozen: Bool)

        /// The value that scripts see; nil if the value contains a key that cannot come back.
        var value: Value? {
            switch self {
            case .plain(let value): return value
            case .table(let list, let entries, _):
                var table = InfoTable()
                for (index, item) in list.enumerated() {
                    guard let value = item.value else { return nil }
                    table[.integer(Int64(index) + 1)] = value
                }
                for (key, item) in entries {
                    guard let key = key.key, let value = item.value else { return nil }
                    table[key] = value
                }
                return .table(table)
            }
        }

        private var key: InfoTable.Key? {
            guard case .plain(let value) = self else { return nil }
            switch value {
            case .integer(let integer): return .integer(integer)
            case .number(let number): return Int64(exactly: number).map { .integer($0) }
            case .string(let string): return .string(string)
            default: return nil
            }
        }
    }

    func cross(_ source: inout ByteSource) throws(ScriptError) {
        let draft = makeDraft(&source, depth: 1)
        let expected = draft.value
        // Once to let buffers and the tables of strings and handles grow.
        for round in 0..<2 {
            state.collectGarbage()
            let memory = state.memoryUsed
            let handles = state.liveHandles
            try check(expected, "from a script", draft) { write throws(ScriptError) in
                try state.call(script, results: 1, arguments: write)
            }
            try check(expected, "from the host", draft) { write throws(ScriptError) in
                try state.call(host, results: 1, arguments: write)
            }
            try check(expected, "from a global", draft) { write throws(ScriptError) in
                try state.setGlobal("value", in: environment, to: write)
                let chunk = try state.load(
                    "return value",
                    chunkName: "global.lua",
                    environment: environment
                )
                return try state.run(chunk, results: 1)
            }
            // The state keeps what was read last until it reads again.
            try state.call(script, results: 1) { $0.writeNil() }
            state.collectGarbage()
            if round > 0, state.memoryUsed > memory + 4096 {
                faults.append("the value leaves \(state.memoryUsed - memory) bytes behind")
            }
            if state.liveHandles != handles { faults.append("the value leaves a handle behind") }
        }
    }

    private func check(
        _ expected: Value?,
        _ way: String,
        _ draft: Draft,
        by cross: ((inout FlatWriter) -> Void) throws(ScriptError) -> FlatReader
    ) throws(ScriptError) {
        do throws(ScriptError) {
            var reader = try cross { write(draft, to: &$0) }
            let value = read(&reader)
            if reader.next() != nil { faults.append("\(way) comes more than a value") }
            // A key that cannot come back may have been set to nil.
            guard let expected else { return }
            if value != expected { faults.append("\(way) comes another value") }
        } catch {
            guard expected == nil, error.kind == .conversion else { throw error }
        }
    }

    private func makeDraft(_ source: inout ByteSource, depth: Int) -> Draft {
        switch source.below(depth < 30 ? 14 : 10) {
        case 0: return .plain(.nil)
        case 1: return .plain(.boolean(source.byte() % 2 == 1))
        case 2: return .plain(.integer(Int64(bitPattern: source.bits())))
        case 3: return .plain(.integer(Int64(source.byte()) - 3))
        case 4: return .plain(.number(Double(bitPattern: source.bits())))
        case 5: return .plain(.number(Double(source.byte()) / 2))
        case 6: return .plain(.string(ByteString(bytes: source.run(source.below(12)))))
        case 7: return .plain(.string(ByteString(bytes: source.run(source.below(255)))))
        case 8: return .plain(.object(function))
        case 9: return .plain(.object(source.pick(objects)))
        default:
            let isFrozen = source.below(8) == 7
            let list = (0..<source.below(20)).map { _ in
                soundItem(makeDraft(&source, depth: depth + 1))
            }
            let entries = (0..<source.below(40)).map { _ in
                (makeKey(&source), makeDraft(&source, depth: depth + 1))
            }
            return .table(list: list, entries: entries, isFrozen: isFrozen)
        }
    }

    /// Returns an item for a list, which cannot contain nil.
    private func soundItem(_ draft: Draft) -> Draft {
        if case .plain(.nil) = draft { .plain(.boolean(false)) } else { draft }
    }

    private func makeKey(_ source: inout ByteSource) -> Draft {
        switch source.below(8) {
        case 0: return .plain(.integer(Int64(bitPattern: source.bits())))
        case 1, 2: return .plain(.integer(Int64(source.below(40)) - 4))
        case 3: return .plain(.number(Double(source.below(40))))
        case 4 where source.below(16) == 15:
            let number = Double(bitPattern: source.bits())
            return .plain(number.isNaN ? .boolean(true) : .number(number))
        default: return .plain(.string(ByteString(bytes: source.run(source.below(10)))))
        }
    }

    private func write(_ draft: Draft, to writer: inout FlatWriter) {
        switch draft {
        case .plain(let value): write(value, to: &writer)
        case .table(let list, let entries, let isFrozen):
            writer.beginTable(
                list: list.count,
                entries: entries.count,
                frozen: isFrozen ? "frozen" : nil
            )
            for item in list { write(item, to: &writer) }
            for (key, value) in entries {
                write(key, to: &writer)
                write(value, to: &writer)
            }
        }
    }

    private func write(_ value: Value, to writer: inout FlatWriter) {
        switch value {
        case .boolean(let value): writer.write(value)
        case .integer(let value): writer.write(value)
        case .number(let value): writer.write(value)
        case .string(let value): value.withBytes { writer.write(bytes: $0) }
        case .object(let object):
            if let index = objects.firstIndex(where: { $0 === object }) {
                writer.write(type, Int64(index))
            } else {
                writer.write(script)
            }
        case .nil, .table, .screen, .function: writer.writeNil()
        }
    }

    private func read(_ reader: inout FlatReader) -> Value {
        switch reader.next() {
        case nil, .nil?: return .nil
        case .boolean(let value)?: return .boolean(value)
        case .integer(let value)?: return .integer(value)
        case .number(let value)?: return .number(value)
        case .string(let bytes)?: return .string(ByteString(bytes: Array(bytes)))
        case .function(let function)?:
            if function != script { faults.append("a function comes back as another") }
            return .object(self.function)
        case .object(let type, let identifier)?:
            guard type == self.type, objects.indices.contains(Int(identifier)) else {
                faults.append("an object comes back as another")
                return .nil
            }
            return .object(objects[Int(identifier)])
        case .table(let list, let entries)?:
            var table = InfoTable()
            for index in 0..<list { table[.integer(Int64(index) + 1)] = read(&reader) }
            var last: InfoTable.Key?
            for _ in 0..<entries {
                let key: InfoTable.Key
                switch read(&reader) {
                case .integer(let integer): key = .integer(integer)
                case .string(let string): key = .string(string)
                default:
                    faults.append("a key comes back that is none")
                    return .nil
                }
                if let last, !(last < key) { faults.append("keys come back out of order") }
                last = key
                table[key] = read(&reader)
            }
            if table.list.count != list { faults.append("a list comes back in two parts") }
            return .table(table)
        }
    }

    // MARK: Misuse

    private enum Item {
        case value(Value)
        case table(list: Int, entries: Int, isFrozen: Bool)
    }

    func misuse(_ source: inout ByteSource) throws(ScriptError) {
        let way = source.below(3)
        var items: [Item] = []
        while !source.isAtEnd, items.count < 200 { items.append(makeItem(&source)) }
        for _ in 0..<2 {
            do throws(ScriptError) {
                let write = { (writer: inout FlatWriter) in
                    for item in items { self.write(item, to: &writer) }
                }
                switch way {
                case 0: try state.call(script, results: 4, arguments: write)
                case 1: try state.call(host, results: 1, arguments: write)
                default: try state.setGlobal("value", in: environment, to: write)
                }
            } catch {
                if error.kind != .conversion, error.kind != .memory {
                    faults.append("a value is refused as '\(error.kind)': \(error)")
                }
            }
            // The next use works.
            var reader = try state.call(script, results: 1) { $0.write(Int64(7)) }
            guard case .integer(7)? = reader.next(), reader.next() == nil else {
                faults.append("the next value comes back as another")
                return
            }
        }
    }

    private func makeItem(_ source: inout ByteSource) -> Item {
        switch source.below(12) {
        case 0: return .value(.nil)
        case 1: return .value(.number(.nan))
        case 2: return .value(.integer(Int64(source.byte())))
        case 3: return .value(.string(ByteString(bytes: source.run(source.below(8)))))
        case 4: return .value(.object(function))
        case 5: return .value(.object(source.pick(objects)))
        case 6: return .table(list: size(&source), entries: 0, isFrozen: source.below(4) == 3)
        case 7: return .table(list: 0, entries: size(&source), isFrozen: source.below(4) == 3)
        default:
            return .table(
                list: source.below(3),
                entries: source.below(3),
                isFrozen: source.below(8) == 7
            )
        }
    }

    /// Returns a size for a list or its keys, which may be far larger than the actual size.
    private func size(_ source: inout ByteSource) -> Int {
        source.pick([1, 2, 3, 40, 1 << 16, 1 << 24, Int(Int32.max), Int(Int32.max) - 1])
    }

    private func write(_ item: Item, to writer: inout FlatWriter) {
        switch item {
        case .value(let value): write(value, to: &writer)
        case .table(let list, let entries, let isFrozen):
            writer.beginTable(list: list, entries: entries, frozen: isFrozen ? "frozen" : nil)
        }
    }
}
