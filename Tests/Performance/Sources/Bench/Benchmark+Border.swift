// SPDX-License-Identifier: MIT

import CBaseline
import LuaVM

/// Benchmarks of calls between the host and Lua.
extension Benchmark {
    /// The number of calls in one entry of B2.
    private static let loop = 1000

    /// The interval of the count hook that an entry with a budget installs.
    private static let interval: Int32 = 1000

    private static let script = """
        local add = add
        local function sum(first, second)
          return first + second
        end
        local function loop(_, count)
          local sum = 0
          for _ = 1, count do
            sum = add(sum, 1)
          end
          return sum
        end
        local function idle(_, count)
          for _ = 1, count do
          end
          return 0
        end
        local function around(first, second)
          local result = add(first, second)
          return result
        end
        return sum, loop, idle, around
        """

    private static let failing = """
        local fail = fail
        local function attempt()
          fail()
        end
        local function loop(_, count)
          local sum = 0
          for _ = 1, count do
            if not pcall(attempt) then
              sum = sum + 1
            end
          end
          return sum
        end
        local function idle(_, count)
          for _ = 1, count do
          end
          return 0
        end
        return attempt, loop, idle, attempt
        """

    /// The error that the closure of B5 throws.
    private enum Failure: ScriptMessage {
        case noSuchScreen

        var scriptMessage: String { "no such screen" }
    }

    static func border() throws -> [Benchmark] {
        let plain = try PlainState(script)
        let armed = try Functions(script, budget: Budget(), addIntegers)
        return try calls(armed, plain) + loops(armed, plain) + [errors()]
    }

    private static func calls(_ armed: Functions, _ plain: PlainState) throws -> [Benchmark] {
        let free = try Functions(script, budget: .unlimited, addIntegers)
        let call = Benchmark(
            name: "B1",
            text: "host to Lua, 2 integers in, 1 out",
            baselineText: "lua_pcall, traceback handler",
            bounds: [1.25],
            ours: free.calls(\.sum),
            baseline: plain.calls(0)
        )
        let armedCall = armed.calls(\.sum)
        return [
            call,
            Benchmark(
                name: "B3",
                text: "host to Lua to host and back",
                baselineText: "lua_pcall, C closure",
                bounds: [1.4],
                ours: free.calls(\.around),
                baseline: plain.calls(3)
            ),
            Benchmark(
                name: "B6",
                text: "B1, budgets armed",
                baselineText: "B1's",
                bounds: [1.5],
                ours: armedCall,
                baseline: call.baseline
            ),
            Benchmark(
                name: "B6-own",
                text: "B1, budgets armed",
                baselineText: "ours, budgets not armed",
                bounds: [1.5],
                ours: armedCall,
                baseline: call.ours
            ),
            Benchmark(
                name: "B6-hook",
                text: "B1, budgets armed",
                baselineText: "B1's, a count hook armed before",
                bounds: [],
                ours: armedCall,
                baseline: plain.calls(0, interval: interval)
            ),
        ]
    }

    private static func loops(_ armed: Functions, _ plain: PlainState) throws -> [Benchmark] {
        let free = try Functions(script, budget: .unlimited, addIntegers)
        let frames = try Functions(script, budget: .unlimited, addFromFrame)
        return [
            Benchmark(
                name: "B2",
                text: "Lua to a closure of two integers",
                baselineText: "C closure, luaL_checkinteger",
                bounds: [1.4],
                ours: free.loops(loop),
                baseline: plain.loops(loop)
            ),
            Benchmark(
                name: "B2-frame",
                text: "Lua to a closure that reads its frame",
                baselineText: "C closure, luaL_checkinteger",
                bounds: [],
                ours: frames.loops(loop),
                baseline: plain.loops(loop)
            ),
            Benchmark(
                name: "B2-hook",
                text: "B2, budgets armed",
                baselineText: "B2's, a count hook armed before",
                bounds: [],
                ours: armed.loops(loop),
                baseline: plain.loops(loop, interval: interval)
            ),
        ]
    }

