// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// One step through values that crossed from a script.
public enum FlatItem {
    /// Nil.
    case `nil`
    /// A truth value.
    case boolean(Bool)
    /// An integer.
    case integer(Int64)
    /// A number.
    case number(Double)
    /// The bytes of a string, valid as long as the reader.
    case string(UnsafeRawBufferPointer)
    /// A table; the values of its list follow, then the keys, each with its value.
    case table(list: Int, entries: Int)
    /// A function.
    case function(LuaFunction)
    /// An object of the host.
    case object(ObjectType, Int64)
}

/// Reads values that were transferred from a script, in a pre-order walk through a tree.
///
/// The reader has a copy, which scripts cannot change. Lists have no gaps; the other keys are
/// sorted, integers first, then strings by their bytes.
public struct FlatReader {
    let buffer: FlatBuffer
    /// Whether the values come from a script: then the keys of each table are sorted and unique.
    package let isOfScript: Bool
    private var position = 0
    private var nextFunction = 0

    init(_ buffer: FlatBuffer) {
        self.buffer = buffer
        isOfScript = true
    }

    /// Creates a reader of the values that a closure writes; needs no state.
    ///
    /// - Throws: An error of the kind `conversion` for a value that cannot be written.
    public init(_ write: (inout FlatWriter) -> Void) throws(ScriptError) {
        buffer = FlatBuffer()
        isOfScript = false
        var writer = FlatWriter(buffer)
        write(&writer)
        if let failure = buffer.failure.pointee { throw failure }
    }

    /// Skips the next value, a table with its contents, and returns its position; nil after the
    /// last.
    mutating func skip() -> Int? {
        guard position < buffer.flat.pointee.count else { return nil }
        let start = position
        position = buffer.end(of: start)
        for record in start..<position
        where buffer.flat.pointee.values[record].tag == LUAROUTE_FUNCTION {
            nextFunction += 1
        }
        return start
    }

    /// Advances to the next value; returns nil after the last.
    public mutating func next() -> FlatItem? {
        guard position < buffer.flat.pointee.count else { return nil }
        let value = buffer.flat.pointee.values[position]
        position += 1
        switch Int(value.tag) {
        case LUAROUTE_BOOLEAN: return .boolean(value.payload != 0)
        case LUAROUTE_INTEGER: return .integer(value.payload)
        case LUAROUTE_NUMBER:
            return .number(Double(bitPattern: UInt64(bitPattern: value.payload)))
        case LUAROUTE_STRING:
            let start = buffer.flat.pointee.bytes.map { UnsafeRawPointer($0 + Int(value.payload)) }
            return .string(UnsafeRawBufferPointer(start: start, count: Int(value.length)))
        case LUAROUTE_TABLE:
            return .table(list: Int(value.length), entries: Int(value.payload))
        case LUAROUTE_FUNCTION:
            defer { nextFunction += 1 }
            return .function(buffer.functions.pointee[nextFunction])
        case LUAROUTE_OBJECT:
            return .object(ObjectType(index: value.length), value.payload)
        case LUAROUTE_FROZEN:
            // The table follows its message.
            position += 1
            return next()
        default: return .nil
        }
    }
}

extension FlatBuffer {
    /// The end of the value at a record, including the contents of a table.
    func end(of start: Int) -> Int {
        let count = flat.pointee.count
        var position = start
        var rest = 1
        while rest > 0, position < count {
            let value = flat.pointee.values[position]
            position += 1
            switch Int(value.tag) {
            case LUAROUTE_FROZEN: position += 1
            case LUAROUTE_TABLE:
                // A table cannot have more than there is, whatever it was announced with.
                rest += min(Int(value.length) + 2 * min(Int(value.payload), count), count) - 1
            default: rest -= 1
            }
        }
        return min(position, count)
    }
}
