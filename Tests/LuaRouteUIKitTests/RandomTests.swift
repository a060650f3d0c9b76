// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteUIKit
import LuaRouting
import RandomNumbers
import TestSupport
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// Tests with random changes, gestures of the user, and faults of UIKit.
    @MainActor
    struct RandomTests {
        /// The number of changes, and the first seed.
        ///
        /// The environment variables `LUAROUTE_UIKIT_CHANGES` and `LUAROUTE_UIKIT_SEED` replace
        /// them. Each seed makes 100 changes for each of the three fault rates. To run one seed,
        /// set the number of changes to 300: `LUAROUTE_UIKIT_SEED=50 LUAROUTE_UIKIT_CHANGES=300`.
        nonisolated static let count = environment("LUAROUTE_UIKIT_CHANGES") ?? 4000
        nonisolated static let firstSeed: UInt64 = environment("LUAROUTE_UIKIT_SEED") ?? 0

        nonisolated private static func environment<Number: FixedWidthInteger>(
            _ name: String
        ) -> Number? {
            ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
        }

        @Test(
            "after random user actions and UIKit refusals, the windows show the tree again",
            .tags(.sweep),
            .unlessQuick,
            arguments: [0, 5, 25]
        )
        func changes(faults percent: Int) throws {
            var statistics: [String: Int] = [:]
            let runs = max(Self.count / 3 / 100, 1)
            let seeds = (Self.firstSeed..<Self.firstSeed + UInt64(runs)).sweepShare
            for seed in seeds {
                let run = try RandomRun(seed: seed, faults: percent)
                for number in 0..<100 {
                    try run.change()
                    let problems = run.problems
                    guard problems.isEmpty else {
                        Issue.record(
                            """
                            seed \(seed), change \(number): \(problems.joined(separator: "; "))
                            \(run.trees)
                            \(run.journal.suffix(12).joined(separator: "\n"))
                            """
                        )
                        return
                    }
                }
                statistics.merge(run.statistics, uniquingKeysWith: +)
            }
            // A run that fails all navigations would show nothing; a single seed may fail most.
            if seeds.count > 9 { #expect(statistics["done", default: 0] > seeds.count * 20) }
            print("faults \(percent) %: \(statistics.sorted { $0.key < $1.key })")
        }
    }
}

@MainActor
private final class RandomRun {
    let app: AppFixture
    private var numbers: RandomNumbers
    private let percent: Int
    private(set) var journal: [String] = []
    private(set) var statistics: [String: Int] = [:]
    private var lastPage = 0
    private var isFaulty = false

    init(seed: UInt64, faults percent: Int) throws {
        app = try AppFixture(Self.script)
        app.host.usesTabs = !seed.isMultiple(of: 2)
        _ = app.start()
        numbers = RandomNumbers(seed: seed)
        self.percent = percent
        app.device.happens = { [unowned self] fault in
            guard isFaulty, numbers.happens(percent) else { return false }
            note("fault \(fault)")
            return true
        }
        app.host.openWindow = { [unowned self] name in
            let window = UIWindow()
            app.windows[name] = window
            app.host.show(name, in: window)
        }
    }

    /// A script in which every fifth page is guarded, and every tenth page refuses to be removed.
    private static let script =
        AppFixture.script + """

            router.class("Page", {
              guarded = function(page) return page.id % 5 == 0 end,
              leaving = function(_, page)
                if page.id % 10 == 0 then router.stop "it stays" end
              end,
            })
            """

    private func note(_ text: String) {
        journal.append(text)
        statistics[String(text.prefix { $0 != " " }), default: 0] += 1
    }

    /// Makes one or more changes at the same time, with gestures in between, and waits until the
    /// app is at rest.
    func change() throws {
        unkept = []
        guard numbers.happens(70) else {
            // Nothing competes with what the person does.
            let kept = gesture()
            hasRested = app.rest()
            if let kept, !kept() { unkept = ["the gesture is undone"] }
            return
        }
        isFaulty = true
        for _ in 0...numbers.below(3) {
            if numbers.happens(50) { try navigate() } else { gesture() }
            app.run(for: [0, 0.1, 0.2, 0.3][numbers.below(4)])
        }
        isFaulty = false
        hasRested = app.rest()
    }

    private var hasRested = true
    private var unkept: [String] = []

    var problems: [String] {
        (hasRested ? [] : ["no rest"]) + unkept + app.differences + app.device.exceptions
            + app.router.tree.checkInvariants() + wrongGuards
    }

