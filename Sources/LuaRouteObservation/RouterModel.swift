// SPDX-License-Identifier: MIT

public import LuaRouting
public import Observation

/// A host whose tree is observed by views, such as views of SwiftUI.
///
/// Connect the model once, before the router starts. The router retains its host, and the model
/// refers to the router weakly. The app must therefore retain the router and the driver that moves
/// the router's clock.
///
/// ```swift
/// let model = RouterModel()
/// let router = try Router(scripts: bundle, host: model)
/// let driver = RouterDriver(router)
/// model.connect(to: router)
/// router.start()
/// ```
///
/// The subscripts are the bindings of views: `NavigationStack(path: $model[path: nav])`,
/// `TabView(selection: $model[selection: tabs])`, `.sheet(item: $model[sheet: screen])`,
/// `.fullScreenCover(item: $model[cover: screen])`. A value that a view sets on a binding counts as
/// an action of the user, and is reported to the router. A view is updated only if a value that it
/// reads changes.
///
/// To perform tasks, provide dependencies or prepare screens, override the respective functions in
/// a subclass.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor
open class RouterModel: @MainActor RouterHost, Observable {
    private let registrar = ObservationRegistrar()
    private weak var router: Router?
    private var shownTree = ScreenTree()
    /// The guards of the visible screens in the current tree, and in the next one.
    private(set) var shownGuards: [ScreenID: Guard] = [:]
    private var nextGuards: [ScreenID: Guard] = [:]
    /// The tree to show next; set while observers of the previous tree are called.
    private var nextTree: ScreenTree?
    private var isUpdating = false
    /// The values that views set while observers were being called, and that were ignored.
    private var setInVain: [ObservedValue] = []
    /// The change for which the model waits until all views have appeared.
    private var settling: Settling?
    /// The number of changes so far.
    private var changes = 0
    /// Whether any view has reported its appearance.
    private var hearsViews = false

    /// The time in which the views of new screens must appear, in seconds of the router's clock.
    ///
    /// Views report with ``appeared(_:)``. The model completes a change when all views have
    /// appeared, or after this time, with a warning in the log for each missing view. If no view
    /// ever reports, the model completes each change immediately.
    public var settleTime = 1.0

    /// Called for each change of the router with a closure that updates the views.
    ///
    /// An app calls that closure inside `withTransaction` to show a change without an animation.
    public var transaction: (_ change: Change, _ update: () -> Void) -> Void = { _, update in
        update()
    }

    /// Called with the reason if a value that a view has set on a binding is ignored.
    public var onIgnoredSet: ((_ reason: String) -> Void)?

    /// Creates a model that shows nothing.
    public init() {}

    /// Connects the model to its router.
    ///
    /// A warning is logged if the router is not started within 3 seconds.
    ///
    /// - Parameters:
    ///   - router: The router.
    ///   - screens: The classes for which the app has views. An error is logged for each screen
    ///     class that the scripts list in `router.expects` and that is missing here. If nil, the
    ///     classes are not compared.
    public final func connect(to router: Router, screens: Set<String>? = nil) {
        self.router = router
        if let screens { router.checkScreens(screens, fix: "add a view for this screen") }
        router.checkStart(fix: "call 'start' of the router")
        refresh()
    }

    /// Reports an action of the user, such as closing a window, and updates the views.
    ///
    /// The model does not notice reports that are made directly to the router until the next change
    /// or ``refresh()``.
    public final func report(_ reports: Report...) {
        guard let router else {
            return ignore(
                "the model has no router; call 'connect(to:)' when the model and the router exist"
            )
        }
        router.report(reports) { [weak self] results in
            for case .failure(let error) in results { self?.ignore(error.message) }
            self?.refresh()
        }
    }

    /// Reports that the view of a screen has appeared.
    ///
    /// ```swift
    /// ProductView(id).onAppear { model.appeared(id) }
    /// ```
    public final func appeared(_ id: ScreenID) {
        hearsViews = true
        settling?.missing.remove(id)
        if settling?.missing.isEmpty == true, settling?.isShown == true { settled() }
    }

    /// Completes the change, and logs the screens whose views have not appeared.
    private func settled() {
        guard let settling else { return }
        self.settling = nil
        for id in settling.missing.sorted(by: { $0.serial < $1.serial }) {
            guard let name = shownTree.class(of: id) else { continue }
            router?.log(
                "warn",
                "the view of '\(name)' has not appeared within \(settleTime) s (call 'appeared' in 'onAppear' of the view, or look for a view that does not read the model)"
            )
        }
        settling.done(.success(()))
    }

    /// Shows the current tree of the router, for example after ``Router/setTree(_:window:)``.
    public final func refresh() {
        if let router { update(router.tree) }
    }

