// SPDX-License-Identifier: MIT

import LuaRouting

/// A host that completes changes when a schedule says so, and records calls that the router should
/// not have made.
final class ScheduleHost: RouterHost {
    struct Refusal: Error {}

    var holds = false
    var refusesNext = false
    var refusesPreparation = false
    /// Called once, when the host receives the next change.
    var duringNextChange: (() -> Void)?
    private(set) var mistakes: [String] = []
    /// The calls by the router, each as one line.
    var calls: [String] = []
    private(set) var tasks: [HostTask] = []
    /// The completion handlers of changes for which the router no longer waits.
    private(set) var late: [(Result<Void, any Error>) -> Void] = []
    private var held: ((Result<Void, any Error>) -> Void)?
    private var lastRevision = 0
    /// The guards of the last change.
    ///
    /// They must differ from the guards of a following change that has no operations.
    private var lastGuards: [ScreenID: Guard] = [:]

    var holdsChange: Bool { held != nil }

    func answer(refuses: Bool) {
        guard let done = held.takeValue() else { return }
        late.append(done)
        done(refuses ? .failure(Refusal()) : .success(()))
    }

    /// Completes the last change for which the router no longer waits, possibly a second time.
    func answerLate() { late.last?(.success(())) }

    /// Discards the change that the host holds if the closure sets another tree.
    func overtakingChange(_ setTree: () -> Bool) {
        let overtaken = held.takeValue()
        if !setTree() {
            held = overtaken
        } else if let overtaken {
            late.append(overtaken)
        }
    }

    func dropLate() { late = [] }

    /// Returns a closure that restores the current state of the host.
    func saved() -> () -> Void {
        let own = (holds, refusesNext, refusesPreparation, duringNextChange, mistakes, calls)
        let others = (tasks, late, held, lastRevision, lastGuards)
        return { [self] in
            (holds, refusesNext, refusesPreparation, duringNextChange, mistakes, calls) = own
            (tasks, late, held, lastRevision, lastGuards) = others
        }
    }

    func endTask(_ index: Int, finished: Bool, twice: Bool) {
        guard !tasks.isEmpty else { return }
        let task = tasks.remove(at: index % tasks.count)
        task.end(finished, 1)
        if twice { task.end(!finished, 2) }
    }

    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        calls.append("prepare \(screens.map(\.serial))")
        guard refusesPreparation else { return }
        refusesPreparation = false
        throw Refusal()
    }

    func discard(_ screens: [ScreenID]) { calls.append("discard \(screens.map(\.serial))") }

    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        let operations = change.operations.map { "\($0.name)\($0.screens.map(\.serial))" }
        let again = change.isResynchronization ? " again" : ""
        calls.append("show \(change.revision)\(again) \(operations)")
        if let unanswered = held.takeValue() {
            late.append(unanswered)
            if !change.isResynchronization {
                mistakes.append("change \(change.revision) comes before an answer")
            }
        }
        if change.revision != lastRevision + 1 {
            mistakes.append("change \(change.revision) comes after change \(lastRevision)")
        }
        if change.operations.isEmpty, change.guards == lastGuards {
            mistakes.append("change \(change.revision) is empty")
        }
        (lastRevision, lastGuards) = (change.revision, change.guards)
        held = done
        if let act = duringNextChange.takeValue() { act() }
        // The call may have answered, or set another tree.
        guard held != nil, lastRevision == change.revision, !holds else { return }
        let refuses = refusesNext
        refusesNext = false
        answer(refuses: refuses)
    }

    func doTask(_ task: HostTask) {
        calls.append("do task \(task.id)")
        tasks.append(task)
    }

    func cancelTask(_ task: HostTask) {
        calls.append("cancel task \(task.id)")
        if !tasks.contains(where: { $0.id == task.id }) {
            mistakes.append("task \(task.id) is cancelled, and was not pending")
        }
        tasks.removeAll { $0.id == task.id }
    }
}