    /// The topmost modals that the user can pull down although they are guarded, or cannot pull
    /// down although they are not guarded.
    private var wrongGuards: [String] {
        let tree = app.router.tree
        return tree.windows.map { tree.topmost(of: $0) }.compactMap { id in
            guard tree[id].presenter != nil, tree[id].kind != .foreign,
                let modal = app.host.controller(of: id)
            else { return nil }
            let isKept = tree[id].presentation.isModal || app.router.guard(of: [id]) != .free
            return modal.isModalInPresentation == isKept ? nil : "\(tree[id].class) is not guarded"
        }
    }

    private var windowNotations: [String] {
        app.router.tree.windows.map { "\($0.name): \(app.router.treeNotation(window: $0.name))" }
    }

    var trees: String {
        (windowNotations + app.lines.suffix(5) + app.device.warnings.suffix(5)).joined(
            separator: "\n"
        )
    }

    // MARK: Navigations

    private func page() throws -> ScreenID {
        lastPage += 1
        return try app.page(lastPage)
    }

    private func screen(depth: Int = 0) throws -> ScreenID {
        func some(_ range: ClosedRange<Int>) throws -> [ScreenID] {
            try (0..<range.lowerBound + numbers.below(range.count)).map { _ in
                try screen(depth: depth + 1)
            }
        }
        switch depth < 2 ? numbers.below(9) : 0 {
        case 5: return try app.router.nav(try some(1...3))
        case 6: return try app.router.tabs(try some(1...3))
        case 7: return try app.router.split(try some(1...2))
        case 8: return try app.router.container("pages", try some(1...3))
        default: return try page()
        }
    }

    private var screens: [ScreenID] {
        app.router.tree.windows.flatMap { app.router.tree.screens(under: $0.root) }
            .filter { app.router.tree[$0].kind != .foreign }
    }

    private static let actions = [
        "push", "push", "push", "push", "push", "push", "push", "push", "pushAsRoot",
        "pushReplacingLast", "present", "presentWithNav",
        "addTab", "setAsPrimary", "pushToDetails", "pushOnToDetails", "replaceLast",
        "sheet", "sheet", "form", "popover", "over", "inPlace", "overPlace", "firstTab",
        "lift", "lift",
    ]

    private func navigate() throws {
        let place = numbers.pick(screens)
        let isAnimated = numbers.happens(70)
        let options = NavigationOptions(isAnimated: isAnimated)
        let completion: (Navigation) -> Void = { [weak self] in
            let status = "\($0.status)"
            self?.note("\($0.status.name) \(status)")
            if status.contains("host") { self?.note("refused \(status)") }
        }
        switch numbers.below(20) {
        case 0, 1:
            note("back")
            app.router.back(1 + numbers.below(2), options: options, completion: completion)
        case 2: app.router.popToRoot(options: options, completion: completion)
        case 3: app.router.dismiss(options: options, completion: completion)
        case 4: app.router.dismissAll(options: options, completion: completion)
        case 5, 6:
            note("close #\(place.serial)")
            app.router.close(place, options: options, completion: completion)
        case 7, 8:
            note("select #\(place.serial)")
            app.router.select(place, options: options, completion: completion)
        case 9:
            let new = try screen()
            note("replace #\(place.serial)")
            app.router.replace(place, with: new, options: options, completion: completion)
        case 10 where app.router.tree.windows.count < 3:
            let name = "window\(numbers.below(100))"
            app.router.openWindow(name, try screen(), completion: completion)
        case 11 where app.router.tree.windows.count > 1:
            let name = app.router.tree.windows.last?.name ?? ""
            app.router.closeWindow(name, completion: completion)
        default:
            let wraps = numbers.happens(8)
            let action = wraps ? "wrap" : numbers.pick(Self.actions)
            let new = try wraps ? app.router.nav([]) : screen()
            let text = app.router.tree.class(of: new) ?? ""
            note("\(action) \(text) #\(new.serial) from #\(place.serial)")
            var options = options
            options.from = place
            app.router.navigate(
                Target("Put", action),
                info: ["screen": .screen(new)],
                options: options,
                completion: completion
            )
        }
    }

    // MARK: Gestures

    /// The view controllers of the topmost level of a window.
    private var touchable: [UIViewController] {
        var all: [UIViewController] = []
        func visit(_ controller: UIViewController) {
            if let modal = controller.presentedViewController,
                modal.presentingViewController === controller
            {
                return visit(modal)
            }
            all.append(controller)
            for child in controller.children { visit(child) }
        }
        let windows = app.windows.sorted { $0.key < $1.key }.map(\.value)
        if let root = numbers.pick(windows).rootViewController { visit(root) }
        return all
    }

