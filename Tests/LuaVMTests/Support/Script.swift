// SPDX-License-Identifier: MIT

import LuaVM

/// A state with one environment, for tests.
final class Script {
    let state: LuaState
    let environment: LuaEnvironment

    init(strict: Bool = false, _ configuration: LuaState.Configuration = .patient) throws {
        state = try LuaState(configuration)
        environment = try state.makeEnvironment(strict: strict) { name, defined in
            defined.contains(name.lowercased()) ? ", did you mean '\(name.lowercased())'?" : ""
        }
    }

    /// Sets a global to a host function.
    func define(_ name: String, _ body: @escaping (inout CallFrame) throws -> Void) throws {
        try state.setGlobal(name, in: environment, to: state.makeFunction(name: name, body))
    }

    /// Compiles and runs a chunk, and returns a reader of its results.
    func run(_ text: String, results: Int = 1) throws -> FlatReader {
        let chunk = try state.load(text, chunkName: "test.lua", environment: environment)
        return try state.run(chunk, results: results)
    }

    /// Returns the results of a chunk as text, such as `{1, "a", x = true}`.
    func text(_ chunk: String, results: Int = 1) throws -> String {
        var reader = try run(chunk, results: results)
        var texts: [String] = []
        while let item = reader.next() { texts.append(Self.text(item, &reader)) }
        return texts.joined(separator: " ")
    }

    /// Returns the function that a chunk returns.
    func function(_ chunk: String) throws -> LuaFunction {
        var reader = try run(chunk)
        guard case .function(let function)? = reader.next() else { throw NoFunction() }
        return function
    }

    /// Returns the error with which a chunk ends; nil if it succeeds.
    func error(_ chunk: String) -> ScriptError? {
        do {
            _ = try run(chunk)
            return nil
        } catch {
            return error as? ScriptError
        }
    }

    static func text(_ item: FlatItem, _ reader: inout FlatReader) -> String {
        switch item {
        case .nil: return "nil"
        case .boolean(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .string(let bytes): return "\"\(String(decoding: bytes, as: UTF8.self))\""
        case .function: return "function"
        case .object(_, let identifier): return "object \(identifier)"
        case .table(let list, let entries):
            var parts: [String] = []
            for _ in 0..<list { parts.append(next(&reader)) }
            for _ in 0..<entries { parts.append("\(next(&reader)) = \(next(&reader))") }
            return "{\(parts.joined(separator: ", "))}"
        }
    }

    private static func next(_ reader: inout FlatReader) -> String {
        guard let item = reader.next() else { return "missing" }
        return text(item, &reader)
    }

    struct NoFunction: Error {}
}

extension LuaState.Configuration {
    /// The default configuration, with enough time for a busy machine.
    static var patient: LuaState.Configuration {
        var configuration = LuaState.Configuration()
        configuration.budget.duration = .seconds(10)
        configuration.loadBudget.duration = .seconds(10)
        return configuration
    }
}
