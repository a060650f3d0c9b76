// SPDX-License-Identifier: MIT

/// The transaction of one navigation: all that its phases read and write.
///
/// The world of the router is moved in, and moved out when the phases need somebody else: an
/// interceptor, a gate, the host. While screens are built the tree has an open draft, which
/// ``rollBack()`` drops.
struct Stage: ~Copyable {
    var world: World
    var journey: Journey
    let navigation: Navigation
    /// The active stack on which functions of the navigation's scripts are called.
    let scripts: any RouteScripts
    let declarations: Declarations
    let surroundings: any StageSurroundings
    /// Whether anybody observes events.
    let isHeard: Bool
    /// The notes of an explanation; nil while a navigation is carried out.
    let trace: Trace?

    /// The stage during which a script began this navigation.
    let outer: UnsafeMutablePointer<Stage>?

    /// The script state, and its size in bytes, before the draft was opened; nil without a draft.
    var before: (state: Table, bytes: Int)?
    /// The screens whose fields were set on the stage.
    var changedScreens: [ScreenID] = []
    /// The screens to release if nobody holds them.
    var released: [ScreenID] = []

    /// The screens.
    var tree: ScreenTree {
        @inline(__always) _read { yield world.tree }
        @inline(__always) _modify { yield &world.tree }
    }

    /// What the phases lead to, once they need somebody else.
    enum Verdict {
        /// Go on with the phase of the journey.
        case next
        /// Ask an interceptor, then go on.
        case asks(Interception)
        /// Wait at a gate.
        case waits(gate: String)
        /// Go on with the next match of the URL, as the script at a line asks.
        case asksForNextMatch(RouteError.Location?)
        /// End the navigation without a change, for a reason.
        case stays(String)
        /// Go on: the plan was outdated, and another one is made.
        case plansAgain
        /// Commit the draft.
        case commits(Difference)
    }

    /// Creates a stage without a draft.
    init(
        world: consuming World,
        journey: consuming Journey,
        navigation: Navigation,
        scripts: any RouteScripts,
        surroundings: any StageSurroundings,
        isHeard: Bool,
        outer: UnsafeMutablePointer<Stage>? = nil,
        trace: Trace? = nil
    ) {
        self.world = world
        self.journey = journey
        self.navigation = navigation
        self.scripts = scripts
        declarations = scripts.declarations
        self.surroundings = surroundings
        self.isHeard = isHeard
        self.outer = outer
        self.trace = trace
    }

    // MARK: Contexts

    /// The context of functions that help to plan.
    var planning: CallContext { context(.none) }

    /// The context of functions that build and update.
    var staging: CallContext { context(.stage) }

    private func context(_ effects: CallContext.Effects) -> CallContext {
        CallContext(
            effects: effects,
            navigation: navigation,
            chain: navigation.chain,
            planningSerial: world.tree.lastSerial,
            generation: navigation.generation
        )
    }

    // MARK: Events

    /// Reports an event; evaluates its fields only if anybody observes events.
    @inline(__always)
    mutating func emit(
        _ kind: Event.Kind,
        at place: @autoclosure () -> RouteError.Location? = nil,
        _ fields: (borrowing Stage) -> [(name: String, value: Value)] = { _ in [] }
    ) {
        world.lastEvent += 1
        if isHeard { surroundings.report(kind, at: place(), fields(self), lending: &self) }
    }

    /// The fields of an event about a screen.
    func fields(about id: ScreenID) -> [(name: String, value: Value)] {
        [("class", Value(tree.screen(id)?.class ?? "")), ("screen", Value(notation(of: id)))]
    }

    /// The number of bytes after which the text of a screen is cut.
    static let textLimit = 64 * 1024

    /// The screen as tree notation writes it, without the screens in it; cut after 64 KiB.
    func notation(of id: ScreenID) -> String {
        guard tree.screen(id) != nil else { return "#\(id.serial)" }
        return NotationPrinter(classes: declarations.classes, limit: Self.textLimit)
            .screen(id, in: tree, deep: false)
    }

    /// The tree of a window in tree notation; empty if there is no such window.
    func treeNotation(window: String) -> String {
        NotationPrinter(classes: declarations.classes).tree(tree, window: window)
    }

    // MARK: Windows

    /// The name of the window that the navigation is in.
    var windowName: String {
        journey.options.window ?? tree.windows.first?.name ?? Router.mainWindow
    }

    /// The window that the navigation is in.
    ///
    /// - Throws: `composition` if it is not open, `startNotFound` if there is no tree.
    func window() throws(RouteError) -> Window {
        let name = windowName
        guard let window = tree.window(name) else {
            throw tree.windows.isEmpty
                ? .noTree(window: name) : .noWindow(name, among: tree.windows.map(\.name))
        }
        return window
    }

    // MARK: The transaction

    /// Opens the draft.
    mutating func open() {
        tree.openNewDraft()
        before = (world.state, world.stateBytes)
    }

    /// Drops the draft, and restores the script state.
    mutating func rollBack() {
        guard let before = before.take() else { return }
        surroundings.forgetFields(of: changedScreens + tree.draftedScreens)
        released += tree.dropDraft()
        changedScreens = []
        (world.state, world.stateBytes) = before
    }

    /// Keeps a value of the script state, which a roll back does not restore.
    mutating func keep(_ name: String, _ value: Value) {
        guard var kept = before?.state else { return }
        kept[name] = value
        before = (kept, kept.size)
    }

    /// Sets a field of a screen.
    mutating func setField(_ name: String, to value: Value, of id: ScreenID) throws(RouteError) {
        guard try tree.setField(name, to: value, of: id) else { return }
        surroundings.forgetFields(of: [id])
        changedScreens.append(id)
    }

    /// Checks that a screen is in the tree.
    func checkAlive(_ screen: ScreenID) throws(RouteError) {
        try tree.checkOrigin(of: .screen(screen))
        guard tree.isAlive(screen) else { throw .isNotInTree(tree.screen(screen)) }
    }
}
