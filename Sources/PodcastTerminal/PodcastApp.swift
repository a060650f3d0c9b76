// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The app: translates keys to calls of the router, and draws the tree as lines.
@MainActor
final class PodcastApp {
    /// A line of text that the user types.
    private struct Prompt {
        let label: String
        var text = ""
        let submit: (String) -> Void
    }

    let router: Router
    private let host = TerminalHost()
    private let driver: RouterDriver
    /// The recorded events; nil if nothing is recorded.
    private(set) var recording: Recording?
    /// The message about the last reload; empty if there is nothing to report.
    private var scripts = ""
    /// The last message of the router.
    private var message: String?
    private var prompt: Prompt?
    /// The name of the window that receives the keys.
    private var window = "main"
    /// The leaf that the user has chosen; used if several leaves are visible.
    private var chosenLeaf: ScreenID?
    private var choices: [ScreenID: Int] = [:]
    /// Called when the lines of the app may have changed.
    var onChange: () -> Void = {}

    /// Loads the scripts and shows the first screens.
    init(scripts bundle: ScriptBundle, isRecorded: Bool = false) throws(RouteError) {
        if isRecorded { recording = Recording() }
        router = try Router(scripts: bundle, host: host)
        driver = RouterDriver(router)
        router.onEvent = { [unowned self] event in note(event) }
        router.start()
    }

    private func note(_ event: Event) {
        recording?.add(event)
        switch event.kind {
        case .log: message = event["message"].text
        // If a request of the user was stopped, the screen stays and the message says why.
        case .failed where event["code"] == "stopped": message = event["message"].text
        case .stayed: message = event["reason"].text
        // A task or a function of the scripts may show a screen in another window.
        case .shown: window = event["window"].text ?? window
        // A reload of unchanged scripts causes no other event that could replace an earlier
        // message.
        case .host where event["act"].text == "reload": scripts = ""
        case .reload:
            if event["status"].text == "accepted" {
                let added = event["added"].list?.compactMap(\.text) ?? []
                scripts = "✔ accepted generation \(event.generation)"
                if !added.isEmpty { scripts += ": added \(added.joined(separator: ", "))" }
            } else {
                let error = event["errors"].list?.first?.text ?? event["reason"].text ?? ""
                scripts = "✘ rejected: \(error); generation \(event.generation) stays active"
            }
        default: break
        }
        onChange()
    }

    // MARK: Showing

    private static let help =
        "↑↓⏎ item  ←→ side  h back  1-9 tab  : link  w n x window  r start  q quit"

    private func page(_ screen: Screen) -> Page {
        Page(of: screen, user: router.state["user"].text, routes: router.registrations)
    }

    /// Returns the lines for a terminal of the given size.
    func lines(width: Int, height: Int) -> [String] {
        let tree = host.tree
        if tree.window(window) == nil { window = tree.windows.first?.name ?? window }
        choices = choices.filter { tree.isAlive($0.key) }
        var drawing = Drawing(tree) { [unowned self] in page($0) }
        drawing.window = window
        drawing.focus = focus
        for leaf in leaves { drawing.choices[leaf] = choice(in: tree[leaf]) }
        let last = prompt.map { "\($0.label): \($0.text)█" } ?? message
        drawing.messages = [scripts.isEmpty ? nil : scripts, last].compactMap(\.self)
        drawing.help = last == nil ? Self.help : ""
        return drawing.lines(width: width, height: height)
    }

    /// The visible leaves of the window, in order.
    private var leaves: [ScreenID] {
        let tree = host.tree
        guard let window = tree.window(window) else { return [] }
        return tree.screens(under: tree.topmost(of: window)).filter {
            !tree[$0].kind.isContainer && tree.isVisible($0)
        }
    }

    /// The leaf screen that receives the keys.
    private var focus: ScreenID? {
        let leaves = leaves
        if let chosenLeaf, leaves.contains(chosenLeaf) { return chosenLeaf }
        guard let window = host.tree.window(window) else { return nil }
        return host.tree.visibleLeaf(of: window)
    }

