// SPDX-License-Identifier: MIT

public import LuaRouting
public import Observation

/// A host whose tree views observe, such as those of SwiftUI.
///
/// Connect it once, before the start. The router retains its host and the model refers to the
/// router weakly, so the app retains the router and the driver that moves its clock.
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
/// `.fullScreenCover(item: $model[cover: screen])`. Setting a binding means that the user has
/// acted, which is reported to the router. A view is updated only if a value that it reads changes.
///
/// To perform tasks, provide dependencies or prepare screens, override those functions in a subclass.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor
open class RouterModel: @MainActor RouterHost, Observable {
    private let registrar = ObservationRegistrar()
    private weak var router: Router?
    private var shownTree = ScreenTree()
    /// The guards of the visible screens in the current tree, and in the next one.
    private(set) var shownGuards: [ScreenID: Guard] = [:]
    private var nextGuards: [ScreenID: Guard] = [:]
    /// The tree to show next, while observers of the previous tree are called.
    private var nextTree: ScreenTree?
    private var isUpdating = false
    /// The values that were set without effect while observers were called.
    private var setInVain: [ObservedValue] = []
    /// The change whose views have not all appeared.
    private var settling: Settling?
    /// The number of changes.
    private var changes = 0
    /// Whether views report their appearance.
    private var hearsViews = false

    /// The time in which the views of new screens must appear, in seconds of the router's clock.
    ///
    /// Views report with ``appeared(_:)``. The model answers the router when all views have
    /// appeared, or after this time, with a warning in the log for each missing view. If no view
    /// ever reports, the model answers at once.
    public var settleTime = 1.0

    /// Called for each change of the router with a closure that updates the views.
    ///
    /// An app calls that closure inside `withTransaction` to show a change without an animation.
    public var transaction: (_ change: Change, _ update: () -> Void) -> Void = { _, update in
        update()
    }

    /// Called with the reason if a value that was set on a binding is ignored; nil by default.
    public var onIgnoredSet: ((_ reason: String) -> Void)?

    /// Creates a model that shows nothing.
    public init() {}

    /// Connects the model to its router.
    ///
    /// A warning in the log says after 3 seconds that nobody has started the router.
    ///
    /// - Parameters:
    ///   - router: The router.
    ///   - screens: The classes for which the app has views. An error is logged for each other
    ///     screen in `router.expects` of the scripts. By default nothing is compared.
    public final func connect(to router: Router, screens: Set<String>? = nil) {
        self.router = router
        if let screens { router.checkScreens(screens, fix: "add a view for it") }
        router.checkStart(fix: "call 'start' of the router")
        refresh()
    }

    /// Reports what the user did, such as closing a window, and updates the views.
    ///
    /// Reports that are made directly to the router do not reach the model until the next change,
    /// or ``refresh()``.
    public final func report(_ reports: Report...) {
        guard let router else {
            return ignore("the model has no router; call 'connect(to:)' when both exist")
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

    /// Answers the change, and logs the screens whose views have not appeared.
    private func settled() {
        guard let settling else { return }
        self.settling = nil
        for id in settling.missing.sorted(by: { $0.serial < $1.serial }) {
            guard let name = shownTree.class(of: id) else { continue }
            router?.log(
                "warn",
                "the view of '\(name)' has not appeared within \(settleTime) s (call 'appeared' in its 'onAppear', or look for the view that does not read the model)"
            )
        }
        settling.done(.success(()))
    }

    /// Reads the tree of the router, for example after ``Router/setTree(_:window:)``.
    public final func refresh() {
        if let router { update(router.tree) }
    }

    /// Shows the tree at once, and answers when the views of new screens have appeared.
    ///
    /// Views animate by themselves. See ``settleTime``.
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

    /// Prepares nothing; a subclass may override it.
    open func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {}
    /// Releases nothing; a subclass may override it.
    open func discard(_ screens: [ScreenID]) {}
    /// Ends the task unfinished; a subclass may override it.
    open func doTask(_ task: HostTask) { task.end(false, "the host does not perform tasks") }
    /// Cancels nothing; a subclass may override it.
    open func cancelTask(_ task: HostTask) {}
    /// Has no dependencies; a subclass may override it.
    open func dependency(_ name: String) -> Value? { nil }

    // MARK: Observation

    /// Returns a value of the tree, and observes it.
    final func read<Content>(
        _ keyPath: KeyPath<RouterModel, some Any>,
        _ value: (ScreenTree) -> Content
    ) -> Content {
        registrar.access(self, keyPath: keyPath)
        return value(shownTree)
    }

    /// The selected child of tabs, unless the router is changing the tree.
    final func selectedTab(of tabs: ScreenID) -> ScreenID? {
        isUpdating ? nil : shownTree.selection(of: tabs)
    }

    /// Sets a value on behalf of the user: reports it unless it is the current value, or asks
    /// guarded screens.
    ///
    /// Views read the value again if screens are asked, or the new value is ignored.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - observed: The value that observers have.
    ///   - current: Returns the current value of the tree.
    ///   - report: Returns the report, or throws the reason why there is none.
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

    /// Ignores a value that was set: the views that already show it read the value again.
    private func ignore(_ reason: String, _ observed: ObservedValue? = nil) {
        onIgnoredSet?(reason)
        update(rereading: observed)
    }

    /// Shows a tree, and notifies the observers of the values that differ, or that were set without
    /// effect.
    ///
    /// An observer may cause the next change: the next change is shown after this one.
    private func update(_ tree: ScreenTree? = nil, rereading ignored: ObservedValue? = nil) {
        nextTree = tree ?? nextTree
        if let ignored { setInVain.append(ignored) }
        guard !isUpdating else { return }
        while nextTree != nil || !setInVain.isEmpty {
            guard let tree = nextTree else {
                notify(setInVain) {}
                // An observer that sets a value whenever it is called would be called without end.
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

    /// Notifies the observers of the given values of a change.
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

/// The reason why the set value of a binding is ignored.
struct IgnoredSet: Error {
    let reason: String
}

/// A change whose views have not all appeared.
private struct Settling {
    var missing: Set<ScreenID>
    /// Whether the tree is shown.
    var isShown = false
    let done: (Result<Void, any Error>) -> Void
}
