// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A chunk of the host that is compiled once and can be used in several states.
public final class CompiledChunk: Sendable {
    // Written only by the initializer.
    nonisolated(unsafe) let bytes: LuaRouteChunkBytes

    /// Compiles a chunk.
    ///
    /// - Parameters:
    ///   - source: The text of the chunk. Traps if the text has a syntax error.
    ///   - chunkName: See ``LuaState/load(_:chunkName:environment:)``.
    public init(_ source: [UInt8], chunkName: String) {
        bytes = luaroute_compile(source, source.count, chunkName)
        precondition(bytes.count > 0, "the chunk '\(chunkName)' has a syntax error")
    }

    deinit { luaroute_free_compiled(bytes) }
}

extension LuaState {
    /// Compiles the text of a chunk without running it.
    ///
    /// The cost is charged to the running entry. If no entry is running, the load budget applies.
    ///
    /// - Parameters:
    ///   - source: The text, of at most 256 KiB. Compiled chunks are rejected.
    ///   - chunkName: The name for messages: a path. A name that begins with `=` marks a chunk of
    ///     the host. Messages leave out the lines of such a chunk.
    ///   - environment: The globals of the chunk.
    /// - Returns: The function that runs the chunk.
    /// - Throws: An error of the kind `syntax`, with chunk and line, or the error of an exceeded
    ///   budget.
    public func load(
        _ source: UnsafeRawBufferPointer,
        chunkName: String,
        environment: LuaEnvironment
    ) throws(ScriptError) -> LuaFunction {
        try load(into: environment) { index in
            luaroute_load(
                context,
                loadBudget,
                source.baseAddress?.assumingMemoryBound(to: UInt8.self),
                source.count,
                chunkName,
                environment.slot.index,
                &index
            )
        }
    }

    /// Returns the function for a chunk that the given closure loads.
    private func load(
        into environment: LuaEnvironment,
        _ load: (_ index: inout LuaRouteSlot) -> Int32
    ) throws(ScriptError) -> LuaFunction {
        prepare()
        try check(environment.slot.released)
        var index: LuaRouteSlot = 0
        let status = load(&index)
        guard status == LUAROUTE_OK else { throw failure(status) }
        return function(inSlot: index)
    }

    /// Compiles the text of a chunk without running it.
    ///
    /// - Throws: An error of the kind `syntax`, with chunk and line, or the error of an exceeded
    ///   budget.
    public func load(
        _ source: [UInt8],
        chunkName: String,
        environment: LuaEnvironment
    ) throws(ScriptError) -> LuaFunction {
        try source.withUnsafeBufferPointer { bytes throws(ScriptError) in
            let bytes = UnsafeRawBufferPointer(bytes)
            return try load(bytes, chunkName: chunkName, environment: environment)
        }
    }

    /// Compiles the text of a chunk without running it.
    ///
    /// - Throws: An error of the kind `syntax`, with chunk and line, or the error of an exceeded
    ///   budget.
    public func load(
        _ source: String,
        chunkName: String,
        environment: LuaEnvironment
    ) throws(ScriptError) -> LuaFunction {
        try load(Array(source.utf8), chunkName: chunkName, environment: environment)
    }

    /// Loads a compiled chunk without running it.
    ///
    /// - Parameters:
    ///   - chunk: A compiled chunk of the host.
    ///   - environment: The globals of the chunk.
    /// - Returns: The function that runs the chunk.
    /// - Throws: An error of the kind `memory`.
    public func load(
        _ chunk: CompiledChunk,
        environment: LuaEnvironment
    ) throws(ScriptError) -> LuaFunction {
        try load(into: environment) { index in
            luaroute_load_compiled(
                context,
                loadBudget,
                chunk.bytes,
                environment.slot.index,
                &index
            )
        }
    }

    /// Runs a chunk with the load budget, and ignores its results.
    ///
    /// - Throws: The error that ended the chunk.
    public func run(_ chunk: LuaFunction) throws(ScriptError) {
        try enter(chunk, budget: loadBudget)
    }

    /// Runs a chunk with the load budget, and returns the given number of its results.
    ///
    /// - Throws: The error that ended the chunk, or an error of the kind `conversion`.
    public func run(_ chunk: LuaFunction, results: Int) throws(ScriptError) -> FlatReader {
        try enter(chunk, results: results, budget: loadBudget) { _ in }
    }
}
