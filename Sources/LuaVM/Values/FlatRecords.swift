// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// The arguments of a call as records, for a caller that copies all arguments together.
///
/// The record of a table is followed by the values of its list, and then by its sorted keys, each
/// followed by its value. Records are valid until other values are transferred.
package struct FlatRecords: ~Copyable {
    /// A value, or a key of a table.
    package struct Record {
        package let kind: ValueKind
        /// The length of a string in bytes, the number of values in a table's list, or the type of
        /// an object.
        package let length: UInt32
        /// The value itself, the offset of a string's first byte, the number of a table's entries,
        /// the slot of a function, or the identifier of an object.
        package let payload: Int64
    }

    private let buffer: FlatBuffer
    private unowned(unsafe) let state: LuaState
    package let count: Int

    init(_ buffer: FlatBuffer, of state: LuaState) {
        (self.buffer, self.state) = (buffer, state)
        count = buffer.flat.pointee.count
    }

    /// The bytes of all strings.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: buffer.flat.pointee.bytes, count: buffer.flat.pointee.length)
    }

    package subscript(index: Int) -> Record {
        let value = buffer.flat.pointee.values[index]
        let kind: ValueKind =
            switch Int(value.tag) {
            case LUAROUTE_BOOLEAN: .boolean
            case LUAROUTE_INTEGER: .integer
            case LUAROUTE_NUMBER: .number
            case LUAROUTE_STRING: .string
            case LUAROUTE_TABLE: .table
            case LUAROUTE_FUNCTION: .function
            case LUAROUTE_OBJECT: .object
            default: .nil
            }
        return Record(kind: kind, length: value.length, payload: value.payload)
    }

    /// Returns a handle of the function in a record.
    ///
    /// Must be called exactly once for each record that contains a function.
    package func takeFunction(_ record: Record) -> LuaFunction {
        state.function(inSlot: record.payload)
    }

    /// Returns the type of the object in a record.
    package func type(of record: Record) -> ObjectType { ObjectType(index: record.length) }
}
