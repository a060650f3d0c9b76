// SPDX-License-Identifier: MIT

import LuaRouting
import LuaVM

/// A router with a fixed stack, and a host that must never be asked to change it.
final class StandingStack {
    let router: Router
    private let host = HeadlessHost()
    private let tree: String
    private let top: ScreenID

    init(_ script: String) throws {
        // No app's script registers 100,000 routes, and profilers are slow.
        router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: host,
            configuration: Router.Configuration(
                budget: Budget(duration: .seconds(60), bytes: 1 << 30),
                loadBudget: Budget(instructions: .max, duration: .seconds(60), bytes: 1 << 30)
            )
        )
        router.start()
        guard let window = router.tree.windows.first else {
            throw WrongResult(benchmark: "N", side: "start", expected: "a tree", got: "none")
        }
        top = router.tree.visibleLeaf(of: window)
        tree = router.treeNotation()
        host.forgetChanges()
    }

    /// Navigates the given number of times, and returns the sum of the serials of the reached
    /// screens.
    func navigate(_ target: Target, _ info: InfoTable, _ count: Int) throws -> Int64 {
        var sum: Int64 = 0
        for _ in 0..<count {
            let navigation = router.navigate(target, info: info)
            sum &+= Int64(try navigation.reached().serial)
        }
        guard host.changes.isEmpty, router.treeNotation() == tree else {
            throw WrongResult(
                benchmark: "\(target)",
                side: "the tree",
                expected: tree,
                got: router.treeNotation()
            )
        }
        return sum
    }

    func side(_ target: Target, _ info: InfoTable, operations: Int = 1) -> Side {
        let serial = Int64(top.serial)
        return Side(operations: operations, expected: { Int64($0) * serial }) { [self] count in
            try navigate(target, info, count)
        }
    }
}

/// A router whose tree has a given size: a stack of eight pages in the selected tab and stacks of a
/// hundred screens in the other tabs, or a single stack.
final class StandingTree {
    static let sizes = [10, 100, 1_000, 10_000]

    /// An operation that leaves the tree unchanged.
    enum Work: String {
        case push, near, missing, open

        var text: String {
            switch self {
            case .push: "push and back"
            case .near: "find the visible screen by its class"
            case .missing: "find nothing by class, push and back"
            case .open: "open a URL and back"
            }
        }
    }

    let router: Router
    private let host = DutifulHost()
    private let tree: String

    private static let script = """
        local register, screen = router.register, router.screen
        register("Page", "push", { build = screen "Page" })
        register("Page", "near", { find = "Top", build = screen "Page" })
        register("Page", "missing", { find = "Absent", build = screen "Page" })
        register("Page", "open", { url = "/page/:id(int)", build = screen "Page" })
        for i = 2, PATTERNS do
          register("Page" .. i, "open", {
            url = "/area" .. i % 100 .. "/page" .. i .. "/:id(int)", build = screen "Page",
          })
        end
        """

    /// Creates a tree of the given size, with the given number of URL patterns.
    convenience init(of size: Int, patterns: Int = 1) throws {
        try self.init(Self.notation(of: size), size, patterns: patterns)
    }

    /// Creates a tree that is a single stack.
    convenience init(stackOf pages: Int) throws {
        try self.init(Self.stack(pages, "Top"), pages + 1)
    }

    private init(_ notation: String, _ size: Int, patterns: Int = 1) throws {
        let script = "local PATTERNS = \(patterns)\n" + Self.script
        // Profilers are slow.
        let patient = Budget(instructions: .max, duration: .seconds(60), bytes: 1 << 30)
        router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: host,
            configuration: Router.Configuration(loadBudget: patient)
        )
        // The screens that the script wrote as patterns go.
        router.collectGarbage()
        try router.setTree(TreeNotation(notation))
        tree = router.treeNotation()
        guard router.tree.heldCount == size else {
            throw WrongResult(
                benchmark: "N4",
                side: "the tree",
                expected: "\(size) screens",
                got: "\(router.tree.heldCount)"
            )
        }
    }

    static func notation(of size: Int) -> String {
        var rest = size - 10
        var tabs = ["*\(stack(8, "Top"))"]
        while rest > 0 {
            tabs.append(stack(min(rest, 100) - 1, "Page"))
            rest -= min(rest, 100)
        }
        return "tabs[\(tabs.joined(separator: ", "))]"
    }

    private static func stack(_ pages: Int, _ last: String) -> String {
        let pages = (1..<pages).map { "Page(n=\($0))" } + [last]
        return "nav[\(pages.joined(separator: ", "))]"
    }

    /// Does the work the given number of times, and returns the number of changes that the host
    /// received.
    private func run(_ work: Work, _ count: Int) throws -> Int64 {
        let before = host.applied
        for _ in 0..<count {
            let navigation =
                work == .open
                ? router.open("/page/7") : router.navigate(Target("Page", work.rawValue))
            _ = try navigation.reached()
            if work != .near { _ = try router.back().reached() }
        }
        return Int64(host.applied - before)
    }

    func side(_ work: Work) -> Side {
        let changes: Int64 = work == .near ? 0 : 2
        // The whole tree is compared where its size does not count: outside the measured time.
        return Side(expected: { self.isUnchanged ? Int64($0) * changes : -1 }) { [self] count in
            try run(work, count)
        }
    }

    private var isUnchanged: Bool { router.treeNotation() == tree }
}

/// A host that completes every change immediately and stores nothing.
final class DutifulHost: RouterHost {
    private(set) var applied = 0

    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        applied += 1
        done(.success(()))
    }
}

extension Navigation {
    /// The screen that the navigation has reached.
    ///
    /// - Throws: ``WrongResult`` if the navigation is not done.
    func reached() throws -> ScreenID {
        guard case .done = status, let screen else {
            throw WrongResult(
                benchmark: "\(target.map(String.init) ?? "back")",
                side: "a navigation",
                expected: "done",
                got: "\(status)"
            )
        }
        return screen
    }
}
