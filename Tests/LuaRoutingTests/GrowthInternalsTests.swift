// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import TestSupport
import Testing

@testable import LuaRouting

/// Tests that each collection of a router that can grow because of scripts has a limit.
@Suite(.failureReports)
struct GrowthInternalsTests {
    /// The collections that are not ``Bounded``, each with its maximum number of elements; nil if
    /// the elements count as memory of the scripts (`MemoryTests`).
    private static let limits: [String: Int?] = [
        // The last events, of which the recorder keeps the newest.
        "FlightRecorder.details": 500, "Details.fields": 5_000, "FlightRecorder.targets": 1_000,
        "FlightRecorder.numbers": 1_000,
        "Timers.entries": 10_000, "WorkQueue.gated": 1_000, "Router.pendingTasks": 1_000,
        "Shared.openGates": 1_000, "World.shown": 64,
        // The objects that scripts hold.
        "HeldObjects.navigations": nil, "HeldObjects.tasks": nil, "HeldObjects.routings": nil,
        "HeldObjects.hosted": nil, "HeldObjects.sizes": nil, "HeldObjects.numbers": nil,
        // Declarations, by the bytes of their arguments.
        "ScriptRuntime.declaredSizes": nil, "Generation.listeners": nil,
        "Declarations.exports": nil,
        "Declarations.interceptors": nil, "Declarations.interceptAll": nil,
        "Declarations.providers": nil, "Declarations.actions": nil, "ClassDeclarations.all": nil,
        "ScreenClasses.declared": nil, "ScreenClass.fields": nil, "RouteTable.places": nil,
        "RouteTable.entries": nil, "RoutingTable.routings": nil,
        "LinkDeclarations.routings": nil,
    ]

    /// Statements that a script may repeat, in which `n` is the number of the repetition.
    private static let acts = [
        "router.log.info('x')",
        "router.on('done', function() end)",
        "router.delay(1e6, function() end)",
        "router.navigate('Wait', 'show', { n = n })",
        "router.navigate('No' .. n, 'show')",
        "router.navigate('No', 'show', {}, { completion = function() end })",
        "router.navigate('Page', 'show', { n = n })",
        "router.doTask('Host', 'work', { n = n })",
        "router.doTask('No' .. n, 'work')",
        "router.dispatch('https://a.example/' .. n)",
        "router.export('e' .. n, function() end)",
        "router.register('R' .. n, 'show', { build = router.screen 'R' })",
        "router.interceptor('i' .. n, function() end) router.interceptAll('i' .. n)",
        "router.class('C' .. n, { fields = { 'id' } })",
        "router.action('a' .. n, function() end)",
        "router.provide('d' .. n, function() return {} end)",
        "router.state['s' .. n] = n",
        "router.ready('g' .. n)",
        "pcall(require, 'm' .. n)",
        "held = held or {} held[n] = router.screen('S' .. n)",
        "router.openWindow('w' .. n, router.screen 'W')",
        "router.routing('/r' .. n)",
    ]

    /// Statements, with the collections that they fill up to a maximum number of elements.
    private static let numbers = [
        ("router.delay(1e6, function() end)", "Timers.entries"),
        ("router.navigate('Wait', 'show', { n = n })", "WorkQueue.gated"),
        ("router.doTask('Host', 'work', { n = n })", "Router.pendingTasks"),
        ("router.ready('g' .. n)", "Shared.openGates"),
        ("router.openWindow('w' .. n, router.screen 'W')", "World.shown"),
        ("router.log.info('x')", "FlightRecorder.details"),
    ]

    private static let script = """
        router.start(function() return router.nav { router.screen 'Main' } end)
        router.expects { tasks = { 'Host/work' } }
        router.register('Wait', 'show', { ready = 'gate', build = router.screen 'Page' })
        router.register('Page', 'show', { build = router.screen 'Page', via = 'push', from = 'root' })
        router.links { "https://a.example" }
        router.on('log', function() end)
        router.export('ping', function() return 'pong' end)
        local n = 0
        router.export('act', function(of)
          for _ = 1, of.times do n = n + 1 act(n) end
        end)
        """

    private func fixture(_ act: String) throws -> RouterFixture {
        var configuration = Router.Configuration.patient
        configuration.budget.instructions = 200_000_000
        let body = "local held\nlocal function act(n) \(act) end\n"
        return try RouterFixture(body + Self.script, configuration: configuration)
    }

    @Test("every collection that scripts can fill has a limit", arguments: acts)
    func growth(_ act: String) throws {
        let fixture = try fixture(act)
        try fixture.call("act", ["times": 5])
        let before = Collections(of: fixture.router).sizes
        try fixture.call("act", ["times": 50])
        let grown = Collections(of: fixture.router).sizes.filter { name, size in
            size >= before[name, default: 0] + 40
        }
        #expect(grown.keys.filter { Self.limits[$0] == nil } == [])
    }

    @Test(
        "a collection with a limit can be filled up to the limit and no further",
        arguments: numbers
    )
    func number(_ act: String, _ name: String) throws {
        let fixture = try fixture(act)
        let limit = try #require(Self.limits[name] ?? nil)
        // In several entries: each may fail, for example because it has written enough to the log.
        for _ in 0..<4 { _ = try? fixture.call("act", ["times": .integer(Int64(limit / 3))]) }
        let size = try #require(Collections(of: fixture.router).sizes[name])
        // There are three kinds of timers, and a window that was open before.
        #expect(limit...limit + 3 ~= size)
        #expect(try fixture.call("ping") == "pong")
    }
}

/// The sizes of all collections that are reachable from a router, by the property that contains
/// them.
struct Collections {
    /// The sizes by type and property.
    ///
    /// For several objects of the same type, the size is the sum.
    private(set) var sizes: [String: Int] = [:]
    private var seen: Set<ObjectIdentifier> = []

    init(of router: Router) {
        visit(router, "Router")
        visit(router.world, "World")
        for navigation in router.pending { visit(navigation.record, "NavigationRecord") }
    }

    private mutating func visit(_ value: Any, _ name: String) {
        // Counted as they are: by bytes, and with limits of their own.
        if value is ScreenTree || value is Value || value is InfoTable || value is TestHost {
            return
        }
        var type = "\(Swift.type(of: value))"
        if type == "State" {
            // That of an object, which has the name.
            type = "\(String(reflecting: Swift.type(of: value)).split(separator: ".")[1])"
        }
        if type.hasPrefix("Bounded<") || type == "LuaState" { return }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class {
            guard seen.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
        }
        switch mirror.displayStyle {
        case .collection, .set, .dictionary:
            sizes[name, default: 0] += mirror.children.count
            for child in mirror.children { visit(child.value, name) }
        case .class, .struct, .tuple, .enum, .optional:
            var own: Mirror? = mirror
            while let each = own {
                for child in each.children {
                    let isNamed = [.class, .struct].contains(mirror.displayStyle)
                    visit(child.value, isNamed ? "\(type).\(child.label ?? "")" : name)
                }
                own = each.superclassMirror
            }
        default: break
        }
    }
}
