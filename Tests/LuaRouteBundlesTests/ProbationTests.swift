// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting
import RandomNumbers
import SystemGaps
import Testing

/// A device that receives bundles from the network, with its own router, key and clock.
@MainActor final class Device {
    let sample: StoreSample
    let store: BundleStore
    let router: Router
    private(set) var warnings: [String] = []
    private let supervision: Supervision

    init(_ sample: StoreSample, canary: Router.Configuration.Canary? = nil) throws {
        self.sample = sample
        let store = sample.open()
        router = try store.start { chosen in
            var configuration = Router.Configuration(now: Double(sample.time.now))
            configuration.capabilities = chosen.capabilities
            configuration.canary = canary
            return try Router(
                scripts: chosen.scripts,
                host: HeadlessHost(),
                configuration: configuration
            )
        }
        self.store = store
        supervision = Supervision(of: router, in: store)
        router.start()
        router.onEvent = { [unowned self] event in
            if event.kind == .log, event["level"] == "warning" {
                warnings.append(event["message"].text ?? "")
            }
        }
    }

    /// The version of the running scripts; 0 for the embedded scripts.
    var version: Int {
        let bytes = (try? router.bundle.files["main.lua"]?.get()) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        return (1...9).first { text.contains("'V\($0)'") } ?? 0
    }

    /// Makes the staged bundle current.
    @discardableResult
    func activate() async throws(RouteError) -> Bool {
        try await store.activate(in: router)
    }

    /// Navigates once for each element, which says whether the navigation fails, and lets the
    /// supervision count the navigations.
    func navigate(_ failures: [Bool]) async {
        for fails in failures {
            router.navigate(Target("Page", "open"), info: ["fails": Value(fails)], completion: nil)
            await supervision.decide()
        }
    }

    /// Navigates to a route that does not exist, which causes no rollback.
    func navigateToMissingRoute(count: Int) async {
        for _ in 0..<count { router.navigate(Target("Nope", "show"), completion: nil) }
        await supervision.decide()
    }

    /// Lets the given time pass, and navigates.
    func navigate(after seconds: Double) async {
        router.advance(to: router.now + seconds)
        await navigate([false])
    }

    /// Ends the process.
    func end() { supervision.end() }
}

/// A clock whose sleeps end when a test opens the clock.
final class OpenedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let state = Lock((isOpen: false, isOver: false))
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero
    /// Whether a sleep has ended.
    var isOver: Bool { state.withLock(\.isOver) }

    func open() { state.withLock { $0.isOpen = true } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while !state.withLock(\.isOpen) { await Task.yield() }
        state.withLock { $0.isOver = true }
    }
}

/// A clock whose sleeps end immediately.
final class ImmediateClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let duration = Lock<Duration?>(nil)
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero

    /// The duration of the last sleep.
    var slept: Duration? { duration.withLock(\.self) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        duration.withLock { $0 = now.duration(to: deadline) }
    }
}

