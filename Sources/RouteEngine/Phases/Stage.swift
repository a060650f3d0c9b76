// SPDX-License-Identifier: MIT

package import RouteCore

/// The transaction of one navigation, with all state that its phases read and write.
///
/// A stage works on the world of a router, or on a copy of it. While screens are built, the tree
/// has an open draft, which ``rollBack()`` discards.
package struct Stage: ~Copyable {
    /// The world.
    ///
    /// The owner of the world must keep the world alive as long as the stage exists.
    package let worldStorage: UnsafeMutablePointer<World>
    /// The journey.
    ///
    /// The owner of the journey must keep the journey alive as long as the stage exists.
    package let journeyStorage: UnsafeMutablePointer<Journey>
    // Unowned, because the owner also keeps these objects alive as long as the stage exists.

    /// The public handle of the navigation.
    package unowned(unsafe) let handle: AnyObject
    /// The scripts of the navigation.
    package unowned(unsafe) let scripts: any RouteScripts
    package unowned(unsafe) let declarations: Declarations
    package unowned(unsafe) let surroundings: any StageSurroundings
    /// Whether any events are observed.
    package let isHeard: Bool
    /// The record of a dry run; nil for a real navigation.
    package let trace: Trace?

    /// The script values before the draft was opened; nil if no draft is open.
    package var before: World.Shared?
    /// The screens whose fields were set during staging.
    package var changedScreens: [ScreenID] = []
    /// The screens that will be released if nothing references them.
    package var released: [ScreenID] = []

    /// The state of the router.
    package var world: World {
        @inline(__always) _read { yield worldStorage.pointee }
        @inline(__always) _modify { yield &worldStorage.pointee }
    }

    /// The progress of the navigation.
    package var journey: Journey {
        @inline(__always) _read { yield journeyStorage.pointee }
        @inline(__always) _modify { yield &journeyStorage.pointee }
    }

    /// The screens.
    package var tree: ScreenTree {
        @inline(__always) _read { yield worldStorage.pointee.tree }
        @inline(__always) _modify { yield &worldStorage.pointee.tree }
    }

    /// The result of a phase, which determines what the router does next.
    package enum Verdict {
        /// Continue with the current phase of the journey.
        case next
        /// Call an interceptor, and then continue.
        case asks(Interception)
        /// Wait until the gate is open.
        case waits(gate: String)
        /// Wait until the navigation with this number has ended.
        case waitsFor(Int)
        /// Continue with the next match of the URL, as the script at the given location requested.
        case asksForNextMatch(RouteError.Location?)
        /// End the navigation without a change, for the given reason.
        case stays(String)
        /// Continue and plan again, because the plan was outdated.
        case plansAgain
        /// Commit the draft.
        case commits(Difference)
    }

    /// Creates a stage without a draft.
    @inlinable
    package init(
        world: UnsafeMutablePointer<World>,
        journey: UnsafeMutablePointer<Journey>,
        handle: borrowing AnyObject,
        scripts: borrowing any RouteScripts,
        declarations: borrowing Declarations,
        surroundings: borrowing any StageSurroundings,
        isHeard: Bool,
        trace: Trace? = nil
    ) {
        worldStorage = world
        journeyStorage = journey
        self.handle = copy handle
        self.scripts = copy scripts
        self.declarations = copy declarations
        self.surroundings = copy surroundings
        self.isHeard = isHeard
        self.trace = trace
    }

    // MARK: Contexts

    /// The context for functions that are called during planning.
    package var planning: CallContext { context(.none) }

    /// The context for functions that build and update screens.
    package var staging: CallContext { context(.stage) }

    private func context(_ effects: CallContext.Effects) -> CallContext {
        CallContext(effects: effects, planningSerial: world.tree.lastSerial)
    }

    // MARK: Events

    /// Reports an event.
    ///
    /// The fields are computed only if events of this kind are observed.
    @inline(__always)
    package mutating func emit(
        _ kind: Event.Kind,
        at place: @autoclosure () -> RouteError.Location? = nil,
        _ fields: (borrowing Stage) -> [(name: String, value: Value)] = { _ in [] }
    ) {
        world.lastEvent += 1
        if isHeard, surroundings.hears(kind, lending: &self) {
            surroundings.report(kind, at: place(), fields(self), lending: &self)
        }
    }

    /// Returns the fields that an event about a screen contains.
    package func fields(about id: ScreenID) -> [(name: String, value: Value)] {
        tree.fields(about: id, declarations.classes)
    }

    /// Returns a screen in tree notation, without its descendants.
    ///
    /// The text is truncated after 64 KiB.
    package func notation(of id: ScreenID) -> String {
        tree.notation(of: id, declarations.classes)
    }

    /// Returns the tree of a window in tree notation; empty if there is no such window.
    package func treeNotation(window: String) -> String {
        tree.notation(window: window, declarations.classes)
    }

    // MARK: Windows

    /// The name of the navigation's window.
    package var windowName: String {
        tree.windowName(of: journey.options)
    }

    /// Returns the navigation's window.
    ///
    /// - Throws: `composition` if the window is not open, `startNotFound` if no window is open.
    package func window() throws(RouteError) -> RouterWindow {
        let name = windowName
        guard let window = tree.window(name) else {
            throw tree.windows.isEmpty
                ? .noTree(window: name) : .noWindow(name, among: tree.windows.map(\.name))
        }
        return window
    }

    // MARK: Transaction

    /// Opens a draft, and saves the script values.
    package mutating func open() {
        tree.openNewDraft()
        before = world.shared
    }

    /// Rolls back the draft, and restores the script values.
    package mutating func rollBack() {
        guard let before = before.take() else { return }
        surroundings.forgetFields(of: changedScreens + tree.draftedScreens)
        released += tree.dropDraft()
        changedScreens = []
        world.shared = before
    }

    /// Sets a value in the saved script state, so that a rollback does not undo the value.
    package mutating func keep(_ name: String, _ value: Value) {
        before?.setState(name, to: value)
        before?.edits += 1
    }

    /// Sets a field of a screen.
    package mutating func setField(_ name: String, to value: Value, of id: ScreenID)
        throws(RouteError)
    {
        let value = try declarations.classes.checked(value, for: name, of: id, in: tree)
        guard try tree.setField(name, to: value, of: id) else { return }
        surroundings.forgetFields(of: [id])
        changedScreens.append(id)
    }
}
