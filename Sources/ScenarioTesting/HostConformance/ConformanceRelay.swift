// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The router's host during a run.
///
/// The relay forwards all calls to the host under test, and records the failures of that host.
@MainActor
final class ConformanceRelay: @MainActor RouterHost {
    /// A way in which a change fails.
    ///
    /// After the failure, the router asks the host to show the tree again.
    enum Disturbance: CaseIterable {
        /// The change fails without reaching the host.
        case refusedBefore
        /// The host shows the change, but the router receives a failure.
        case refusedAfter
        /// The host shows the change, but the router does not receive the result.
        case unanswered
    }

    private struct Refused: Error {}

    var host: (any RouterHost)?
    weak var router: Router?
    /// The disturbance of the next change.
    var disturbance: Disturbance?
    /// The change that the host has not finished.
    private(set) var awaited: Change?
    /// Whether the host has finished a change whose result the router does not receive.
    var isAnswerLost = false
    /// The texts of the changes since the last call to ``takeOperations()``.
    private(set) var operations: [String] = []
    private(set) var problem: ConformanceFailure.Problem?

    func takeOperations() -> [String] {
        defer { operations = [] }
        return operations
    }

    /// The trees that the host has received since the last call to ``takeTrees()``.
    private var trees: [ScreenTree] = []

    func takeTrees() -> [ScreenTree] {
        defer { trees = [] }
        return trees
    }

    func note(_ problem: ConformanceFailure.Problem) {
        self.problem = self.problem ?? problem
    }

    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        operations.append(change.text(in: tree))
        let disturbance = change.isResynchronization ? nil : disturbance.take()
        guard let host, disturbance != .refusedBefore else { return done(.failure(Refused())) }
        awaited = change
        trees.append(tree)
        var answers = 0
        var early: Result<Void, any Error>?
        var isShowing = true
        let pending = router?.pending.count ?? 0
        host.show(tree, change) { [self] result in
            answers += 1
            guard answers == 1 else { return note(.doneTwice(change.text(in: tree))) }
            awaited = nil
            if case .failure(let error) = result { note(.refused("\(error)")) }
            let answer = disturbance == .refusedAfter ? .failure(Refused()) : result
            if disturbance == .unanswered {
                isAnswerLost = true
            } else if isShowing {
                // The events that the result causes are not calls by the host.
                early = answer
            } else {
                done(answer)
            }
        }
        isShowing = false
        if let router, router.pending.count > pending { note(.routerCalled) }
        if let early { done(early) }
    }

    /// Records the failure of a host that made a report which the test did not cause.
    func noteReport() { note(.routerCalled) }

    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        do {
            try host?.prepare(screens, in: tree)
        } catch {
            note(.refused("\(error)"))
            throw error
        }
    }

    func discard(_ screens: [ScreenID]) { host?.discard(screens) }
    func doTask(_ task: HostTask) { host?.doTask(task) }
    func cancelTask(_ task: HostTask) { host?.cancelTask(task) }
    func dependency(_ name: String) -> Value? { host?.dependency(name) }
}

extension Change {
    /// Returns the operations of the change as text, each with the classes of its screens.
    func text(in tree: ScreenTree) -> String {
        let texts = operations.map { operation in
            switch operation {
            case .openWindow(let name, _), .closeWindow(let name): "\(operation.name)(\(name))"
            default:
                "\(operation.name)("
                    + operation.screens.map { tree.class(of: $0) ?? "?" }.joined(separator: ", ")
                    + ")"
            }
        }
        return (isResynchronization ? "resynchronization: " : "") + texts.joined(separator: " ")
    }
}
