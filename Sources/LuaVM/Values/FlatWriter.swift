// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A flat tree of values, and the functions in it.
final class FlatBuffer {
    // Stored behind pointers, because the many small accesses then need no exclusivity checks.
    let flat: UnsafeMutablePointer<LuaRouteFlat>
    let functions: UnsafeMutablePointer<[LuaFunction]>
    /// The error about the first value that cannot be written.
    ///
    /// The error is thrown when the tree is used.
    let failure: UnsafeMutablePointer<ScriptError?>

    init() {
        flat = .allocate(capacity: 1)
        flat.initialize(to: LuaRouteFlat())
        functions = .allocate(capacity: 1)
        functions.initialize(to: [])
        failure = .allocate(capacity: 1)
        failure.initialize(to: nil)
    }

    deinit {
        luaroute_flat_free(flat)
        flat.deallocate()
        functions.deinitialize(count: 1)
        functions.deallocate()
        failure.deinitialize(count: 1)
        failure.deallocate()
    }

    func clear() {
        flat.pointee.count = 0
        flat.pointee.length = 0
        flat.pointee.functions = 0
        if !functions.pointee.isEmpty { functions.pointee.removeAll(keepingCapacity: true) }
        if failure.pointee != nil { failure.pointee = nil }
    }

    /// Takes ownership of the slots that were created when values were flattened.
    func adopt(for state: LuaState) {
        guard flat.pointee.functions > 0 else { return }
        for position in 0..<flat.pointee.count {
            let value = flat.pointee.values[position]
            guard value.tag == LUAROUTE_FUNCTION else { continue }
            functions.pointee.append(state.function(inSlot: value.payload))
        }
    }
}

/// A writer of values for a script: arguments, results and the contents of tables.
///
/// A table begins with its sizes, and exactly that number of values must follow: first the list,
/// then each key with its value. Nested tables are written in the same way. If a key is repeated,
/// the last value is used. A nil in the list is a gap. Writing itself does not fail. Instead, the
/// operation that uses the values fails if a value cannot be written, or if a table has fewer
/// values than its sizes declare.
public struct FlatWriter: ~Copyable {
    // The creator of the writer retains the buffer.
    private unowned(unsafe) let buffer: FlatBuffer
    private let flat: UnsafeMutablePointer<LuaRouteFlat>

    init(_ buffer: FlatBuffer) {
        self.buffer = buffer
        flat = buffer.flat
    }

    /// Writes nil.
    public mutating func writeNil() {
        append(LUAROUTE_NIL, length: 0, payload: 0)
    }

    /// Writes a Boolean.
    public mutating func write(_ value: Bool) {
        append(LUAROUTE_BOOLEAN, length: 0, payload: value ? 1 : 0)
    }

    /// Writes an integer.
    public mutating func write(_ value: Int64) {
        append(LUAROUTE_INTEGER, length: 0, payload: value)
    }

    /// Writes a number.
    public mutating func write(_ value: Double) {
        append(LUAROUTE_NUMBER, length: 0, payload: Int64(bitPattern: value.bitPattern))
    }

    /// Writes a byte string, which must be shorter than 4 GiB.
    public mutating func write(bytes: UnsafeRawBufferPointer) {
        append(bytes)
    }

    /// Writes a string.
    public mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    // Inlined, because most transferred values are short strings.
    @inline(__always)
    private func append(_ bytes: UnsafeRawBufferPointer) {
        guard let count = UInt32(exactly: bytes.count) else {
            fail("a string with too many bytes cannot be passed between scripts and host")
            append(LUAROUTE_NIL, length: 0, payload: 0)
            return
        }
        let offset = flat.pointee.length
        if flat.pointee.byteCapacity - offset < bytes.count {
            luaroute_flat_grow_bytes(flat, bytes.count)
        }
        if let start = bytes.baseAddress, let target = flat.pointee.bytes {
            UnsafeMutableRawPointer(target + offset).copyMemory(
                from: start,
                byteCount: bytes.count
            )
        }
        flat.pointee.length = offset + bytes.count
        append(LUAROUTE_STRING, length: count, payload: Int64(offset))
    }

    /// Writes a function.
    ///
    /// If the function belongs to another state, the operation that uses the values fails.
    public mutating func write(_ function: LuaFunction) {
        buffer.functions.pointee.append(function)
        append(LUAROUTE_FUNCTION, length: 0, payload: function.slot.index)
    }

    /// Writes a host object.
    public mutating func write(_ type: ObjectType, _ identifier: Int64) {
        append(LUAROUTE_OBJECT, length: type.index, payload: identifier)
    }

    /// Begins a table.
    ///
    /// - Parameters:
    ///   - list: The number of values that follow for the positions 1, 2, and so on.
    ///   - entries: The number of key–value pairs that follow the list.
    ///   - frozen: The error message if a script writes to the table, or to a table within it; nil
    ///     if scripts may change the table.
    public mutating func beginTable(list: Int, entries: Int, frozen: String? = nil) {
        if let frozen {
            append(LUAROUTE_FROZEN, length: 0, payload: 0)
            write(frozen)
        }
        guard let list = UInt32(exactly: list), entries >= 0 else {
            fail(
                "a table of \(list) values and \(entries) keys cannot be passed between scripts and host"
            )
            writeNil()
            return
        }
        append(LUAROUTE_TABLE, length: list, payload: Int64(entries))
    }

    /// Makes the operation that uses the values fail with an error.
    ///
    /// Only the first error is kept.
    func fail(_ error: ScriptError) {
        if buffer.failure.pointee == nil { buffer.failure.pointee = error }
    }

    private func fail(_ message: String) {
        fail(ScriptError(kind: .conversion, message: message))
    }

    @inline(__always)
    private func append(_ tag: Int, length: UInt32, payload: Int64) {
        if flat.pointee.count == flat.pointee.capacity { luaroute_flat_grow_values(flat) }
        flat.pointee.values[flat.pointee.count] =
            LuaRouteValue(tag: UInt32(tag), length: length, payload: payload)
        flat.pointee.count += 1
    }
}

extension LuaState {
    /// Throws an error if a value could not be written, or if a function belongs to another state.
    @inline(__always)
    func check(_ buffer: FlatBuffer) throws(ScriptError) {
        if let failure = buffer.failure.pointee { throw failure }
        for function in buffer.functions.pointee { try check(function.slot.released) }
    }
}
