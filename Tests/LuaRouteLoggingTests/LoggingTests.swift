// SPDX-License-Identifier: MIT

#if Logging
import Dispatch
import InMemoryLogging
import Logging
import LuaRouteLogging
import LuaRouting
import SystemGaps
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct LoggingTests {
    private static let script = """
        router.class("Card", { fields = { "number" }, private = { "number" } })
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "open", {
          build = function(info) return router.screen("Page", { text = info.text }) end,
        })
        router.register("Card", "open", {
          build = function(info) return router.screen("Card", { number = info.number }) end,
        })
        router.register("Page", "broken", { build = function() error("no data") end })
        router.export("speak", function()
          for _, level in ipairs { "debug", "info", "warn", "error" } do
            router.log[level](level .. " of the script")
          end
        end)
        router.export("work", function() for index = 1, 1e6 do local _ = index end end)
        """

    private func makeRouter() throws -> Router {
        try Router(scripts: ScriptBundle(files: ["main.lua": Self.script]), host: HeadlessHost())
    }

    /// Returns the log entries of a router from its start to its shutdown.
    private func entries(
        _ level: Logger.Level = .trace,
        of body: (Router) throws -> Void
    ) async throws -> [InMemoryLogHandler.Entry] {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = level
        try await logging(to: logger, body).value
        return handler.entries
    }

    private func logging(
        to logger: Logger,
        _ body: (Router) throws -> Void
    ) throws -> Task<Void, Never> {
        let router = try makeRouter()
        let logging = router.log(to: logger)
        router.start()
        try body(router)
        router.shutDown()
        return logging
    }

    @Test("a line that a script logs keeps its level, message, location and generation")
    func script() async throws {
        let entries = try await entries(.debug) { try $0.call("speak") }
            .filter { $0.metadata["event"] == "log" }
        #expect(entries.map(\.level) == [.debug, .info, .warning, .error])
        #expect(
            entries.map { "\($0.message)" }
                == ["debug", "info", "warn", "error"].map { "\($0) of the script" }
        )
        #expect(
            entries.first?.metadata.filter { $0.key != "sequence" }
                == ["event": "log", "generation": "1", "location": "main.lua:12"]
        )
    }

    @Test(
        "a failed navigation is logged as a warning with its code; a successful navigation is not"
    )
    func failures() async throws {
        let entries = try await entries(.warning) { router in
            router.navigate(Target("Page", "open")) { _ in }
            router.navigate(Target("Page", "broken")) { _ in }
            router.navigate(Target("Page", "missing")) { _ in }
        }
        #expect(entries.map(\.level) == [.warning, .warning])
        #expect(entries.map { $0.metadata["code"] } == ["script", "notFound"])
        #expect(entries.map { $0.metadata["navigation"] } == ["3", "4"])
        #expect("\(try #require(entries.first).message)" == "no data")
        #expect(entries.first?.metadata["location"] == "main.lua:9")
    }

    @Test("a rejected reload is logged as an error with its findings; an accepted reload is not")
    func reloads() async throws {
        let entries = try await entries(.info) { router in
            router.reload(ScriptBundle(files: ["main.lua": "router.start("]))
            router.reload(ScriptBundle(files: ["main.lua": Self.script + "-- later"]))
        }
        #expect(entries.map(\.level) == [.error, .info])
        #expect(entries.map { $0.metadata["status"] } == ["rejected", "accepted"])
        #expect("\(entries[0].metadata["errors"] ?? "")".contains("main.lua:1"))
    }

    @Test("an event is logged if the logger's level includes the level of its kind")
    func levels() async throws {
        func kinds(_ level: Logger.Level) async throws -> Set<String> {
            let entries = try await entries(level) { router in
                try router.call("work")
                router.navigate(Target("Page", "open"))
            }
            return Set(entries.map { "\($0.metadata["event"] ?? "")" })
        }
        #expect(try await kinds(.error) == [])
        #expect(try await kinds(.warning) == ["slow"])
        #expect(try await kinds(.debug) == ["call", "slow", "navigate", "shown", "done"])
        #expect(try await kinds(.trace).isSuperset(of: ["plan", "build", "stage", "commit"]))
    }

    @Test("in the metadata, long values are cut and private values are hidden")
    func values() async throws {
        let entries = try await entries { router in
            let text = String(repeating: "a", count: 5_000)
            router.navigate(Target("Page", "open"), info: ["text": text])
            router.navigate(Target("Card", "open"), info: ["number": "1234567"])
        }
        let screens = entries.compactMap { $0.metadata["screen"] }.map { "\($0)" }
        #expect(screens.contains { $0.contains("… (5000 bytes)") })
        #expect(screens.contains(#"Card(number="•••")"#))
        #expect(screens.allSatisfy { $0.utf8.count < 400 })
        #expect(!entries.contains { "\($0.message) \($0.metadata)".contains("1234567") })
    }

    @Test("logging does not keep a router alive, and the logging task ends with its router")
    func release() async throws {
        weak var released: Router?
        let logging: Task<Void, Never>
        do {
            let router = try makeRouter()
            released = router
            logging = router.log(to: Logger(label: "test") { _ in InMemoryLogHandler() })
        }
        await logging.value
        #expect(released == nil)
    }

    @Test("nothing is logged after the task is cancelled")
    func cancelling() async throws {
        let handler = InMemoryLogHandler()
        let router = try makeRouter()
        let logging = router.log(to: Logger(label: "test") { _ in handler })
        logging.cancel()
        await logging.value
        try await router.call("speak")
        #expect(handler.entries.isEmpty)
    }

    @Test("a blocked handler does not block the router, and the number of lost events is logged")
    func blocked() async throws {
        let handler = BlockedHandler()
        let router = try makeRouter()
        let logging = router.log(to: Logger(label: "test") { _ in handler }, limit: 2)
        try await router.call("speak")
        while handler.messages.isEmpty { await Task.yield() }
        // The handler has the first of them until the router has ended.
        for _ in 0..<5 { try await router.call("speak") }
        router.shutDown()
        handler.open()
        await logging.value
        let lost = handler.messages.compactMap { message in
            message.contains("were not logged") ? Int(message.prefix { $0.isNumber }) : nil
        }
        let logged = handler.messages.count { !$0.contains("were not logged") }
        // Six calls with six events each, and the one of the shutdown.
        #expect(logged + lost.reduce(0, +) == 37)
        #expect(logged <= 7)
    }
}

/// A log handler whose calls block until the handler is opened.
private struct BlockedHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    private let lines = Lines()
    private let gate = DispatchSemaphore(value: 0)

    var messages: [String] { lines.all.withLock(\.self) }

    func open() { gate.signal() }

    func log(event: LogEvent) {
        lines.all.withLock { $0.append("\(event.message)") }
        gate.wait()
        gate.signal()
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private final class Lines: Sendable {
        let all = Lock<[String]>([])
    }
}
#endif
