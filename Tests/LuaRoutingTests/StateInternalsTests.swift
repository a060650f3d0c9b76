// SPDX-License-Identifier: MIT

import RouteEngine
import TestSupport
import Testing

@testable import LuaRouting

/// Tests that each object that a checkpoint contains has its properties in one struct, which the
/// checkpoint copies.
@Suite(.failureReports)
struct StateInternalsTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Home" } end)
        local function page(info) return router.screen("Page", { id = info.id }) end
        router.register("Page", "show", { build = page })
        router.register("Gated", "show", { build = page, ready = "open" })
        router.register("Asked", "show", {
          build = page, intercept = function() router.sleep(10) end, needs = { "store" },
        })
        router.expects { tasks = { "Host/work" }, dependencies = { "store" } }
        router.registerTask("Lua", "work", function() router.sleep(5) return 1 end)
        router.export("slow", function() router.sleep(1) return 1 end)
        """

    /// The stored properties that are not part of the copied struct: constants, and properties that
    /// no rewind restores.
    private static let outside: [String: Set<String>] = [
        "Activity": ["answering", "chain", "hasOwnTimeout", "navigation", "title"],
        "Declarations": ["compileLinks", "unchangedState"],
        "ExportedCall": ["id", "name"],
        "Generation": ["bundle", "declarations", "number", "router", "runtime"],
        "HeldObjects": ["generation", "hasMetHandle", "names"],
        // The state is made of these two, which are structs.
        "Navigation": [
            "chain", "course", "generationNumber", "hasPlainOptions", "id", "isRoute", "location",
            "memory", "opensURL", "origin", "parent", "parentNavigation", "progress",
        ],
        "Navigation.Question": ["interception", "name", "start"],
        "QueuedLink": ["chain", "id", "isPersistent", "key", "location", "origin", "text"],
        "Reload": ["bundle", "immediateCanary", "isForced", "isRollback", "wake"],
        "RouteTask": [
            "id", "isByScript", "location", "memory", "navigation", "ownBytes", "target",
        ],
        "Router": [
            "askedChanges", "awaitsAllWork", "capabilities", "configuration", "counters",
            "hostStorage",
            "isAdvancing", "isRecording", "isRestricted", "keptMemory", "lending", "observers",
            "pacemaker", "recorder", "startTime", "worldStorage",
        ],
        "Routing": ["location", "number", "overrides", "pattern"],
        "ScriptRuntime": [
            "connectedOwner", "declaredHandles", "isLoading", "knownHandles", "lastDeclaration",
            "lending", "lua", "objects", "passingHandles", "reducedBudget", "spareArguments",
            "weakTables",
        ],
        "Wait": ["isCounted", "start"],
    ]

    /// Classes that never change, or that a rewind restores in another way: the flight recorder
    /// returns to a position, and byte counts are computed again.
    private static let others: Set<String> = [
        "ArgumentTree", "Boxed", "BundleSources", "FlightRecorder", "KeptMemory", "Lending",
        "ScriptObjects", "Step", "WeakTables", "Worker",
    ]

    private let app: RouterFixture
    private var router: Router { app.router }

    init() throws {
        app = try RouterFixture(Self.script)
        app.navigate("Gated", "show")
        app.navigate("Asked", "show")
        app.doTask("Host", "work")
        app.doTask("Lua", "work")
        router.dispatch("/later")
        router.call("slow") { _ in }
    }

    @Test("each property of an object is included in its state or listed as an exception")
    func properties() throws {
        var walk = ObjectWalk()
        walk.visit(router)
        let lost = walk.properties.flatMap { type, labels in
            labels.subtracting(Self.outside[type] ?? (Self.others.contains(type) ? labels : []))
                .map { "\(type).\($0)" }
        }
        #expect(lost.sorted() == [], "move it into the struct 'State' of its type")
    }
}

/// Returns the name of a value's type within its module.
private func name(of value: Any) -> String {
    String(reflecting: type(of: value)).prefix { $0 != "<" }
        .split(separator: ".").dropFirst().joined(separator: ".")
}

/// The stored properties of the objects that a router refers to, without their states.
private struct ObjectWalk {
    private(set) var properties: [String: Set<String>] = [:]
    private var seen: Set<ObjectIdentifier> = []

    mutating func visit(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class {
            let module = String(reflecting: type(of: value)).split(separator: ".")[0]
            guard ["LuaRouting", "RouteEngine"].contains(module),
                seen.insert(ObjectIdentifier(value as AnyObject)).inserted
            else { return }
            let labels = Set(mirror.children.compactMap(\.label))
            properties[name(of: value), default: []]
                .formUnion(labels.subtracting(["state", "contents"]))
        }
        for child in mirror.children { visit(child.value) }
    }
}