    /// Shows the tree immediately, and calls the completion handler when the views of new screens
    /// have appeared.
    ///
    /// SwiftUI animates the views. See ``settleTime``.
    public final func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        var isUpdated = false
        nextGuards = change.guards
        changes += 1
        let new = tree.windows.map { tree.visibleLeaf(of: $0) }
            .filter { !shownTree.isAlive($0) && tree[$0].kind != .foreign }
        settling = Settling(missing: hearsViews ? Set(new) : [], done: done)
        transaction(change) {
            update(tree)
            isUpdated = true
        }
        if !isUpdated { update(tree) }
        settling?.isShown = true
        guard let router, settling?.missing.isEmpty == false else { return settled() }
        router.call(in: settleTime) { [weak self, changes] in
            if self?.changes == changes { self?.settled() }
        }
    }

    /// Does nothing.
    ///
    /// Override this function to prepare screens.
    open func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {}
    /// Does nothing.
    ///
    /// Override this function to release what was prepared.
    open func discard(_ screens: [ScreenID]) {}
    /// Ends the task unfinished, and logs an error.
    ///
    /// Override this function to perform tasks.
    open func doTask(_ task: HostTask) {
        guard let router else { return task.end(false, "call 'connect' with the router") }
        router.refuse(task, fix: "override 'doTask' of the model")
    }
    /// Does nothing.
    ///
    /// Override this function to cancel tasks.
    open func cancelTask(_ task: HostTask) {}
    /// Returns nil.
    ///
    /// Override this function to provide dependencies.
    open func dependency(_ name: String) -> Value? { nil }

    // MARK: Observation

    /// Returns a value of the tree, and registers the observation of the value.
    final func read<Content>(
        _ keyPath: KeyPath<RouterModel, some Any>,
        _ value: (ScreenTree) -> Content
    ) -> Content {
        registrar.access(self, keyPath: keyPath)
        return value(shownTree)
    }

    /// The selected child of tabs; nil while the router is changing the tree.
    final func selectedTab(of tabs: ScreenID) -> ScreenID? {
        isUpdating ? nil : shownTree.selection(of: tabs)
    }

    /// Sets a value on behalf of the user.
    ///
    /// If the new value differs from the current one, it is reported to the router. If the new
    /// value would remove guarded screens, `leaving` of these screens is called instead.
    ///
    /// Views read the current value again if `leaving` is called, or if the new value is ignored.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - observed: The observed value.
    ///   - current: Returns the current value in the tree.
    ///   - report: Returns the report, or throws the reason why the value is ignored.
    final func set<Content: Equatable>(
        _ value: Content,
        of observed: ObservedValue,
        current: (ScreenTree) -> Content,
        report: (ScreenTree) throws(IgnoredSet) -> Report
    ) {
        // Views set their bindings to the value that they have just read.
        guard value != current(shownTree) else { return }
        guard !isUpdating else { return ignore("the router is changing the tree", observed) }
        do throws(IgnoredSet) {
            let report = try report(shownTree)
            switch router?.leave(by: report) {
            case .done?, nil: return self.report(report)
            case .asks?: break
            case .stays(let reason)?: return ignore(reason, observed)
            }
            update(rereading: observed)
        } catch {
            ignore(error.reason, observed)
        }
    }

    /// Ignores a value that a view has set.
    ///
    /// Views that already show the ignored value read the current value again.
    private func ignore(_ reason: String, _ observed: ObservedValue? = nil) {
        onIgnoredSet?(reason)
        update(rereading: observed)
    }

    /// Shows a tree, and notifies the observers of the values that differ or that were set without
    /// effect.
    ///
    /// If an observer causes another change, that change is shown after this one.
    private func update(_ tree: ScreenTree? = nil, rereading ignored: ObservedValue? = nil) {
        nextTree = tree ?? nextTree
        if let ignored { setInVain.append(ignored) }
        guard !isUpdating else { return }
        while nextTree != nil || !setInVain.isEmpty {
            guard let tree = nextTree else {
                notify(setInVain) {}
                // Otherwise, an observer that sets a value in each call would be called forever.
                setInVain = []
                continue
            }
            let guards = nextGuards
            nextTree = nil
            let values =
                ObservedValue.differences(from: shownTree, to: tree)
                + (guards == shownGuards ? [] : [.guards])
            notify(values) { (shownTree, shownGuards) = (tree, guards) }
        }
    }

    /// Notifies the observers of the given values that a change is made.
    private func notify(_ values: [ObservedValue], of change: () -> Void) {
        isUpdating = true
        defer { isUpdating = false }
        for value in values { notify(value, isBefore: true) }
        change()
        for value in values { notify(value, isBefore: false) }
    }

    private func notify(_ value: ObservedValue, isBefore: Bool) {
        func notify(_ keyPath: KeyPath<RouterModel, some Any>) {
            if isBefore {
                registrar.willSet(self, keyPath: keyPath)
            } else {
                registrar.didSet(self, keyPath: keyPath)
            }
        }
        switch value {
        case .tree: notify(\.tree)
        case .windows: notify(\.windows)
        case .guards: notify(\.shownGuards)
        case .window(let name): notify(\.[window: name])
        case .screen(let id): notify(\.[screen: id])
        case .path(let id): notify(\.[path: id])
        case .selection(let id): notify(\.[selection: id])
        case .detail(let id): notify(\.[detail: id])
        case .modal(let id, .sheet): notify(\.[sheet: id])
        case .modal(let id, .cover): notify(\.[cover: id])
        case .modal(let id, .contextual): notify(\.[contextual: id])
        }
    }
}

/// The reason why a value set on a binding is ignored.
struct IgnoredSet: Error {
    let reason: String
}

/// A change for which the model waits until all views have appeared.
private struct Settling {
    var missing: Set<ScreenID>
    /// Whether the tree of the change is shown.
    var isShown = false
    let done: (Result<Void, any Error>) -> Void
}