    /// Makes a gesture.
    ///
    /// - Returns: A closure that returns whether the tree shows the effect, to be called when the
    ///   app is at rest; nil if the gesture has no effect.
    @discardableResult
    private func gesture() -> (() -> Bool)? {
        let controllers = touchable
        guard !controllers.isEmpty else { return nil }
        let controller = numbers.pick(controllers)
        var kept: (() -> Bool)?
        app.device.perform { kept = gesture(on: controller) }
        return kept
    }

    /// Returns a closure that checks whether the screen of a view controller has left the tree, or
    /// is still in the tree if `stays` is true.
    ///
    /// When the app is at rest, each view controller that the user can remove has a screen, even in
    /// a box.
    private func leaves(_ controller: UIViewController?, unless stays: Bool) -> () -> Bool {
        if let legacy = controller as? LegacyController, !app.host.controller(isKnown: legacy) {
            // It is over a column of a split view.
            return { (legacy.parent != nil) == stays }
        }
        guard let content = controller.map(app.content), let id = app.host.screen(of: content),
            app.host.controller(of: id) === content
        else { return { false } }
        return { [app] in app.router.tree.isAlive(id) == stays }
    }

    private func gesture(on controller: UIViewController) -> (() -> Bool)? {
        let isCancelled = numbers.happens(25)
        switch controller {
        case _ where controller.presentingViewController != nil && numbers.happens(40):
            var modal = controller
            while let parent = modal.parent { modal = parent }
            if modal is UIAlertController || modal.isContextMenu { return tap(modal) }
            guard modal.pullDown(isCancelled: isCancelled) else { return nil }
            note("pull\(isCancelled ? " cancelled" : "")")
            return leaves(modal, unless: isCancelled)
        case let alert as UIAlertController: return tap(alert)
        case let nav as UINavigationController:
            let top = nav.topViewController
            if numbers.happens(15) {
                note("legacy push")
                let legacy = LegacyController()
                nav.pushViewController(legacy, animated: numbers.happens(50))
                guard legacy.parent === nav else { return nil }
                let logged = app.lines.count
                return { [app] in
                    // The stack that UIKit makes for the column of a split view is no screen.
                    guard app.host.controller(isKnown: nav) else {
                        return legacy.parent === nav
                            && app.lines.dropFirst(logged).contains {
                                $0.contains("has pushed 'LegacyController' over")
                            }
                    }
                    return app.host.screen(of: legacy).map { $0 != app.host.screen(of: nav) }
                        ?? false
                }
            }
            if numbers.happens(15) {
                guard nav.tapBack() else { return nil }
                note("back button")
                return nil
            }
            if numbers.happens(70) {
                guard nav.swipeBack(isCancelled: isCancelled) else { return nil }
                note("swipe\(isCancelled ? " cancelled" : "")")
                return leaves(top, unless: isCancelled)
            }
            let stack = nav.viewControllers
            guard nav.goBack(to: 0) else { return nil }
            note("menu")
            let left = stack.filter { !nav.viewControllers.contains($0) }
                .map { leaves($0, unless: false) }
            return { left.allSatisfy { $0() } }
        case let tabs as UITabBarController:
            guard tabs.tap(numbers.below(max(tabs.shownTabs.count, 1))) else {
                return nil
            }
            note("tap")
            let selected = tabs.shownTab
            return { tabs.shownTab === selected }
        case let split as UISplitViewController:
            if split.isCollapsed, numbers.happens(50) {
                let detail = split.viewController(for: .secondary)
                guard split.goBackToPrimary() else { return nil }
                note("goBackToPrimary")
                return leaves(detail, unless: false)
            }
            let windows = windowNotations
            guard split.turn(collapsed: !split.isCollapsed) else { return nil }
            note("turn")
            return { [unowned self] in windowNotations == windows }
        default:
            if numbers.happens(8) {
                let windows = windowNotations
                guard controller.openContextMenu() != nil else { return nil }
                note("menu over \(controller)")
                return { [unowned self] in windowNotations == windows }
            }
            guard numbers.happens(12) else { return nil }
            note("alert over \(controller)")
            let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
            controller.present(alert, animated: numbers.happens(50))
            guard alert.presentingViewController != nil else { return nil }
            return { [app] in app.host.screen(of: alert) != nil }
        }
    }

    private func tap(_ alert: UIViewController) -> (() -> Bool)? {
        note("tap on \(alert)")
        alert.tapButton()
        return alert.isContextMenu ? { true } : leaves(alert, unless: false)
    }
}
