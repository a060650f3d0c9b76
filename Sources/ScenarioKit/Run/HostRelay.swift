// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The host of a scenario's router while an app's host shows the screens.
///
/// The relay passes changes and tasks from the router to the app's host. Changes that the scenario
/// holds or refuses, and tasks that the scenario stubs or completes, do not reach the app's host.
/// Therefore every step works as it does without an app.
final class HostRelay: RouterHost {
    /// The app's host; `nil` while the scripts load.
    var app: (any RouterHost)?
    /// Called when the app's host has finished all changes and all tasks.
    var onRest: (() -> Void)?
    /// Whether a step has set or changed the tree without notifying the app's host.
    ///
    /// The next change then passes the whole tree to the app's host.
    var isStale = false

    private let scenario: HeadlessHost
    /// The tasks that steps of the scenario stub or complete.
    private let scenarioTasks: Set<Target>
    /// The last tree that was passed to the app's host.
    private var shown: ShownTree?
    /// The number of changes passed to the app's host, including the change in progress.
    private var count = 0
    /// The change that the app's host has not finished; nil if there is none.
    private var unanswered: Change?
    /// The change that arrived while the app's host was still showing a tree set by a step.
    private var next: (ScreenTree, Change, (Result<Void, any Error>) -> Void)?
    /// The tasks that the app's host has not ended yet, by their numbers.
    private var tasks: [Int: Target] = [:]

    init(_ scenario: HeadlessHost, _ steps: [ScenarioStep]) {
        self.scenario = scenario
        scenarioTasks = Set(steps.compactMap(\.hostTask))
    }

    /// The oldest task that the app's host has not ended; nil while a change is in progress.
    var awaitedTask: Target? {
        unanswered == nil ? tasks.min { $0.key < $1.key }?.value : nil
    }

    /// The pending work of the app's host, as text; nil if the host is idle.
    var awaited: String? {
        if let unanswered {
            let names = unanswered.operations.map(\.name).joined(separator: " ")
            return "did not complete change \(unanswered.revision) (\(names))"
        }
        return awaitedTask.map { "did not end the task '\($0)'" }
    }

    /// Shows the tree in the app's host, unless a change has already shown the tree.
    ///
    /// Call this method after a step or a user has set the tree.
    func catchUp(with tree: ScreenTree) {
        guard unanswered == nil, !tree.windows.isEmpty, shown != ShownTree(tree) else { return }
        isStale = true
        let change = Change(operations: [], revision: Self.ownRevision)
        show(inApp: tree, change) { _ in }
    }

    /// The revision of changes that the relay creates and the router does not know.
    private static let ownRevision = 0

    // MARK: The host of the router

    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        scenario.show(tree, change) { [weak self] result in
            guard let self, case .success = result else { return done(result) }
            show(inApp: tree, change, done)
        }
    }

    private func show(
        inApp tree: ScreenTree,
        _ change: Change,
        _ done: @escaping (Result<Void, any Error>) -> Void
    ) {
        guard let app else { return done(.success(())) }
        guard unanswered?.revision != Self.ownRevision else {
            next = (tree, change, done)
            return
        }
        let change = isStale ? change.resynchronizing(tree) : change
        isStale = false
        shown = ShownTree(tree)
        count += 1
        unanswered = change
        app.show(tree, change) { [weak self, number = count] result in
            self?.hearAnswer(to: number)
            done(result)
            self?.goOn()
        }
    }

    private func hearAnswer(to number: Int) {
        if number == count { unanswered = nil }
    }

    private func goOn() {
        if unanswered == nil, let (tree, change, done) = next.take() {
            show(inApp: tree, change, done)
        }
        rest()
    }

    private func rest() {
        if awaited == nil { onRest?() }
    }

    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        try scenario.prepare(screens, in: tree)
        try app?.prepare(screens, in: tree)
    }

    func discard(_ screens: [ScreenID]) { app?.discard(screens) }

    func doTask(_ task: HostTask) {
        let target = Target(task.service, task.task)
        guard let app, !scenarioTasks.contains(target) else { return scenario.doTask(task) }
        tasks[task.id] = target
        let task = HostTask(
            id: task.id,
            service: task.service,
            task: task.task,
            info: task.info
        ) { [weak self] isFinished, info in
            self?.tasks[task.id] = nil
            task.end(isFinished, info)
            self?.rest()
        }
        app.doTask(task)
    }

    func cancelTask(_ task: HostTask) {
        guard tasks.removeValue(forKey: task.id) != nil else { return scenario.cancelTask(task) }
        app?.cancelTask(task)
        rest()
    }

    func dependency(_ name: String) -> Value? { app?.dependency(name) }
}

/// The part of a tree that a host shows.
private struct ShownTree: Equatable {
    private struct Node: Equatable {
        let screen: ScreenID
        let fields: Fields
        let children: [ScreenID]
        let selection: Int
        let modal: ScreenID?
    }

    private let windows: [String]
    private let nodes: [Node]

    init(_ tree: ScreenTree) {
        windows = tree.windows.map(\.name)
        nodes = tree.windows.flatMap { tree.screens(under: $0.root) }.map { id in
            let screen = tree[id]
            return Node(
                screen: id,
                fields: screen.fields,
                children: screen.children,
                selection: screen.selection,
                modal: screen.modal
            )
        }
    }
}

extension Change {
    /// Returns a change that replaces everything that the host shows with the given tree.
    fileprivate func resynchronizing(_ tree: ScreenTree) -> Change {
        Change(
            operations: tree.windows.map { .root(window: $0.name, screen: $0.root) },
            isAnimated: false,
            revision: revision,
            navigation: navigation,
            isResynchronization: true,
            guards: guards
        )
    }
}

extension ScenarioStep {
    /// The host task that the step stubs or completes; `nil` for other steps.
    fileprivate var hostTask: Target? {
        switch action {
        case .stub(let pattern, _): pattern.target
        case .complete(let target, _): target
        default: nil
        }
    }
}

extension ScenarioStep.Action {
    /// Whether the step sets the tree, or changes it as a user would.
    ///
    /// In both cases, the router does not call the host.
    var changesTreeItself: Bool {
        switch self {
        case .given, .user, .userMakes, .restart: true
        default: false
        }
    }
}
