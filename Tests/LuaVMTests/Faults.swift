// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport

/// All operations of a host on a state, from opening the state to closing it.
///
/// Each operation whose allocation fails must end with an error of the kind `memory`. The
/// operations after it are still performed.
final class Faults {
    /// The outcome of each operation: its results, "memory", or another error.
    private(set) var outcomes: [String] = []
    /// The number of memory allocations.
    private(set) var requests = 0
    private let tracker: LifetimeTracker
    private var released: [Int64: Int] = [:]
    private var threads: [LuaThread] = []

    /// Performs all operations, and closes the state.
    ///
    /// - Parameters:
    ///   - refusal: The allocations that fail, counted from the opening of the state.
    ///   - limit: The number of bytes that may be used in addition to those of an open state; nil
    ///     if there is no limit.
    ///   - tracker: Counts the closures that are alive.
    init(_ refusal: LuaState.Refusal, limit: Int? = nil, _ tracker: LifetimeTracker) {
        self.tracker = tracker
        var configuration = LuaState.Configuration.patient
        configuration.refusal = refusal
        var state: LuaState?
        attempt { state = try LuaState(configuration) }
        guard let state else { return }
        if let limit { state.limitMemory(to: limit) }
        live(in: state)
        requests = state.requests
        state.refuse(.none)
        state.limitMemory(to: .max)
        threads = []
        recover(in: state)
    }

    /// Whether any memory allocation failed.
    var isRefused: Bool { outcomes.contains("memory") }

    private func note(_ body: () throws -> String?) {
        do {
            outcomes.append(try body() ?? "nothing")
        } catch let error as ScriptError {
            outcomes.append(error.kind == .memory ? "memory" : "\(error.kind): \(error)")
        } catch {
            outcomes.append("\(error)")
        }
    }

    private func attempt(_ body: () throws -> Void) {
        note {
            try body()
            return nil
        }
    }

    // MARK: The operations

    private func live(in state: LuaState) {
        var made: (own: LuaEnvironment, vendor: LuaEnvironment, type: ObjectType)?
        attempt {
            made = (
                try state.makeEnvironment(strict: true) { name, defined in
                    " (\(name) of \(defined.count))"
                },
                try state.makeEnvironment(strict: false),
                try defineType(in: state)
            )
        }
        guard let (own, vendor, type) = made else { return }
        for (name, body) in functions(type) {
            attempt {
                let token = tracker.track()
                let function = try state.makeFunction(name: name) { frame in
                    _ = token
                    try body(&frame)
                }
                try state.setGlobal(name, in: own, to: function)
            }
        }
        attempt {
            try state.setGlobal("add", in: own, to: state.makeFunction(name: "add") { $0 &+ $1 })
            try state.setGlobal("freeze", in: vendor, to: state.makeFreezer())
        }
        attempt {
            let token = tracker.track()
            let names = FunctionNames(["one", "two"])
            let table = try state.makeFunctions(names, unknown: { _ in }, { _, _ in _ = token })
            try state.setGlobal("shared", in: vendor) { $0.write(table) }
        }
        note {
            let chunk = CompiledChunk(Array("return #'compiled', 2".utf8), chunkName: "=own")
            let function = try state.load(chunk, environment: own)
            return Self.text(try state.run(function, results: 2))
        }
        attempt {
            try state.setGlobal("settings", in: own) { writer in
                writer.beginTable(list: 2, entries: 1, frozen: "'settings' is read only")
                for text in ["a", "b", "nested"] { writer.write(text) }
                writer.beginTable(list: 1, entries: 0)
                writer.write(type, 1)
            }
        }
        for (number, chunk) in Self.chunks.enumerated() {
            note {
                let function = try state.load(
                    chunk,
                    chunkName: "chunk\(number).lua",
                    environment: own
                )
                return Self.text(try state.run(function, results: 2))
            }
        }
        note {
            let chunk = try state.load(
                "shared.one() return type(undefined), freeze({1, {2}}, 'no')[2][1]",
                chunkName: "vendor/chunk.lua",
                environment: vendor
            )
            return Self.text(try state.run(chunk, results: 2))
        }
        callFunctions(state, own, type)
        wait(state, own)
        note {
            state.forgetMembers(of: type, 1)
            return "\(state.holds(type, 1))"
        }
        state.collectGarbage()
    }

