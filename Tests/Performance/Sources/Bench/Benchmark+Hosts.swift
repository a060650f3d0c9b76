// SPDX-License-Identifier: MIT

import LuaRouteObservation
import LuaRouteUIKit
import LuaRouting
@_spi(Person) import UIKitStandin

/// Benchmarks of pushes and idle turns with the hosts of the library.
extension Benchmark {
    static func hosts() throws -> [Benchmark] {
        let (small, large) = (StandingTree.sizes[0], StandingTree.sizes[2])
        func benchmark(
            _ name: String,
            _ text: String,
            of work: (Int) throws -> Side
        ) throws -> Benchmark {
            Benchmark(
                name: name,
                text: "\(text), \(large) screens",
                baselineText: "\(small) screens",
                bounds: [1.5],
                ours: try work(large),
                baseline: try work(small)
            )
        }
        return [
            try benchmark("N8", "push and back, UIKitHost") { size in
                try push(try MainActor.assumeIsolated { try HostedTree(viewsOf: size) })
            },
            try benchmark("N8-model", "push and back, RouterModel") { size in
                try push(try MainActor.assumeIsolated { try HostedTree(modelOf: size) })
            },
            try benchmark("N9", "an idle turn, UIKitHost") { size in
                let tree = try MainActor.assumeIsolated { try HostedTree(viewsOf: size) }
                return Side(expected: { Int64($0) }) { count in
                    MainActor.assumeIsolated {
                        for _ in 0..<count { tree.device.perform {} }
                        return Int64(count)
                    }
                }
            },
        ]
    }

    private static func push(_ tree: HostedTree) throws -> Side {
        Side(expected: { Int64($0) }) { count in
            try MainActor.assumeIsolated { try tree.push(count) }
        }
    }
}

/// The tree of a ``StandingTree``, shown by a host of the library.
@MainActor
private final class HostedTree {
    let device = Device.current
    private let router: Router
    private let tree: String

    private static let script = """
        router.register("Page", "push", { build = router.screen "Page" })
        """

    convenience init(viewsOf size: Int) throws {
        Device.restart()
        let host = UIKitHost()
        for name in ["Page", "Top"] { host.screens[name] = { _ in UIViewController() } }
        let router = try Router(scripts: ScriptBundle(files: ["main.lua": Self.script]), host: host)
        host.follow(router, movesClock: false)
        let window = UIWindow()
        window.makeKeyAndVisible()
        host.show("main", in: window)
        try self.init(router, size)
    }

    convenience init(modelOf size: Int) throws {
        let model = RouterModel()
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: model
        )
        model.connect(to: router)
        try self.init(router, size)
    }

    private init(_ router: Router, _ size: Int) throws {
        self.router = router
        try router.setTree(TreeNotation(StandingTree.notation(of: size)))
        device.run()
        tree = router.treeNotation()
    }

    /// Pushes a screen and goes back the given number of times, and returns the number.
    func push(_ count: Int) throws -> Int64 {
        let options = NavigationOptions(isAnimated: false)
        for _ in 0..<count {
            _ = try router.navigate(Target("Page", "push"), options: options).reached()
            device.perform {}
            _ = try router.back(options: options).reached()
            device.perform {}
        }
        return router.treeNotation() == tree ? Int64(count) : -1
    }
}
