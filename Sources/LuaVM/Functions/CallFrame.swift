// SPDX-License-Identifier: MIT

internal import CLuaRoute
internal import SystemGaps

/// The arguments and results of a call to a host function.
///
/// Positions begin at 0. A frame is valid only while its function is running.
public struct CallFrame: ~Copyable {
    // The box and its state are alive while the function is running.
    unowned(unsafe) private let box: FunctionBox
    private let member: Int32
    let thread: OpaquePointer
    var results: Int32 = 0
    var isKept = false
    var isWaiting = false
    /// The number of arguments.
    public let count: Int

    init(box: FunctionBox, member: Int32, thread: OpaquePointer) {
        self.box = box
        self.member = member
        self.thread = thread
        count = Int(luaroute_gettop(thread))
    }

    /// The state that calls the function.
    ///
    /// Use this state for entries within the call.
    public var state: LuaState { box.state }

    /// Whether the call may wait.
    ///
    /// True if the call runs in a coroutine that the host began, and is reached only through script
    /// code and `pcall`.
    ///
    /// False in a coroutine that a script created; in a call to
    /// ``LuaState/call(_:results:arguments:)``, even within a coroutine; and in a function that is
    /// called by a library function, such as a comparator of `table.sort`, a replacement of
    /// `string.gsub` or the `__tostring` of an argument.
    public var canWait: Bool { luaroute_can_wait(thread) != 0 }

    /// Makes the coroutine wait after the closure has returned.
    ///
    /// Results that were already added are dropped: the values that are passed to
    /// ``LuaState/resume(_:results:values:)`` become the results of the call. If the call cannot
    /// wait, an error is raised in the script; check ``canWait`` first. An error that the closure
    /// throws takes precedence.
    public mutating func wait() {
        isWaiting = true
    }

    /// Returns the kind of an argument; `none` if there are fewer arguments.
    public func kind(at position: Int) -> ValueKind {
        guard position < count else { return .none }
        let index = Int32(position + 1)
        switch luaroute_type(thread, index) {
        case 0: return .nil
        case 1: return .boolean
        case 3: return luaroute_isinteger(thread, index) != 0 ? .integer : .number
        case 4: return .string
        case 5: return .table
        case 6: return .function
        case 7: return .object
        default: return .other
        }
    }

    /// Returns a Boolean argument; nil if the argument is not a Boolean.
    public func boolean(at position: Int) -> Bool? {
        guard type(at: position) == 1 else { return nil }
        return luaroute_toboolean(thread, Int32(position + 1)) != 0
    }

    /// Returns an integer argument, or a floating-point argument with an integer value; nil for any
    /// other argument.
    ///
    /// Strings are not converted.
    public func integer(at position: Int) -> Int64? {
        guard type(at: position) == 3 else { return nil }
        var isInteger: Int32 = 0
        let value = luaroute_tointegerx(thread, Int32(position + 1), &isInteger)
        return isInteger != 0 ? value : nil
    }

    /// Returns an integer or floating-point argument; nil if the argument is not a number.
    ///
    /// Strings are not converted.
    public func number(at position: Int) -> Double? {
        guard type(at: position) == 3 else { return nil }
        return luaroute_tonumberx(thread, Int32(position + 1), nil)
    }

    /// Calls the given closure with the bytes of a string argument.
    ///
    /// The closure must not keep the buffer.
    ///
    /// - Returns: The result of the closure; nil if the argument is not a string.
    public func withBytes<Result, Failure: Error>(
        at position: Int,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard position < count else { return nil }
        var length = 0
        guard let bytes = luaroute_string(thread, Int32(position + 1), &length) else { return nil }
        return try body(UnsafeRawBufferPointer(start: bytes, count: length))
    }

    /// Returns a string argument; nil if the argument is not a string.
    ///
    /// If the string is not valid UTF-8, invalid bytes are replaced with U+FFFD, and only the first
    /// 1,024 bytes are returned, followed by U+FFFD if there are more. Converting the complete
    /// string could take longer than a script may run.
    public func string(at position: Int) -> String? {
        withBytes(at: position) { bytes in
            if let text = String(valid: bytes) { return text }
            let start = String(decoding: bytes.prefix(1_024), as: UTF8.self)
            return bytes.count > 1_024 ? start + "\u{FFFD}" : start
        }
    }