    private func defineType(in state: LuaState) throws -> ObjectType {
        let token = tracker.track()
        return try state.defineType(
            name: "Screen",
            index: { frame in
                _ = token
                frame.returnString(
                    "\(frame.object(at: 0)?.identifier ?? 0)\(frame.string(at: 1) ?? "")"
                )
                frame.keepResult()
            },
            newIndex: { frame in throw frame.mismatch(at: 1, "nothing") },
            description: { frame in frame.returnString("screen") },
            released: { [unowned self] in released[$0, default: 0] += 1 }
        )
    }

    private func functions(
        _ type: ObjectType
    ) -> [(String, (inout CallFrame) throws -> Void)] {
        [
            ("object", { $0.returnObject(type, $0.integer(at: 0) ?? 0) }),
            ("fail", { _ in throw Failure() }),
            ("wait", { $0.wait() }),
            (
                "echo",
                { frame in
                    var reader = try frame.read(at: 0)
                    try frame.returnValues { Self.copy(&reader, to: &$0) }
                }
            ),
            (
                "make",
                { [tracker] frame in
                    let token = tracker.track()
                    try frame.returnFunction(
                        frame.state.makeFunction(name: "made") { frame in
                            _ = token
                            frame.returnString("made")
                        }
                    )
                }
            ),
            (
                "enter",
                { frame in
                    guard let function = frame.function(at: 0) else { return }
                    var reader = try frame.state.call(function, results: 1) { $0.write(Int64(7)) }
                    try frame.returnValues { Self.copy(&reader, to: &$0) }
                }
            ),
            (
                "start",
                { [unowned self] frame in
                    guard let function = frame.function(at: 0) else { return }
                    if case .waits(let thread) = try frame.state.begin(function) {
                        threads.append(thread)
                    }
                }
            ),
        ]
    }

    private struct Failure: Error {}

    private static let chunks = [
        // Values, errors and libraries.
        """
        local t = {}
        for i = 1, 12 do t[i] = {name = 'n' .. i, f = function() return i end} end
        local ok, e = pcall(function() return ('x'):rep(300) .. #t, t.none.none end)
        local same, f = pcall(fail)
        local s = ''
        for k, v in pairs(t) do s = s .. tostring(k) .. v.name end
        table.sort(t, function(a, b) return a.name < b.name end)
        local list = {}
        for i = 1, 40 do table.insert(list, i, ('%d:%s'):format(i, ('ab'):rep(i % 5))) end
        s = s .. table.concat(list, ','):gsub('%d+', function(d) return '<' .. d .. '>' end)
        return s, {ok, e, same, f, select('#', table.unpack(list)), utf8.char(228, 8364)}
        """,
        // Tables and functions from Swift to Lua and back.
        """
        local m = setmetatable({}, {__index = function(_, k) return k end, __add = function() return 1 end})
        local made = make()
        local back = echo({1, {2, f = made, o = object(5)}, [9] = 'x', name = ('y'):rep(200)})
        return made() .. m.key, {back[2].f == made, back[2].o == object(5), settings.nested[1] == object(1)}
        """,
        // Objects, with members that they keep.
        """
        local s = {}
        for i = 1, 6 do
          local o = object(i)
          s[i] = o.name .. o.name .. tostring(o) .. o['member' .. i]
        end
        local ok, e = pcall(function() object(1).name = 2 end)
        local no, frozen = pcall(function() settings.nested[1] = 2 end)
        for i = 1, 60 do local garbage = {object(i % 3), make()} end
        kept = nil
        return table.concat(s), {ok, e, no, frozen}
        """,
        // Entries within entries.
        """
        local function down(n) return n == 0 and {} or {enter(function(x) return down(n - 1) end), x = n} end
        local t, depth = down(6), 0
        while t[1] do t, depth = t[1], depth + 1 end
        local function deep(n) if n == 0 then return 0 end return 1 + deep(n - 1) end
        return depth, {deep(300), pcall(enter, fail), add(2, 3)}
        """,
        "local undefined = 1 return undefinde",
        "return 1 +",
        "error(setmetatable({}, {__tostring = function() return ('z'):rep(90) end}))",
    ]

