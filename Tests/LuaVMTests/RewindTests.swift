// SPDX-License-Identifier: MIT

import Foundation
import RandomNumbers
import TestSupport
import Testing

@testable import LuaVM

/// Tests that compare random programs with trees of checkpoints to the same programs in states
/// without checkpoints.
@Suite struct RewindTests {
    /// The number of programs, which the environment variable `LUAROUTE_REWOUND_PROGRAMS` can
    /// replace.
    static let count =
        ProcessInfo.processInfo.environment["LUAROUTE_REWOUND_PROGRAMS"].flatMap { Int($0) }
        ?? 400

    @Test(
        "a program that is rewound at random points continues as if it had never been rewound",
        .unlessQuick
    )
    func programs() throws {
        var rewinds = 0
        for seed in 0..<UInt64(Self.count) {
            let run = try RewoundProgram(seed: seed)
            let problem = try run.run()
            rewinds += run.rewinds
            guard problem == nil else {
                Issue.record("seed \(seed): \(problem ?? "")")
                return
            }
        }
        #expect(rewinds > Self.count)
    }
}

/// A program of operations on tables, functions, coroutines, objects and closures of the host.
private final class Program {
    let waiting: Waiting
    private let operation: LuaFunction
    private let digest: LuaFunction
    /// The functions that the host has received.
    var kept: [LuaFunction] = []
    private let tracker: LifetimeTracker
    /// A number that differs from state to state, to vary the garbage, which must not matter.
    private let noise: UInt64

    init(_ tracker: LifetimeTracker, noise: UInt64) throws {
        waiting = try Waiting()
        self.tracker = tracker
        self.noise = noise
        let state = waiting.state
        let type = try state.defineType(
            name: "Screen",
            index: { frame in
                frame.returnString("\(frame.object(at: 0)?.identifier ?? 0)")
                frame.keepResult()
            }
        )
        try waiting.script.define("object") { $0.returnObject(type, $0.integer(at: 0) ?? 0) }
        try waiting.script.define("make") { frame in
            let token = tracker.track()
            let number = frame.integer(at: 0) ?? 0
            try frame.returnFunction(
                frame.state.makeFunction(name: "made") { frame in
                    _ = token
                    frame.returnInteger(number)
                }
            )
        }
        let functions = try waiting.script.run(Self.source, results: 2)
        var reader = functions
        guard case .function(let operation)? = reader.next(),
            case .function(let digest)? = reader.next()
        else { throw Script.NoFunction() }
        (self.operation, self.digest) = (operation, digest)
    }

    /// Performs the operation with the given number, and returns its result as text.
    func make(_ number: UInt64) throws -> String {
        var numbers = RandomNumbers(seed: number)
        let code = numbers.below(26)
        let (first, second) = (Int64(numbers.below(8)), Int64(numbers.below(100)))
        switch code {
        case 0 where !kept.isEmpty:
            // The position of the operation decides, not the handles that there happen to be.
            let function = kept[Int(second) % kept.count]
            return Self.text { try waiting.state.call(function, results: 1) }
        case 1 where kept.count > 4:
            kept.remove(at: Int(second) % kept.count)
            return ""
        case 2:
            if (number ^ noise) % 3 == 0 { waiting.state.collectGarbage() }
            return ""
        default:
            return Self.text {
                let reader = try waiting.state.call(operation, results: 2) { writer in
                    writer.write(Int64(code))
                    writer.write(first)
                    writer.write(second)
                }
                var functions = reader
                _ = functions.next()
                if case .function(let function)? = functions.next() { kept.append(function) }
                return reader
            }
        }
    }

    /// Returns the text of all values that scripts can reach.
    func text() throws -> String {
        Self.text { try waiting.state.call(digest, results: 1) }
            + " \(waiting.threads.keys.sorted()) \(kept.count)"
    }

    /// Returns the fingerprint of all values that scripts can reach.
    func fingerprint() throws -> Fingerprint {
        let names = waiting.threads.keys.sorted()
        return try waiting.state.fingerprint(
            of: [.function(operation), .environment(waiting.script.environment)]
                + kept.map { .function($0) }
                + names.compactMap { waiting.threads[$0].map { .thread($0) } }
        )
    }

    private static func text(_ body: () throws -> FlatReader) -> String {
        do {
            var reader = try body()
            return reader.next().map { Script.text($0, &reader) } ?? ""
        } catch { return "\(error)" }
    }

