// SPDX-License-Identifier: MIT

import LuaVM

/// A script with functions for coroutines.
///
/// `wait` makes its coroutine wait, and `probe` returns whether it could wait. `start`, `go` and
/// `stop` begin, resume and cancel a coroutine by name.
final class Waiting {
    let script: Script
    /// The coroutines that wait, by the names that were passed to `start`.
    var threads: [String: LuaThread] = [:]
    var notes: [String] = []

    var state: LuaState { script.state }

    init(_ configuration: LuaState.Configuration = .patient) throws {
        script = try Script(configuration)
        try script.define("wait") { frame in frame.wait() }
        try script.define("probe") { frame in frame.returnBoolean(frame.canWait) }
        try script.define("note") { [unowned self] frame in
            notes.append(frame.string(at: 0) ?? "")
        }
        try script.define("start") { [unowned self] frame in
            guard let function = frame.function(at: 1) else { return }
            let name = frame.string(at: 0) ?? ""
            Self.answer(keep(try frame.state.begin(function, results: 1), as: name), &frame)
        }
        try script.define("go") { [unowned self] frame in
            let name = frame.string(at: 0) ?? ""
            guard let thread = threads[name] else { return }
            let value = frame.integer(at: 1) ?? 0
            let progress = try frame.state.resume(thread, results: 1) { $0.write(value) }
            Self.answer(keep(progress, as: name), &frame)
        }
        try script.define("stop") { [unowned self] frame in
            if let thread = threads[frame.string(at: 0) ?? ""] { frame.state.cancel(thread) }
        }
        // A plain entry, within whatever called it.
        try script.define("enter") { frame in
            guard let function = frame.function(at: 0) else { return }
            Self.answer(Self.text(try frame.state.call(function, results: 1)), &frame)
        }
    }

    /// Begins a coroutine that runs a chunk.
    func begin(_ chunk: String, results: Int = 1) throws -> LuaThread.Progress {
        let function = try state.load(chunk, chunkName: "test.lua", environment: script.environment)
        return try state.begin(function, results: results)
    }

    /// Begins a coroutine that runs a chunk, which must wait.
    func thread(_ chunk: String) throws -> LuaThread {
        guard case .waits(let thread) = try begin(chunk) else { throw NoWait() }
        return thread
    }

    /// Resumes a coroutine with integers, and returns the text of its results, or "waits".
    func resume(
        _ thread: LuaThread,
        _ values: Int64...,
        results: Int = 1
    ) throws -> String {
        let progress = try state.resume(thread, results: results) { writer in
            for value in values { writer.write(value) }
        }
        return Self.text(progress)
    }

    /// Returns the error with which a chunk ends if it runs in a coroutine that is resumed at each
    /// wait.
    func error(_ chunk: String) -> ScriptError? {
        do {
            var progress = try begin(chunk)
            while case .waits(let thread) = progress { progress = try state.resume(thread) }
            return nil
        } catch {
            return error as? ScriptError
        }
    }

    /// Returns the text of the results, or "waits".
    static func text(_ progress: LuaThread.Progress) -> String {
        guard case .returned(let reader) = progress else { return "waits" }
        return text(reader)
    }

    private func keep(_ progress: LuaThread.Progress, as name: String) -> String {
        threads[name] = nil
        if case .waits(let thread) = progress { threads[name] = thread }
        return Self.text(progress)
    }

    private static func text(_ reader: FlatReader) -> String {
        var reader = reader
        var texts: [String] = []
        while let item = reader.next() { texts.append(Script.text(item, &reader)) }
        return texts.joined(separator: " ")
    }

    private static func answer(_ text: String, _ frame: inout CallFrame) {
        frame.returnString(text)
    }

    struct NoWait: Error {}
}