    private func choice(in screen: Screen) -> Int {
        max(0, min(choices[screen.id] ?? 0, page(screen).items.count - 1))
    }

    // MARK: Keys

    /// Performs the command of a key.
    ///
    /// Returns whether the app continues.
    func press(_ key: Key) -> Bool {
        if key == .interrupt { return false }
        message = nil
        if prompt != nil {
            type(key)
            return true
        }
        switch key {
        case .up: moveChoice(-1)
        case .down: moveChoice(1)
        case .left: moveFocus(-1)
        case .right: moveFocus(1)
        case .enter: choose()
        case .escape, .backspace, .text("h"): goBack()
        case .text("q"): return false
        case .text(":"), .text("o"):
            prompt = Prompt(label: "Link") { [unowned self] in open(link: $0) }
        case .text("w"): showNextWindow()
        case .text("n"): openWindow()
        case .text("x"): router.closeWindow(window)
        case .text("r"): router.start()
        case .text(let digit) where ("1"..."9").contains(digit):
            select(Int(digit.value) - 0x30)
        case .text, .interrupt: break
        }
        return true
    }

    private var options: NavigationOptions { NavigationOptions(window: window) }

    private func type(_ key: Key) {
        switch key {
        case .text(let scalar): prompt?.text.unicodeScalars.append(scalar)
        case .backspace: _ = prompt?.text.popLast()
        case .escape: prompt = nil
        case .enter:
            let finished = prompt
            prompt = nil
            if let finished, !finished.text.isEmpty { finished.submit(finished.text) }
        default: break
        }
    }

    private func moveChoice(_ step: Int) {
        guard let focus else { return }
        choices[focus] = choice(in: host.tree[focus]) + step
    }

    private func moveFocus(_ step: Int) {
        let leaves = leaves
        guard let focus, let index = leaves.firstIndex(of: focus) else { return }
        chosenLeaf = leaves[(index + step + leaves.count) % leaves.count]
    }

    private func goBack() {
        // If there is no screen to go back from, a script may handle the key.
        if !router.handleBack(window: window) { router.back(options: options) }
    }

    /// Selects a tab, or reports a tap on the selected tab.
    private func select(_ number: Int) {
        guard let tab = try? router.tab(number, window: window), let tabs = router.tree[tab].parent,
            router.tree[tabs].visibleChildren.contains(tab)
        else {
            router.select(number, options: options)
            return
        }
        router.report(.reselected(tabs))
    }

    private func open(link: String) { router.open(link, origin: .external, options: options) }

    private func choose() {
        guard let focus else { return }
        let screen = host.tree[focus]
        let items = page(screen).items
        guard items.indices.contains(choice(in: screen)) else { return }
        switch items[choice(in: screen)].act {
        case .go(let target, let info, let via):
            var options = options
            options.via = via
            router.go(target, info: info, options: options)
        case .task(let target, let info): router.doTask(target, info: info)
        case .call(let name): call(name)
        case .logIn:
            prompt = Prompt(label: "Name") { [unowned self] name in
                if screen.class == "Login" {
                    router.close(focus, value: Value(name))
                } else {
                    call("logIn", ["name": Value(name)])
                }
            }
        }
    }

    private func call(_ name: String, _ argument: InfoTable = InfoTable()) {
        do throws(RouteError) {
            try router.call(name, argument)
        } catch {
            message = error.description
        }
    }

    // MARK: Windows

    private func showNextWindow() {
        let names = host.tree.windows.map(\.name)
        guard let index = names.firstIndex(of: window) else { return }
        window = names[(index + 1) % names.count]
    }

    /// Opens a window with a new screen of the same class as the bottom screen of the first window.
    private func openWindow() {
        let tree = host.tree
        guard var first = tree.windows.first?.root else { return }
        while let child = tree[first].children.first { first = child }
        do throws(RouteError) {
            let root = try router.nav([router.screen(tree[first].class)])
            let number = (2...).first { tree.window("window\($0)") == nil } ?? 2
            router.openWindow("window\(number)", root)
        } catch {
            message = error.description
        }
    }
}