    private static let source = """
        local g, order = {}, {}
        local function body(n)
          return function(a)
            local t, sum = {n}, 0
            while sum < 12 do
              local x = wait(t)
              sum = sum + x
              t[#t + 1] = x
              g[n % 8] = t
            end
            return sum, table.concat(t, ',')
          end
        end
        local operations = {
          function(a, b) g[a] = b end,
          function(a, b) g[a] = {g[b % 8], g[(b + 1) % 8], name = b} end,
          function(a, b) g[a] = ('s' .. b):rep(b * 9) end,
          function(a, b)
            local n = b
            g[a] = function() n = n + 1 return n end
            g[(a + 1) % 8] = function() n = n * 2 return n end
          end,
          function(a) local f = g[a] if type(f) == 'function' then return f() end end,
          function(a, b)
            local t = g[a]
            if type(t) == 'table' then for i = 1, b * 10 do t[#t + 1] = i end end
          end,
          function(a) g[a] = nil end,
          function(a, b)
            local t, m = g[a], g[b % 8]
            if type(t) == 'table' and type(m) == 'table' and t ~= m then
              setmetatable(t, {__index = function(_, k) return rawget(m, k) end})
              return t.name
            end
          end,
          function(a, b) stop('c' .. a) return start('c' .. a, body(b)) end,
          function(a, b) return go('c' .. a, b % 5) end,
          function(a, b) return go('c' .. a, b % 5) end,
          function(a) stop('c' .. a) end,
          function(a, b) return math.random(b + 1) end,
          function(a) return pcall(error, {a}) and 1 or 2 end,
          function(a, b) g[a] = make(b) end,
          function(a, b) g[a] = object(b) return g[a]['m' .. a % 3] end,
          function(a, b) for i = 1, b * 20 do local garbage = {i, tostring(i)} end end,
          function(a, b)
            order[{}], order[function() return a end] = a, b
            local s = ''
            for _, v in pairs(order) do s = s .. v .. ' ' end
            return s
          end,
          function(a)
            local f = g[a]
            if type(f) == 'function' then return 'kept', f end
          end,
          function(a, b)
            local t = {}
            for i = 1, b do t[i] = (i * 7919) % 101 end
            table.sort(t)
            return table.concat(t)
          end,
          function(a, b) local t = g[a] if type(t) == 'table' then table.remove(t, 1 + b % (#t + 1)) end end,
          function(a, b) g[a] = coroutine and 1 or ('%d %s'):format(b, 'x') end,
          function(a, b) return enter(function() g[a] = {b} return wait and b end) end,
        }
        local function digest()
          local seen, n, parts = {}, 0, {}
          local function visit(v)
            local kind = type(v)
            if kind == 'number' or kind == 'string' and #v < 40 then parts[#parts + 1] = v return end
            if kind == 'string' then parts[#parts + 1] = #v .. v:sub(1, 9) .. v:sub(-9) return end
            if v == nil then parts[#parts + 1] = '-' return end
            if seen[v] then parts[#parts + 1] = '#' .. seen[v] return end
            n = n + 1
            seen[v] = n
            parts[#parts + 1] = kind .. n
            if kind ~= 'table' then return end
            for k, w in pairs(v) do visit(k) visit(w) end
            parts[#parts + 1] = ';'
          end
          for i = 0, 7 do visit(g[i]) end
          return table.concat(parts, ' ')
        end
        return function(code, a, b) return operations[code % #operations + 1](a, b) end, digest
        """
}

/// A program, and the checkpoints that were taken while it ran.
private final class RewoundProgram {
    /// A checkpoint, with the values of the host at that time.
    private struct Node {
        let checkpoint: LuaCheckpoint
        let threads: [String: LuaThread]
        let kept: [LuaFunction]
        let memory: Int
        let handles: Int
        /// The operations from the start to the checkpoint.
        let path: [UInt64]
        let text: String
        let fingerprint: Fingerprint
    }

    private let seed: UInt64
    private var numbers: RandomNumbers
    private(set) var rewinds = 0

    init(seed: UInt64) throws {
        self.seed = seed
        numbers = RandomNumbers(seed: seed)
    }

    /// Runs the program, and returns a description of the first problem; nil if there is none.
    func run() throws -> String? {
        let tracker = LifetimeTracker()
        let problem = try run(tracker)
        if let problem { return problem }
        return tracker.liveCount == 0 ? nil : "\(tracker.liveCount) closures are left"
    }

    private func run(_ tracker: LifetimeTracker) throws -> String? {
        let program = try Program(tracker, noise: seed)
        let state = program.waiting.state
        var nodes: [Node] = []
        var path: [UInt64] = []
        for _ in 0..<60 {
            switch numbers.below(12) {
            case 0, 1:
                if numbers.happens(30) {
                    state.refuse(.from(1 + numbers.below(6)))
                    let refused = try? state.checkpoint()
                    state.refuse(.none)
                    withExtendedLifetime(refused) {}
                }
                nodes.append(
                    Node(
                        checkpoint: try state.checkpoint(),
                        threads: program.waiting.threads,
                        kept: program.kept,
                        memory: state.memoryUsed,
                        handles: state.liveHandles,
                        path: path,
                        text: try program.text(),
                        fingerprint: try program.fingerprint()
                    )
                )
            case 2, 3:
                guard !nodes.isEmpty else { continue }
                let node = numbers.pick(nodes)
                try state.rewind(to: node.checkpoint)
                program.waiting.threads = node.threads
                program.kept = node.kept
                path = node.path
                rewinds += 1
                // A function that only other checkpoints had is freed once they are gone.
                guard state.memoryUsed == node.memory || state.liveHandles < node.handles else {
                    return "\(state.memoryUsed) bytes after a rewind, \(node.memory) before"
                }
                let text = try program.text()
                guard text == node.text else { return "\(text)\ninstead of\n\(node.text)" }
                guard try program.fingerprint() == node.fingerprint else {
                    return "another fingerprint of \(text)"
                }
            case 4 where !nodes.isEmpty && numbers.happens(50):
                nodes.remove(at: numbers.below(nodes.count))
            default:
                let number = numbers.next()
                _ = try program.make(number)
                path.append(number)
            }
        }
        // A state that was never rewound.
        let naive = try Program(tracker, noise: seed &+ 1)
        for number in path { _ = try naive.make(number) }
        let (text, expected) = (try program.text(), try naive.text())
        guard text == expected else { return "\(text)\ninstead of\n\(expected)" }
        guard try program.fingerprint() == naive.fingerprint() else {
            return "another fingerprint of \(text) in a state without checkpoints"
        }
        // Each goes on the same way.
        for _ in 0..<10 {
            let number = numbers.next()
            let (answer, other) = (try program.make(number), try naive.make(number))
            guard answer == other else { return "answers \(answer)\ninstead of\n\(other)" }
        }
        let last = (try program.text(), try naive.text())
        return last.0 == last.1 ? nil : "\(last.0)\ninstead of\n\(last.1)"
    }
}
