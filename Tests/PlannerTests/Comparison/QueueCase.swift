// SPDX-License-Identifier: MIT

import LuaRouting
import RandomNumbers
import RouteCore

/// Pages, and the actions of an app and its user while navigations wait.
struct QueueCase: Sendable {
    enum Deed: Sendable {
        case navigate(Int, isLink: Bool)
        case verb(NaiveQueue.Act, isForced: Bool)
        /// Answers the topmost dialog.
        case answer(yes: Bool)
        case cancel(Int)
        case logOut
    }

    var pages: [NaiveQueue.Page]
    var deeds: [Deed]

    init(seed: UInt64) {
        var numbers = RandomNumbers(seed: seed)
        pages = (0..<5).map { _ in
            NaiveQueue.Page(
                needsLogin: numbers.isTrue(oneIn: 2),
                asks: numbers.isTrue(oneIn: 2),
                isFromHome: numbers.isTrue(oneIn: 2),
                atDialog: numbers.pick(NaiveQueue.Page.AtDialog.allCases)
            )
        }
        deeds = (0..<4 + numbers.below(12)).map { _ in
            switch numbers.below(16) {
            case 0...6: .navigate(numbers.below(5), isLink: numbers.isTrue(oneIn: 2))
            case 7...10: .answer(yes: !numbers.isTrue(oneIn: 3))
            case 11, 12, 13:
                .verb(
                    numbers.pick([.back, .popToRoot, .popHome, .popHome, .dismiss]),
                    isForced: numbers.isTrue(oneIn: 4)
                )
            case 14: .cancel(numbers.below(10))
            default: .logOut
            }
        }
    }

    var script: String {
        """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Ask", "show", { build = router.screen "Ask", via = "present" })
        router.register("Login", "show", {
          find = "Login",
          build = router.screen "Login",
          via = "presentWithNav",
        })
        local function ask(service)
          local ok, yes = router.navigate(service, "show"):result()
          if not (ok and yes) then router.stop "no" end
        end
        router.interceptor("login", function()
          if router.state.user then return end
          ask "Login"
          router.state.user = true
        end)

        """ + pages.enumerated().map { Self.text($1, "P\($0)") }.joined()
    }

    private static func text(_ page: NaiveQueue.Page, _ name: String) -> String {
        var keys = ["url = \"/\(name)\"", "build = router.screen \"\(name)\""]
        keys.append("atDialog = \"\(page.atDialog.rawValue)\"")
        if page.needsLogin { keys.append("intercept = \"login\"") }
        if page.isFromHome { keys.append("from = router.link { find = \"Home\" }") }
        let leaving =
            page.asks
            ? "router.class(\"\(name)\", { leaving = function() ask \"Ask\" end })\n" : ""
        return leaving
            + "router.register(\"\(name)\", \"show\", { \(keys.joined(separator: ", ")) })\n"
    }

    /// Runs the case on both sides.
    ///
    /// - Parameters:
    ///   - met: Receives the names of the rules that have applied.
    ///   - mistake: Changes the result of the naive side, to check that the difference is found.
    /// - Returns: The first difference; nil if there is none.
    /// - Throws: The error of a script that does not load.
    func difference(
        _ met: inout Set<String>,
        mistake: (String) -> String = { $0 }
    ) throws -> String? {
        let router = try Router(
            scripts: ScriptBundle(files: ["main.lua": script]),
            host: HeadlessHost()
        )
        router.start()
        let naive = NaiveQueue(pages: pages)
        defer { met.formUnion(naive.met) }
        var begun: [(Navigation, NaiveQueue.Journey)] = []
        for (number, deed) in deeds.enumerated() {
            switch deed {
            case .navigate(let page, let isLink):
                let navigation =
                    isLink ? router.open("/P\(page)") : router.navigate(Target("P\(page)", "show"))
                begun.append((navigation, naive.perform(.page(page), isLink: isLink)))
            case .verb(let verb, let isForced):
                let options = NavigationOptions(force: isForced)
                let navigation =
                    switch verb {
                    case .back: router.back(options: options)
                    case .dismiss: router.dismiss(options: options)
                    case .popHome: router.pop(to: Self.home(in: router), options: options)
                    default: router.popToRoot(options: options)
                    }
                begun.append((navigation, naive.perform(verb, isForced: isForced)))
            case .answer(let yes):
                guard let dialog = naive.dialog, let screen = Self.dialog(in: router) else {
                    continue
                }
                let navigation = router.close(screen, value: yes ? true : .nil)
                begun.append((navigation, naive.perform(.close(dialog.serial, yes: yes))))
            case .cancel(let index):
                guard begun.indices.contains(index) else { continue }
                router.cancel(begun[index].0)
                naive.cancel(begun[index].1)
            case .logOut:
                try router.setState("user", to: .nil)
                naive.logOut()
            }
            let engine = Self.text(router.treeNotation(), begun.map { Self.end(of: $0.0) })
            let expected = mistake(Self.text(naive.text, begun.map { $0.1.end ?? "pending" }))
            if engine != expected {
                return "deed \(number + 1), \(deed):\n  naive   \(expected)\n  engine  \(engine)"
            }
        }
        return nil
    }

    private static func text(_ tree: String, _ ends: [String]) -> String {
        "\(tree) \(ends.joined(separator: " "))"
    }

    private static func end(of navigation: Navigation) -> String {
        if case .failed(let error) = navigation.status { return error.code.rawValue }
        return navigation.status.name
    }

    private static func home(in router: Router) -> ScreenID {
        router.tree[router.tree.windows[0].root].children[0]
    }

    private static func dialog(in router: Router) -> ScreenID? {
        var last: ScreenID?
        for window in router.tree.windows {
            router.tree.visit(window.root) { screen in
                if ["Login", "Ask"].contains(screen.class) { last = screen.id }
            }
        }
        return last
    }

    /// Returns the case without the actions that the difference does not need.
    func reduced() throws -> QueueCase {
        var (small, index): (QueueCase, Int) = (self, 0)
        var met: Set<String> = []
        while index < small.deeds.count {
            var next = small
            next.deeds.remove(at: index)
            if try next.difference(&met) != nil { small = next } else { index += 1 }
        }
        return small
    }
}