    /// Returns a host object; nil if the argument is not a host object.
    public func object(at position: Int) -> (type: ObjectType, identifier: Int64)? {
        guard position < count else { return nil }
        var type: UInt32 = 0
        var identifier: Int64 = 0
        guard luaroute_object(thread, Int32(position + 1), &type, &identifier) != 0 else {
            return nil
        }
        return (ObjectType(index: type), identifier)
    }

    /// Returns a handle that keeps a function argument alive; nil if the argument is not a
    /// function.
    public func function(at position: Int) -> LuaFunction? {
        guard kind(at: position) == .function else { return nil }
        return handle(at: position)
    }

    /// Returns a handle that keeps an argument alive.
    ///
    /// The argument must exist.
    func handle(at position: Int) -> LuaFunction {
        let index = luaroute_slot_take(state.context, thread, Int32(position + 1))
        return state.function(inSlot: index)
    }

    /// Copies an argument of any kind.
    ///
    /// A table is copied with its contents.
    ///
    /// - Throws: An error of the kind `conversion` with the path of a value that cannot be
    ///   transferred.
    public func read(at position: Int) throws(ScriptError) -> FlatReader {
        let buffer = state.takeReadBuffer()
        guard position < count else {
            var writer = FlatWriter(buffer)
            writer.writeNil()
            return FlatReader(buffer)
        }
        let status = luaroute_flatten(
            state.context,
            thread,
            Int32(position + 1),
            buffer.flat
        )
        guard status == LUAROUTE_OK else { throw state.failure(status) }
        buffer.adopt(for: state)
        return FlatReader(buffer)
    }

    /// Copies all arguments, beginning at the given position.
    ///
    /// - Throws: An error of the kind `conversion` with the path of a value that cannot be
    ///   transferred.
    package func readAll(from position: Int) throws(ScriptError) -> FlatRecords {
        let buffer = state.takeReadBuffer()
        let status = luaroute_flatten_arguments(
            state.context,
            thread,
            Int32(position + 1),
            buffer.flat
        )
        guard status == LUAROUTE_OK else { throw state.failure(status) }
        return FlatRecords(buffer, of: state)
    }

    /// Returns the string keys of a table, sorted by their bytes.
    public func stringKeys(at position: Int) -> [String] {
        guard position < count else { return [] }
        let buffer = state.takeReadBuffer()
        luaroute_keys(state.context, thread, Int32(position + 1), buffer.flat)
        var reader = FlatReader(buffer)
        var keys: [String] = []
        while case .string(let bytes)? = reader.next() {
            keys.append(String(decoding: bytes, as: UTF8.self))
        }
        return keys
    }

    /// Returns the script line that called the function, or the line of one of the callers.
    ///
    /// - Parameter level: 1 for the line of the call; 2 for the line that called the calling
    ///   function; 0 for the line at the top level of the running file that led to the call, or the
    ///   line of the call if there is none within 64 levels.
    /// - Returns: The location; nil if there is no script line.
    public func location(level: Int = 1) -> (chunk: String, line: Int)? {
        var chunk: UnsafePointer<CChar>?
        var length = 0
        var line: Int32 = 0
        guard
            luaroute_location(state.context, thread, Int32(level), &chunk, &length, &line) != 0
        else { return nil }
        return (state.text(chunk, length), Int(line))
    }

    /// Returns the error about an argument that is not of the expected kind.
    public func mismatch(at position: Int, _ expected: String) -> ArgumentMismatch {
        ArgumentMismatch(
            function: box.name(of: member),
            position: position,
            expected: expected,
            actual: kind(at: position)
        )
    }

    private func type(at position: Int) -> Int32 {
        position < count ? luaroute_type(thread, Int32(position + 1)) : -1
    }
}

/// An error about an argument that is not of the expected kind.
public struct ArgumentMismatch: ScriptMessage {
    /// The name of the function.
    public var function: String
    /// The position of the argument, starting at 0.
    public var position: Int
    /// The expected type.
    public var expected: String
    /// The type of the argument.
    public var actual: ValueKind

    /// The message, worded like the errors of Lua's own functions.
    public var scriptMessage: String {
        "bad argument #\(position + 1) to '\(function)' (\(expected) expected, got \(actual.rawValue))"
    }
}
