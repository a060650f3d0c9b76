// SPDX-License-Identifier: MIT

import LuaVM

/// A state with one chunk, for tests.
final class Script {
    let state: LuaState
    let environment: LuaEnvironment
    private let source: String

    init(
        _ source: String = "",
        strict: Bool = false,
        _ configuration: LuaState.Configuration = .init()
    ) throws {
        state = try LuaState(configuration)
        environment = try state.makeEnvironment(strict: strict)
        self.source = source
    }

    /// Sets a global to a host function.
    func define(_ name: String, _ body: @escaping (inout CallFrame) throws -> Void) throws {
        try state.setGlobal(name, in: environment, to: state.makeFunction(name: name, body))
    }

    /// Compiles and runs a chunk for its results.
    func run(_ text: String, results: Int = 1) throws -> FlatReader {
        let chunk = try state.load(text, chunkName: "test.lua", environment: environment)
        return try state.run(chunk, results: results)
    }

    /// The function that the chunk returns.
    func function() throws -> LuaFunction {
        var reader = try run(source)
        guard case .function(let function)? = reader.next() else { throw NoFunction() }
        return function
    }

    struct NoFunction: Error {}
}
