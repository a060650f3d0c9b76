// SPDX-License-Identifier: MIT

import CBaseline
import LuaVM

/// The cost of the sandbox for an ordinary script.
extension Benchmark {
    private static let script = """
        local words = {}
        for i = 1, 20 do words["word" .. i * 37 % 20] = i end
        local function walk(first, second)
          local sum = 0
          for _, value in pairs(words) do sum = sum + value end
          return first + second + sum - 210
        end
        local lines = { "show 17", "track 4", "episode 230" }
        local function text(first, second)
          local list, sum = {}, 0
          for i = 1, #lines do
            local name, id = lines[i]:match("^(%a+) (%d+)$")
            table.insert(list, ("%s/%d"):format(name, id))
            sum = sum + #name:upper() + tonumber(id)
          end
          table.sort(list)
          local path = table.concat(list, ";"):gsub("/", ":")
          return first + second + sum + #path + (path:find("track", 1, true) or 0) - 315
        end
        local function plain(first, second)
          local sum, seen = 0, {}
          for i = 1, 20 do
            seen[i] = i * 2
            sum = sum + seen[i]
          end
          return first + second + sum - 420
        end
        return walk, text, plain
        """

    static func sandbox() throws -> [Benchmark] {
        let plain = try PlainState(script)
        let free = try functions(.unlimited)
        let armed = try functions(Budget(duration: .seconds(60)))
        let rows = [
            ("pairs", "'pairs' over 20 names, in their order", "'pairs', in any order", 0),
            ("library", "a script of 'string' and 'table'", "the standard's", 1),
            ("plain", "a script of tables and numbers", "the same", 2),
        ]
        return [
            Benchmark(
                name: "B7",
                text: "a hardened state, made and closed",
                baselineText: "the same libraries",
                bounds: [1.5],
                ours: Side(expected: { Int64($0) }) { count in
                    for _ in 0..<count {
                        let state = try LuaState()
                        _ = try state.makeEnvironment(strict: false)
                    }
                    return Int64(count)
                },
                baseline: Side(expected: { Int64($0) }) { baseline_states(Int64($0)) }
            )
        ]
            + rows.flatMap { name, text, baselineText, index in
                [(name, text, free), (name + "-armed", text + ", budgets armed", armed)].map {
                    name,
                    text,
                    functions in
                    Benchmark(
                        name: name,
                        text: text,
                        baselineText: baselineText,
                        bounds: [],
                        ours: side(functions.state, functions.list[index]),
                        baseline: Side(expected: sums) { count in
                            baseline_call_integers(plain.baseline, Int32(index), Int64(count), 2, 0)
                        }
                    )
                }
            }
    }

    private static func functions(
        _ budget: Budget
    ) throws -> (state: LuaState, list: [LuaFunction]) {
        var configuration = LuaState.Configuration()
        configuration.budget = budget
        let state = try LuaState(configuration)
        let environment = try state.makeEnvironment(strict: true)
        let chunk = try state.load(script, chunkName: "sandbox.lua", environment: environment)
        var reader = try state.run(chunk, results: 3)
        var functions: [LuaFunction] = []
        while case .function(let function)? = reader.next() { functions.append(function) }
        guard functions.count == 3 else { throw MissingFunction(script: "sandbox.lua") }
        return (state, functions)
    }

    private static func side(_ state: LuaState, _ function: LuaFunction) -> Side {
        Side(expected: sums) { count in
            var sum: Int64 = 0
            for i in 0..<Int64(count) { sum &+= try state.call(function, with: i, 2) }
            return sum
        }
    }
}
