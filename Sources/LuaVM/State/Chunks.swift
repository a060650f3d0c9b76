// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A chunk of the host, compiled once for any number of states.
public final class CompiledChunk: Sendable {
    // Written before anybody else sees it, and never again.
    nonisolated(unsafe) let bytes: LuaRouteChunkBytes

    /// Compiles a chunk.
    ///
    /// - Parameters:
    ///   - source: The text of the chunk, which must have no syntax error.
    ///   - chunkName: See ``LuaState/load(_:chunkName:environment:)``.
    public init(_ source: [UInt8], chunkName: String) {
        bytes = luaroute_compile(source, source.count, chunkName)
        precondition(bytes.count > 0, "'\(chunkName)' cannot be compiled")
    }

    deinit { luaroute_free_compiled(bytes) }
}

extension LuaState {
    /// Compiles the text of a chunk without running it.
    ///
    /// Compiling is charged to the running entry, or to a separate load budget.
    ///
    /// - Parameters:
    ///   - source: At most 256 KiB of text; compiled chunks are refused.
    ///   - chunkName: The name in messages, a path; a name that begins with `=` marks a chunk of
    ///     the host, whose lines messages omit.
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

    /// Returns the function of a chunk that a closure loads.
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
    ///   - chunk: A chunk of the host's own.
    ///   - environment: Its globals.
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

    /// Runs a chunk under the budget of loading and drops its results.
    ///
    /// - Throws: The error that ended the chunk.
    public func run(_ chunk: LuaFunction) throws(ScriptError) {
        try enter(chunk, budget: loadBudget)
    }

    /// Runs a chunk under the budget of loading, for its first results.
    ///
    /// - Throws: The error that ended it, or an error of the kind `conversion`.
    public func run(_ chunk: LuaFunction, results: Int) throws(ScriptError) -> FlatReader {
        try enter(chunk, results: results, budget: loadBudget) { _ in }
    }
}
