// SPDX-License-Identifier: MIT

import LuaRouting

/// A host that answers as a schedule says, and notes what it should not have been asked.
final class ScheduleHost: RouterHost {
    struct Refusal: Error {}

    var holds = false
    var refusesNext = false
    var refusesPreparation = false
    /// Done once, as the next change is handed over.
    var duringNextChange: (() -> Void)?
    private(set) var mistakes: [String] = []
    /// The calls by the router, one a line.
    var calls: [String] = []
    private(set) var tasks: [HostTask] = []
    /// The answers to changes that nobody waits for any more.
    private(set) var late: [(Result<Void, any Error>) -> Void] = []
    private var held: ((Result<Void, any Error>) -> Void)?
    private var lastRevision = 0
    /// The guards of the last change; a change without operations has others.
    private var lastGuards: [ScreenID: Guard] = [:]

    var holdsChange: Bool { held != nil }

    func answer(refuses: Bool) {
        guard let done = held.takeValue() else { return }
        late.append(done)
        done(refuses ? .failure(Refusal()) : .success(()))
    }

    /// Answers what was answered, or what was overtaken.
    func answerLate() { late.last?(.success(())) }

    /// Forgets the change that it holds if another tree is set.
    func overtakingChange(_ setTree: () -> Bool) {
        let overtaken = held.takeValue()
        if !setTree() {
            held = overtaken
        } else if let overtaken {
            late.append(overtaken)
        }
    }

    func dropLate() { late = [] }

    /// Returns a closure that makes the host what it is now.
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