    private static func errors() throws -> Benchmark {
        let ours = try Functions(failing, budget: .unlimited, name: "fail", failingFunction)
        return Benchmark(
            name: "B5",
            text: "an error of a closure, caught by Lua",
            baselineText: "luaL_error, caught by Lua",
            bounds: [1],
            ours: ours.loops(loop),
            baseline: try PlainState(failing).loops(loop)
        )
    }

    private static func failingFunction(_ state: LuaState) throws(ScriptError) -> LuaFunction {
        try state.makeFunction(name: "fail") { _ in throw Failure.noSuchScreen }
    }

    private static func addIntegers(_ state: LuaState) throws(ScriptError) -> LuaFunction {
        try state.makeFunction(name: "add", integers: { $0 &+ $1 })
    }

    private static func addFromFrame(_ state: LuaState) throws(ScriptError) -> LuaFunction {
        try state.makeFunction(name: "add") { frame in
            guard let first = frame.integer(at: 0) else { throw frame.mismatch(at: 0, "integer") }
            guard let second = frame.integer(at: 1) else { throw frame.mismatch(at: 1, "integer") }
            frame.returnInteger(first &+ second)
        }
    }

    /// Returns the sum of `i + 2` for all `i` below a count.
    static func sums(_ count: Int) -> Int64 {
        let count = Int64(count)
        return count * (count - 1) / 2 + 2 * count
    }
}

/// The functions of a script in a `LuaState`, which call a Swift closure.
private struct Functions {
    let state: LuaState
    let sum: LuaFunction
    let loop: LuaFunction
    let idle: LuaFunction
    let around: LuaFunction

    init(
        _ script: String,
        budget: Budget,
        name: String = "add",
        _ function: (LuaState) throws(ScriptError) -> LuaFunction
    ) throws {
        var configuration = LuaState.Configuration()
        configuration.budget = budget
        state = try LuaState(configuration)
        let environment = try state.makeEnvironment(strict: true)
        try state.setGlobal(name, in: environment, to: function(state))
        let chunk = try state.load(script, chunkName: "border.lua", environment: environment)
        var reader = try state.run(chunk, results: 4)
        var functions: [LuaFunction] = []
        while case .function(let function)? = reader.next() { functions.append(function) }
        guard functions.count == 4 else { throw MissingFunction(script: "border.lua") }
        sum = functions[0]
        loop = functions[1]
        idle = functions[2]
        around = functions[3]
    }

    func calls(_ path: KeyPath<Functions, LuaFunction>) -> Side {
        let state = state
        let function = self[keyPath: path]
        return Side(expected: Benchmark.sums) { count in
            var sum: Int64 = 0
            for i in 0..<Int64(count) { sum &+= try state.call(function, with: i, 2) }
            return sum
        }
    }

    func loops(_ length: Int) -> Side {
        let state = state
        let repeated = { (function: LuaFunction, count: Int) throws in
            var sum: Int64 = 0
            for i in 0..<Int64(count) { sum &+= try state.call(function, with: i, Int64(length)) }
            return sum
        }
        let (loop, idle) = (loop, idle)
        return Side(
            operations: length,
            expected: { Int64($0 * length) },
            frame: { try repeated(idle, $0) },
            run: { try repeated(loop, $0) }
        )
    }
}

extension PlainState {
    fileprivate func calls(_ function: Int32, interval: Int32 = 0) -> Side {
        Side(expected: Benchmark.sums) { count in
            baseline_call_integers(self.baseline, function, Int64(count), 2, interval)
        }
    }

    fileprivate func loops(_ length: Int, interval: Int32 = 0) -> Side {
        let repeated = { (function: Int32, count: Int) in
            baseline_call_integers(self.baseline, function, Int64(count), Int64(length), interval)
        }
        return Side(
            operations: length,
            expected: { Int64($0 * length) },
            frame: { repeated(2, $0) },
            run: { repeated(1, $0) }
        )
    }
}
