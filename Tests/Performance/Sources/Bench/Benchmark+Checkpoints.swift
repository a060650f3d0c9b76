// SPDX-License-Identifier: MIT

import LuaRouting
import LuaVM

/// Benchmarks of checkpoints of a heap like that of an app with 100 routes, with a waiting
/// coroutine.
extension Benchmark {
    private static let source = """
        local routes = {}
        for i = 1, 100 do
          local name = "Service" .. i
          routes[i] = {
            name = name, url = "/" .. name .. "/:id(int)", info = { id = "integer", title = "string?" },
            build = function(info, nav) return { name, info.id, nav } end,
            update = function(screen, info) screen.id = info.id + #name end,
          }
        end
        local n = 0
        return function(first)
          n = n + 1
          routes[n % 100 + 1].info.id = ("integer"):rep(n % 3)
          return first
        end, function() local kept = { routes } wait() return kept end
        """

    static func checkpoints() throws -> [Benchmark] {
        var configuration = LuaState.Configuration()
        configuration.budget.duration = .seconds(60)
        let state = try LuaState(configuration)
        let environment = try state.makeEnvironment(strict: true)
        try state.setGlobal(
            "wait",
            in: environment,
            to: state.makeFunction(name: "wait") { $0.wait() }
        )
        let chunk = try state.load(source, chunkName: "routes.lua", environment: environment)
        var reader = try state.run(chunk, results: 2)
        guard case .function(let change)? = reader.next(),
            case .function(let body)? = reader.next(),
            case .waits(let thread) = try state.begin(body)
        else { throw ScriptError(kind: .runtime, message: "no functions") }
        state.collectGarbage()
        let first = try state.checkpoint()
        let changes: (Int) throws -> Int64 = { count in
            withExtendedLifetime(thread) {}
            for _ in 0..<count { _ = try state.call(change, with: 1, 2) }
            return 0
        }
        let bytes = state.memoryUsed
        let copies = Side(expected: { Int64($0) }) { count in
            let (from, to) = (Memory(bytes), Memory(bytes))
            for _ in 0..<count { to.copy(from) }
            return Int64(count)
        }
        return [
            Benchmark(
                name: "C1",
                text: "a checkpoint of \(bytes) bytes, after a change",
                baselineText: "so many bytes copied",
                bounds: [],
                ours: Side(expected: { Int64($0) }, frame: changes) { count in
                    for _ in 0..<count {
                        _ = try state.call(change, with: 1, 2)
                        _ = try state.checkpoint()
                    }
                    return Int64(count)
                },
                baseline: copies
            ),
            Benchmark(
                name: "C2",
                text: "the state is rewound to it",
                baselineText: "so many bytes copied",
                bounds: [],
                ours: Side(expected: { Int64($0) }, frame: changes) { count in
                    for _ in 0..<count {
                        _ = try state.call(change, with: 1, 2)
                        try state.rewind(to: first)
                    }
                    return Int64(count)
                },
                baseline: copies
            ),
        ]
    }
}

/// Benchmarks of checkpoints of the example `scripts/podcast` while nothing is pending.
extension Benchmark {
    static func routerCheckpoints() throws -> [Benchmark] {
        var configuration = Router.Configuration(now: 0)
        // Each run makes the router, also one under valgrind, which takes fifty times as long.
        configuration.loadBudget.duration = .seconds(60)
        configuration.budget.duration = .seconds(60)
        let router = try Router(
            scripts: ScriptBundle(path: "scripts/podcast"),
            host: HeadlessHost(),
            configuration: configuration
        )
        router.start()
        router.navigate(Target("ShowPage", "open"), info: ["showId": 1])
        router.collectGarbage()
        let first = try router.checkpoint()
        let changes: (Int) throws -> Int64 = { count in
            for number in 0..<count { try router.setState("n", to: .integer(Int64(number))) }
            return 0
        }
        let bytes = router.scriptMemory
        let copies = Side(expected: { Int64($0) }) { count in
            let (from, to) = (Memory(bytes), Memory(bytes))
            for _ in 0..<count { to.copy(from) }
            return Int64(count)
        }
        return [
            Benchmark(
                name: "C3",
                text: "a checkpoint of a router of \(bytes) bytes, after a change",
                baselineText: "so many bytes copied",
                bounds: [],
                ours: Side(expected: { Int64($0) }, frame: changes) { count in
                    for number in 0..<count {
                        try router.setState("n", to: .integer(Int64(number)))
                        _ = try router.checkpoint()
                    }
                    return Int64(count)
                },
                baseline: copies
            ),
            Benchmark(
                name: "C4",
                text: "the router is rewound to it",
                baselineText: "so many bytes copied",
                bounds: [],
                ours: Side(expected: { Int64($0) }, frame: changes) { count in
                    for number in 0..<count {
                        try router.setState("n", to: .integer(Int64(number)))
                        try router.rewind(to: first)
                    }
                    return Int64(count)
                },
                baseline: copies
            ),
        ]
    }
}

/// A block of memory to copy.
private final class Memory {
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 1)
    }

    deinit { bytes.deallocate() }

    @inline(never)
    func copy(_ other: Memory) { bytes.copyMemory(from: UnsafeRawBufferPointer(other.bytes)) }
}
