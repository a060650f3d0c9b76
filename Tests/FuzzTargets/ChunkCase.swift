// SPDX-License-Identifier: MIT

internal import CLuaProbes
internal import LuaVM

/// A chunk that is loaded and run, both in a call and in a coroutine that may wait.
struct ChunkCase {
    private let source: [UInt8]

    init(_ bytes: [UInt8]) { source = bytes }

    func faults() -> [String] {
        var faults: [String] = []
        if Int(lexer_probe(source, source.count)) == LEXER_DIFFERS {
            faults.append("its tokens are not those of Lua")
        }
        weak var state: LuaState?
        do {
            let run = try ChunkRun()
            state = run.state
            try run.run(source)
            faults = run.faults
        } catch {
            faults.append("what does not depend on the chunk fails: \(error)")
        }
        if state != nil { faults.append("the state leaks") }
        return faults
    }
}

extension LuaState.Configuration {
    /// Budgets that end a chunk soon, and that depend only on the chunk's own work.
    static var small: LuaState.Configuration {
        var configuration = LuaState.Configuration()
        configuration.budget = Budget(
            instructions: 20_000,
            duration: .seconds(86_400),
            bytes: 1 << 20
        )
        // A chunk may be long: compiling it is charged as well.
        configuration.loadBudget = Budget(
            instructions: 400_000,
            duration: .seconds(86_400),
            bytes: 16 << 20
        )
        return configuration
    }
}

private final class ChunkRun {
    let state: LuaState
    private(set) var faults: [String] = []
    private let known: LuaEnvironment
    private let type: ObjectType

    init() throws(ScriptError) {
        state = try LuaState(.small)
        known = try state.makeEnvironment(strict: true)
        type = try state.defineType(
            name: "Thing",
            index: { frame in
                switch frame.integer(at: 1) {
                case 1?: frame.returnBoolean(true)
                case 2?: frame.returnNumber(0.5)
                case let key?: frame.returnInteger(key)
                case nil: frame.returnString(frame.string(at: 1) ?? "?")
                }
                frame.keepResult()
            },
            newIndex: { frame in _ = try frame.read(at: 2) },
            description: { frame in
                frame.returnString("thing \(frame.object(at: 0)?.identifier ?? 0)")
            }
        )
    }

    func run(_ source: [UInt8]) throws {
        try use()
        state.collectGarbage()
        let before = Counts(of: state)
        let memory = state.memoryUsed
        try enter(source)
        try use()
        // Objects that one collection releases are found by the next one.
        state.collectGarbage()
        state.collectGarbage()
        let after = Counts(of: state)
        if after != before { faults.append("what is left is \(after), not \(before)") }
        // The state keeps room for as many strings and handles as there were at once.
        if state.memoryUsed > memory + 64 * 1024 {
            faults.append("the chunk leaves \(state.memoryUsed - memory) bytes behind")
        }
    }

    /// The numbers of objects that a state keeps alive.
    private struct Counts: Equatable {
        let handles, boxes, objects, threads: Int

        init(of state: LuaState) {
            handles = state.liveHandles
            boxes = state.liveBoxes
            objects = state.liveObjects
            threads = state.liveThreads
        }
    }

    private func use() throws(ScriptError) {
        let chunk = try state.load("return 1 + 1", chunkName: "known.lua", environment: known)
        var reader = try state.run(chunk, results: 1)
        guard case .integer(2)? = reader.next() else {
            faults.append("a chunk that is known to work does not")
            return
        }
    }

    private func enter(_ source: [UInt8]) throws(ScriptError) {
        for isStrict in [false, true] {
            let environment = try state.makeEnvironment(strict: isStrict)
            try define(in: environment)
            do throws(ScriptError) {
                let chunk = try state.load(source, chunkName: "a.lua", environment: environment)
                if isStrict { try wait(in: chunk) } else { try call(chunk) }
            } catch {
                check(error)
            }
        }
    }

    /// Defines the functions of the Lua bridge for a chunk.
    private func define(in environment: LuaEnvironment) throws(ScriptError) {
        let same = try state.makeFunction(name: "same") { frame in
            for position in 0..<min(frame.count, 4) {
                let reader = try frame.read(at: position)
                try frame.returnValues { writer in FlatCopy.copy(reader, to: &writer) }
            }
        }
        let call = try state.makeFunction(name: "call") { frame in
            guard let function = frame.function(at: 0) else { return }
            let reader = try frame.read(at: 1)
            let results = try frame.state.call(function, results: 1) { writer in
                FlatCopy.copy(reader, to: &writer)
            }
            try frame.returnValues { writer in FlatCopy.copy(results, to: &writer) }
        }
        let wait = try state.makeFunction(name: "wait") { frame in
            if frame.canWait { frame.wait() }
        }
        for (name, function) in [("same", same), ("call", call), ("wait", wait)] {
            try state.setGlobal(name, in: environment, to: function)
        }
        try state.setGlobal("thing", in: environment) { $0.write(type, 7) }
        try state.setGlobal("frozen", in: environment) { writer in
            writer.beginTable(list: 1, entries: 1, frozen: "frozen")
            writer.write("a")
            writer.write("b")
            writer.beginTable(list: 0, entries: 0)
        }
    }

    private func call(_ chunk: LuaFunction) throws(ScriptError) {
        var results = try state.run(chunk, results: 3)
        var functions: [LuaFunction] = []
        while let item = results.next() {
            if case .function(let function) = item { functions.append(function) }
        }
        for function in functions.prefix(3) { try state.call(function) { $0.write("x") } }
    }

    private func wait(in chunk: LuaFunction) throws(ScriptError) {
        var progress = try state.begin(chunk, results: 1)
        for _ in 0..<3 {
            guard case .waits(let thread) = progress else { return }
            progress = try state.resume(thread, results: 1) { $0.write(Int64(1)) }
        }
        if case .waits(let thread) = progress { state.cancel(thread) }
    }

    private func check(_ error: ScriptError) {
        if error.message.utf8.count > 4096 { faults.append("a message of more than 4 KiB") }
        if error.kind == .syntax, error.chunk != "a.lua" || (error.line ?? 0) < 1 {
            faults.append("an error of syntax has no place: \(error)")
        }
        if error.kind == .deadline || error.kind == .cancelled || error.kind == .ended {
            faults.append("nobody asked for the end '\(error.kind)'")
        }
        let lines = error.traceback.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 24 { faults.append("a traceback of \(lines.count) lines") }
    }
}