@Suite(.timeLimit(.minutes(10))) @MainActor struct ProbationTests {
    /// Returns a device that runs version 1, the last good bundle, and has staged version 2.
    private func device(
        _ failures: [Bool] = [],
        _ bundle: (StoreSample) throws -> [UInt8] = { try $0.bundle(2) },
        canary: Router.Configuration.Canary? = nil
    ) async throws -> Device {
        var sample = StoreSample()
        _ = try sample.open().stage(
            sample.bundle(1, capabilities: ["push", "screens:Page", "screens:V2"])
        )
        sample.configuration.probation?.allowance = 100
        let first = try Device(sample)
        try first.store.confirm()
        await first.navigate(failures + Array(repeating: false, count: 100 - failures.count))
        #expect(first.store.lastGood?.version == 1)
        first.end()
        sample.configuration.probation = Probation()
        let second = try Device(sample, canary: canary)
        try second.store.confirm()
        _ = try second.store.stage(bundle(sample))
        return second
    }

    private func same(_ sample: StoreSample) throws -> [UInt8] {
        try sample.bundle(2, capabilities: ["push", "screens:Page", "screens:V1"])
    }

    @Test("activating a bundle in a running app puts it on probation")
    func activation() async throws {
        let device = try await device([], same)
        #expect(try await device.activate())
        #expect(device.version == 2)
        #expect(device.store.current?.version == 2)
        #expect(device.store.lastGood?.version == 1)
        #expect(device.store.candidate == nil)
        await device.navigate(Array(repeating: false, count: 99))
        #expect(device.store.lastGood?.version == 1)
        await device.navigate([false])
        #expect(device.store.lastGood?.version == 2)
        device.end()
    }

    @Test("a bundle on probation whose navigations fail is rolled back, and never loaded again")
    func rollback() async throws {
        let device = try await device([], same)
        try await device.activate()
        await device.navigate([true, false, true])
        #expect(device.version == 2)
        await device.navigate([true])
        #expect(device.version == 1)
        #expect(
            device.warnings == [
                "version 2 of the bundle 'podcast' is rolled back to version 1: 3 of 4 navigations "
                    + "failed (at most 2 expected)"
            ]
        )
        #expect(device.store.current == nil)
        #expect(device.store.quarantined.count == 1)
        #expect(throws: BundleRefusal.self) {
            _ = try device.store.stage(same(device.sample))
        }
        // The router goes on, and so does the store.
        await device.navigate([true, true, true, true])
        #expect(device.version == 1)
        device.end()
        let next = try Device(device.sample)
        #expect(next.version == 1)
        next.end()
    }

    @Test(
        "the allowed failure rate is the rate of the last good bundle times the configured factor"
    )
    func factor() async throws {
        // One navigation in four failed.
        let device = try await device(
            Array(repeating: [true, false, false, false], count: 25).flatMap(\.self),
            same
        )
        try await device.activate()
        await device.navigate(Array(repeating: [true, false], count: 49).flatMap(\.self))
        #expect(device.version == 2)
        await device.navigate([true, true])
        #expect(device.store.lastGood?.version == 2)
        device.end()
    }

    @Test("a bundle on probation over several starts passes after enough navigations")
    func severalStarts() async throws {
        let device = try await device()
        device.end()
        for start in 1...4 {
            let next = try Device(device.sample)
            #expect(next.version == 2)
            try next.store.confirm()
            await next.navigate(Array(repeating: false, count: 25))
            #expect(next.store.lastGood?.version == (start < 4 ? 1 : 2))
            next.end()
        }
    }

    @Test("failures of a process that was killed still count")
    func killedProcesses() async throws {
        let device = try await device()
        for start in 1...3 {
            let next = try Device(device.sample)
            #expect(next.version == 2)
            try next.store.confirm()
            await next.navigate([false, true])
            #expect(next.store.quarantined.isEmpty == (start < 3))
        }
    }

    @Test("each confirmation saves the navigation counts")
    func confirmation() async throws {
        let device = try await device()
        for _ in 1...4 {
            let next = try Device(device.sample)
            #expect(next.version == 2)
            try next.store.confirm()
            await next.navigate(Array(repeating: false, count: 25))
            // The app goes into the background, where the system ends it.
            try next.store.confirm()
        }
        #expect(device.sample.open().lastGood?.version == 2)
    }

    @Test("a bundle passes its probation after ten minutes")
    func duration() async throws {
        let device = try await device([], same)
        try await device.activate()
        await device.navigate(after: 599)
        #expect(device.store.lastGood?.version == 1)
        await device.navigate(after: 1)
        #expect(device.store.lastGood?.version == 2)
        device.end()
    }

    @Test(
        "a router is supervised until it shuts down, and its start is confirmed after ten seconds"
    )
    func supervision() async throws {
        let sample = StoreSample()
        _ = try sample.open().stage(sample.bundle(1))
        var device: Device? = try Device(sample)
        let store = try #require(device?.store)
        #expect(store.current?.isConfirmed == false)
        let clock = ImmediateClock()
        let supervision = try #require(
            device.map { device in
                Task { [router = device.router] in await store.supervise(router, clock: clock) }
            }
        )
        while store.current?.isConfirmed == false { await Task.yield() }
        #expect(clock.slept == .seconds(10))
        await device?.navigate([true, true])
        #expect(store.quarantined == [])
        device?.router.navigate(Target("Page", "open"), info: ["fails": true], completion: nil)
        while store.quarantined == [] { await Task.yield() }
        // The embedded scripts may do more than this router allows: they wait for the next start.
        #expect(device?.version == 1)
        device?.router.shutDown()
        device = nil
        await supervision.value
    }

    @Test(
        "leaving the app with a screen in less than ten seconds does not count as a crash",
        arguments: [true, false]
    )
    func shortVisit(_ hasScreen: Bool) throws {
        let sample = StoreSample()
        _ = try sample.open().stage(sample.bundle(1))
        let store = sample.open()
        let router = try store.start { try Router(scripts: $0.scripts, host: HeadlessHost()) }
        if hasScreen { router.start() }
        #expect(store.current?.unconfirmedStarts == 1)
        Supervision(of: router, in: store).end()
        #expect(store.current?.unconfirmedStarts == (hasScreen ? 0 : 1))
        #expect(store.current?.isConfirmed == hasScreen)
        router.shutDown()
    }

    @Test(
        "a start whose 'router.start' fails is not confirmed, even if it failed before supervision"
    )
    func failedStart() async throws {
        let sample = StoreSample()
        let scripts = "router.start(function() error 'no' end) router.export('f', function() end)"
        _ = try sample.open().stage(sample.bundle(1, scripts: scripts))
        let store = sample.open()
        let router = try store.start { chosen in
            try Router(scripts: chosen.scripts, host: HeadlessHost())
        }
        router.start(completion: nil)
        let clock = OpenedClock()
        let supervision = Task { await store.supervise(router, clock: clock) }
        // The supervision hears of the failure, which was before it, and of nothing else.
        for _ in 0..<1_000 { await Task.yield() }
        clock.open()
        while !clock.isOver { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(store.current?.isConfirmed == false)
        #expect(store.current?.unconfirmedStarts == 1)
        router.shutDown()
        await supervision.value
        // The second such start is the last one.
        _ = try sample.start()
        #expect(try sample.start().version == 0)
    }

    @Test(
        "a navigation that ends in older scripts does not count toward the probation of a new bundle"
    )
    func olderNavigation() async throws {
        let device = try await device([], same)
        try await device.activate()
        #expect(device.store.current?.version == 2)
        try await device.router.reload(StoreSample.embedded)
        await device.navigate([true, true, true, true])
        #expect(device.store.quarantined == [])
        device.end()
    }

    @Test(
        "a bundle that the router rejects stays staged, is not staged again, and is recorded once, however often the app starts"
    )
    func rejection() async throws {
        let device = try await device([]) { sample in
            try sample.bundle(
                2,
                capabilities: ["push", "screens:Page", "screens:V1"],
                scripts: "error 'nonsense'"
            )
        }
        await #expect(throws: RouteError.self) {
            try await device.activate()
        }
        #expect(device.version == 1)
        #expect((device.store.candidate?.version, device.store.current?.version) == (2, 1))
        #expect(device.store.changes.last?.kind == .skipped)
        #expect(device.store.changes.last?.reason?.contains("nonsense") == true)
        device.end()
        let count = device.store.changes.count
        for _ in 1...5 {
            let next = try Device(device.sample)
            try next.store.confirm()
            #expect(next.version == 1)
            let bytes = try device.sample.bundle(
                2,
                capabilities: ["push", "screens:Page", "screens:V1"],
                scripts: "error 'nonsense'"
            )
            guard case .unchanged = try next.store.stage(bytes) else {
                Issue.record("staged again")
                return
            }
            next.end()
        }
        // The first of these starts activated the bundle.
        #expect(device.sample.open().changes.count == count + 2)
    }

    @Test("a bundle that the canary rejects is quarantined, because a start runs no canary")
    func canary() async throws {
        struct Failed: Error {}
        let device = try await device([], same, canary: { _ in throw Failed() })
        await #expect(throws: RouteError.self) {
            try await device.activate()
        }
        #expect(device.store.candidate == nil)
        #expect(device.store.quarantined.count == 1)
        #expect(device.store.changes.last?.reason?.contains("canary") == true)
        device.end()
        #expect(try Device(device.sample).version == 1)
    }

    // MARK: Bundles that are held back

    /// Returns a device whose current bundle, version 2, is held back.
    private func heldDevice() async throws -> Device {
        let device = try await device([], same)
        try await device.activate()
        await device.navigateToMissingRoute(count: 3)
        await device.navigate(Array(repeating: false, count: 96))
        #expect(device.store.current?.isHeld == false)
        await device.navigate([false])
        #expect(device.store.current?.isHeld == true)
        #expect(device.store.lastGood?.version == 1)
        return device
    }

    @Test(
        "a bundle is held back if its probation ends with too many failures that cause no rollback, which is recorded once"
    )
    func held() async throws {
        let device = try await heldDevice()
        let change = try #require(device.store.changes.last)
        #expect(change.kind == .held)
        #expect(
            change.reason
                == "3 of 100 navigations failed with codes that cause no rollback, such as "
                + "'notFound' (at most 2 expected)"
        )
        for _ in 1...40 {
            await device.navigateToMissingRoute(count: 5)
            await device.navigate(Array(repeating: false, count: 95))
        }
        #expect(device.store.changes.last == change)
        #expect(device.store.lastGood?.version == 1)
        device.end()
    }

    @Test("a bundle that is held back passes after as many navigations with few failures")
    func passingLater() async throws {
        let device = try await heldDevice()
        await device.navigate(Array(repeating: false, count: 99))
        #expect(device.store.lastGood?.version == 1)
        await device.navigate([true])
        #expect(device.store.lastGood?.version == 2)
        #expect(device.store.current?.isHeld == false)
        #expect(device.store.changes.suffix(2).map(\.kind) == [.held, .passed])
        device.end()
    }

    @Test("a bundle that is held back is not rolled back, but fails to pass")
    func laterFailures() async throws {
        let device = try await heldDevice()
        await device.navigate(Array(repeating: true, count: 200))
        #expect(device.version == 2)
        #expect(device.store.quarantined == [])
        #expect(device.store.changes.last?.kind == .held)
        device.end()
    }

    @Test("short visits do not quarantine a bundle that is held back")
    func shortVisitsWhileHeld() async throws {
        let device = try await heldDevice()
        device.end()
        let confirmed = try Device(device.sample)
        try confirmed.store.confirm()
        let versions = try (1...5).map { _ in try device.sample.start().version }
        #expect(versions == [2, 2, 1, 2, 1])
        #expect(device.sample.open().quarantined == [])
    }

    @Test(
        "all navigations of a long turn count, even before the supervision begins and while it ends",
        arguments: [true, false]
    )
    func longTurn(_ decides: Bool) async throws {
        let sample = StoreSample()
        _ = try sample.open().stage(sample.bundle(1))
        let store = sample.open()
        let router = try store.start { try Router(scripts: $0.scripts, host: HeadlessHost()) }
        router.start(completion: nil)
        for _ in 0..<1_199 {
            router.navigate(Target("Page", "open"), info: ["fails": false], completion: nil)
        }
        let supervision = Supervision(of: router, in: store)
        if decides { await supervision.decide() }
        supervision.end()
        #expect(store.lastGood?.counts.navigations == 1_200)
        router.shutDown()
    }

    @Test("a bundle stays staged while the router is pinned to the bundle of a rollback")
    func pinnedRouter() async throws {
        let device = try await device([], same)
        try await device.router.reload(StoreSample.embedded)
        device.router.rollback()
        #expect(device.version == 1)
        await #expect(throws: RouteError.self) {
            try await device.activate()
        }
        #expect(device.store.candidate?.version == 2)
        device.end()
    }

    @Test(
        "a bundle whose capabilities differ from those of the running scripts waits for the next start"
    )
    func capabilities() async throws {
        let device = try await device([]) { try $0.bundle(2, capabilities: ["push"]) }
        #expect(try await !device.store.activate(in: device.router))
        #expect(device.version == 1)
        device.end()
        let next = try Device(device.sample)
        #expect(next.version == 2)
        // It may not show the page: a failure of another sort.
        await next.navigate([false, false, false, false])
        #expect(next.store.quarantined == [])
        // The last good bundle has other capabilities: it waits for a start as well.
        await next.navigate([true, true, true])
        #expect(next.version == 2)
        #expect(
            next.warnings == [
                "version 2 of the bundle 'podcast' is quarantined, and runs until the next start, "
                    + "which loads version 1, because their capabilities differ: 3 of 8 "
                    + "navigations failed (at most 2 expected)"
            ]
        )
        #expect(next.store.quarantined.count == 1)
        next.end()
        #expect(try Device(device.sample).version == 1)
    }

    @Test(
        "a bundle has only the capabilities that are granted to its kind and requested by its manifest"
    )
    func grants() throws {
        var grants = BundleGrants()
        grants.signed.tree.remove(.push)
        grants.embedded.screens = ["Main"]
        let asked = BundleCapabilities(["push", "present", "screens:Page"])
        let signed = grants.capabilities(of: .signed, asking: asked)
        #expect(signed.tree == [.present])
        #expect(signed.screens == ["Page"])
        #expect(grants.capabilities(of: .embedded).screens == ["Main"])
        #expect(grants.capabilities(of: .any).tree == [])
    }

    // MARK: A fleet

    @Test(
        "the selected share matches the percentage, and a higher percentage deselects no device"
    )
    func shares() {
        let keys = (0..<10_000).map { "device \($0)" }
        var selected: Set<String> = []
        for percent in [0.0, 1, 5, 20, 50, 100] {
            let next = keys.filter {
                BundleRollout.isSelected($0, name: "podcast", version: 42, percent: percent)
            }
            #expect(abs(Double(next.count) / 100 - percent) < 1.5)
            #expect(selected.isSubset(of: next))
            selected = Set(next)
        }
        // Other devices are the first to take the next version.
        let first = keys.filter {
            BundleRollout.isSelected($0, name: "podcast", version: 42, percent: 5)
        }
        let next = first.filter {
            BundleRollout.isSelected($0, name: "podcast", version: 43, percent: 5)
        }
        #expect(next.count < first.count / 4)
    }

    @Test(
        "probation stops a bad bundle after only the selected share of 1,000 devices has run the bundle"
    )
    func fleet() async throws {
        var random = RandomNumbers(seed: 7)
        let key = BundlePrivateKey()
        var devices: [(name: String, sample: StoreSample)] = []
        let good = try StoreSample(key: key).bundle(1)
        for number in 0..<1_000 {
            let sample = StoreSample(key: key)
            sample.time.now += random.below(100_000)
            _ = try sample.open().stage(good)
            devices.append(("device \(number)", sample))
        }
        // Every second navigation of the bad version fails.
        let bad = try StoreSample(key: key).bundle(2)
        var seen = 0
        var quarantined = 0
        for (name, sample) in devices {
            let share = BundleRollout.share(of: name, name: "podcast", version: 2)
            let first = try Device(sample)
            try first.store.confirm()
            await first.navigate(after: 600)
            #expect(first.store.lastGood?.version == 1)
            guard case .staged = try first.store.stage(bad, percent: 10, key: name) else {
                #expect(share >= 10)
                first.end()
                continue
            }
            #expect(share < 10)
            first.end()
            let second = try Device(sample)
            if second.version == 2 { seen += 1 }
            try second.store.confirm()
            let failures = (0..<40).map { _ in random.happens(50) }
            await second.navigate(failures)
            quarantined += second.store.quarantined.count
            second.end()
            #expect(try Device(sample).version == 1)
        }
        let selected = devices.filter {
            BundleRollout.isSelected($0.name, name: "podcast", version: 2, percent: 10)
        }
        #expect(seen == selected.count)
        #expect(quarantined == seen)
        #expect((70..<130).contains(seen))
    }
}
#endif
