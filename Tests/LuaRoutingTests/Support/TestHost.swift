// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

/// A host that completes changes immediately or later, or refuses them, as its test requests.
final class TestHost: RouterHost {
    struct Refusal: Error {}

    /// Whether changes are held until ``answer(sourceLocation:)`` or ``refuse(sourceLocation:)``.
    var holds = false
    /// Whether changes that are not held are refused.
    var refuses = false
    /// Called when the host prepares screens.
    ///
    /// If the closure throws an error, the screens are refused.
    var onPrepare: (() throws -> Void)?

    /// The changes that the host has received, including refused changes.
    private(set) var changes: [Change] = []
    /// The changes with which the router asked the host to show a tree again.
    private(set) var resynchronizations: [Change] = []
    /// Whether the host fails to show a tree again.
    var refusesResynchronization = false
    /// The tree that the router asked the host to show last.
    private(set) var shown: ScreenTree?
    /// The screens that the router asked the host to discard.
    private(set) var discarded: [ScreenID] = []
    private var tasks: [HostTask] = []
    private var held: [(Result<Void, any Error>) -> Void] = []

    /// The names of the operations of each change.
    var operations: [[String]] { changes.map { $0.operations.map(\.name) } }

    func forgetChanges() { (changes, prepared) = ([], []) }

    /// The operations of each change, and the work that is not finished, for the report of a
    /// failing test.
    var summary: String {
        let operations = operations.map { $0.joined(separator: " ") }.joined(separator: "; ")
        let pending = tasks.map { "\($0.service)/\($0.task)" }.joined(separator: " ")
        return "changes [\(operations)], \(held.count) of them held; pending tasks [\(pending)]"
    }

    /// Completes the oldest change that is held.
    func answer(sourceLocation: SourceLocation = #_sourceLocation) {
        end(.success(()), sourceLocation)
    }

    /// Refuses the oldest change that is held.
    func refuse(sourceLocation: SourceLocation = #_sourceLocation) {
        end(.failure(Refusal()), sourceLocation)
    }

    private func end(_ result: Result<Void, any Error>, _ location: SourceLocation) {
        guard !held.isEmpty else {
            Issue.record("the host holds no change", sourceLocation: location)
            return
        }
        held.removeFirst()(result)
    }

    /// Removes and returns the oldest pending task that fits; nil if there is none.
    func takeTask(where fits: (HostTask) -> Bool) -> HostTask? {
        tasks.firstIndex(where: fits).map { tasks.remove(at: $0) }
    }

    /// The classes of the screens of each preparation.
    private(set) var prepared: [[String]] = []

    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        prepared.append(screens.map { tree[$0].class })
        try onPrepare?()
    }

    func discard(_ screens: [ScreenID]) { discarded += screens }

    func doTask(_ task: HostTask) { tasks.append(task) }

    /// Returns a dependency of the host.
    ///
    /// If nil, the host has no dependencies.
    var onDependency: ((String) -> Value?)?

    func dependency(_ name: String) -> Value? { onDependency?(name) }

    func cancelTask(_ task: HostTask) { tasks.removeAll { $0.id == task.id } }

    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        shown = tree
        if change.isResynchronization {
            resynchronizations.append(change)
            done(refusesResynchronization ? .failure(Refusal()) : .success(()))
            return
        }
        changes.append(change)
        if holds {
            held.append(done)
        } else {
            done(refuses ? .failure(Refusal()) : .success(()))
        }
    }
}
