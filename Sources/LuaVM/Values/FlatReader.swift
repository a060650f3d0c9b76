// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A step in the traversal of values that were transferred from a script.
public enum FlatItem {
    /// Nil.
    case `nil`
    /// A Boolean.
    case boolean(Bool)
    /// An integer.
    case integer(Int64)
    /// A number.
    case number(Double)
    /// The bytes of a string.
    ///
    /// The bytes are valid as long as the reader exists.
    case string(UnsafeRawBufferPointer)
    /// A table.
    ///
    /// The values of its list follow, then its keys, each followed by its value.
    case table(list: Int, entries: Int)
    /// A function.
    case function(LuaFunction)
    /// A host object.
    case object(ObjectType, Int64)
}

/// A reader of values that were transferred from a script.
///
/// The reader traverses the tree of values in pre-order. The values are a copy, which scripts
/// cannot change. Lists have no gaps. The other keys are sorted: first integers, then strings by
/// their bytes.
public struct FlatReader {
    let buffer: FlatBuffer
    /// Whether the values come from a script.
    ///
    /// If so, the keys of each table are sorted and unique.
    package let isOfScript: Bool
    private var position = 0
    private var nextFunction = 0

    init(_ buffer: FlatBuffer) {
        self.buffer = buffer
        isOfScript = true
    }

    /// Creates a reader of the values that a closure writes.
    ///
    /// No state is needed.
    ///
    /// - Throws: An error of the kind `conversion` for a value that cannot be written.
    public init(_ write: (inout FlatWriter) -> Void) throws(ScriptError) {
        buffer = FlatBuffer()
        isOfScript = false
        var writer = FlatWriter(buffer)
        write(&writer)
        if let failure = buffer.failure.pointee { throw failure }
    }

    /// Skips the next value, including the contents of a table, and returns the position of the
    /// value; nil after the last value.
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

    /// Returns the next item, and advances to the following one; nil after the last item.
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
            // The table follows the message.
            position += 1
            return next()
        default: return .nil
        }
    }
}

extension FlatBuffer {
    /// Returns the position after the value that begins at a record, including the contents of a
    /// table.
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
                // The declared sizes of a table may be larger than the number of records.
                rest += min(Int(value.length) + 2 * min(Int(value.payload), count), count) - 1
            default: rest -= 1
            }
        }
        return min(position, count)
    }
}