    private func callFunctions(
        _ state: LuaState,
        _ environment: LuaEnvironment,
        _ type: ObjectType
    ) {
        note {
            let chunk = try state.load(
                "return function(a, t, f, o) t.a, t.f = a, f return t, function() return o end end",
                chunkName: "function.lua",
                environment: environment
            )
            var reader = try state.run(chunk, results: 1)
            guard case .function(let function)? = reader.next() else { return "no function" }
            let reply = try state.call(function, results: 2) { writer in
                writer.write("argument")
                writer.beginTable(list: 30, entries: 2)
                for value in 1...30 { writer.write(Int64(value)) }
                for (key, value) in [("x", 1.5), ("y", 2.5)] {
                    writer.write(key)
                    writer.write(value)
                }
                writer.write(function)
                writer.write(type, 3)
            }
            return Self.text(reply)
        }
        note {
            let source = "return function(s, t) t[#t + 1] = {s.name} return #t == 9 end"
            let chunk = try state.load(source, chunkName: "first.lua", environment: environment)
            var reader = try state.run(chunk, results: 1)
            guard case .function(let function)? = reader.next() else { return "no function" }
            let index = try state.firstIndex(of: type, in: 40...60, where: function) { writer in
                writer.beginTable(list: 0, entries: 0)
            }
            return "\(index ?? -1)"
        }
        note {
            let source = "return function(a, b) return a * b end"
            let chunk = try state.load(source, chunkName: "integers.lua", environment: environment)
            var reader = try state.run(chunk, results: 1)
            guard case .function(let function)? = reader.next() else { return "no function" }
            return "\(try state.call(function, with: 6, 7))"
        }
    }

    /// Begins, resumes and cancels coroutines.
    private func wait(_ state: LuaState, _ environment: LuaEnvironment) {
        let sources = [
            """
            start(function() local held = {object(8), make()} wait() return held end)
            local t = {pcall(function() return wait(), wait() end)}
            for i = 1, 20 do t[#t + 1] = {i} end
            local function deep(n) if n == 0 then return wait() end local x = deep(n - 1) return x end
            return deep(40), t
            """,
            "wait() error('after ' .. ('w'):rep(50), 0)",
            "wait() error(setmetatable({}, {__tostring = function() return ('v'):rep(50) end}))",
            "local held = {object(9)} wait(held) wait()",
        ]
        for (number, source) in sources.enumerated() {
            note {
                let chunk = try state.load(
                    source,
                    chunkName: "wait\(number).lua",
                    environment: environment
                )
                var progress = try state.begin(chunk, results: 2)
                while case .waits(let thread) = progress {
                    if number == 3 {
                        state.cancel(thread)
                        return state.isWaiting(thread) ? "waits" : "cancelled"
                    }
                    progress = try state.resume(thread, results: 2) { writer in
                        writer.beginTable(list: 1, entries: 1)
                        for text in ["value", "key", "other"] { writer.write(text) }
                    }
                }
                guard case .returned(let reader) = progress else { return nil }
                return Self.text(reader)
            }
        }
    }

    // MARK: The next operation

    private func recover(in state: LuaState) {
        note {
            let environment = try state.makeEnvironment(strict: true)
            let function = try state.makeFunction(name: "f") { frame in
                frame.returnString((frame.string(at: 0) ?? "") + "!")
            }
            try state.setGlobal("f", in: environment, to: function)
            let chunk = try state.load("return f('x')", chunkName: "x", environment: environment)
            guard case .returned(let reader) = try state.begin(chunk, results: 1) else {
                return nil
            }
            let text = Self.text(try state.run(chunk, results: 1))
            return "again \(text) \(Self.text(reader)) \(state.liveThreads)"
        }
    }

    /// Whether later operations work, and nothing from earlier operations remains.
    var isClean: Bool {
        // A state that could not open has nothing after it.
        outcomes == ["memory"]
            || (outcomes.last == "again \"x!\" \"x!\" 0" && released.values.allSatisfy { $0 > 0 })
    }

    // MARK: Values

    private static func copy(_ reader: inout FlatReader, to writer: inout FlatWriter) {
        guard let item = reader.next() else { return }
        switch item {
        case .nil: writer.writeNil()
        case .boolean(let value): writer.write(value)
        case .integer(let value): writer.write(value)
        case .number(let value): writer.write(value)
        case .string(let bytes): writer.write(bytes: bytes)
        case .function(let function): writer.write(function)
        case .object(let type, let identifier): writer.write(type, identifier)
        case .table(let list, let entries):
            writer.beginTable(list: list, entries: entries)
            for _ in 0..<list + 2 * entries { copy(&reader, to: &writer) }
        }
    }

    private static func text(_ reader: FlatReader) -> String {
        var reader = reader
        var texts: [String] = []
        while let item = reader.next() { texts.append(Script.text(item, &reader)) }
        return texts.joined(separator: " ")
    }
}
