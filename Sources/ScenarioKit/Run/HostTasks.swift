// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The host's part in a scenario: which tasks were called, and how those of the host end.
final class HostTasks {
    /// A call of a task, of the host's or a script's.
    struct Call {
        let target: Target
        let info: InfoTable
    }

    /// The calls since the last step that does something.
    private(set) var calls: [Call] = []
    private var stubs: [Stub] = []
    /// The answer to the next call that fits a pattern.
    private struct Stub {
        let pattern: CallPattern
        let end: TaskEnd
        let onUse: () -> Void
    }
    /// How many stubs of a task have answered.
    private var used: [Target: Int] = [:]
    private let host: HeadlessHost

    init(_ host: HeadlessHost) {
        self.host = host
        host.onTask = { [unowned self] task in answer(task) }
    }

    /// Forgets the calls so far.
    func forgetCalls() { calls.removeAll() }

    /// Remembers a call that an event tells of.
    func noteCall(of target: Target, _ info: InfoTable) {
        calls.append(Call(target: target, info: info))
    }

    /// Says how the next call that fits ends, behind what was said before.
    func stub(_ pattern: CallPattern, _ end: TaskEnd, onUse: @escaping () -> Void) {
        stubs.append(Stub(pattern: pattern, end: end, onUse: onUse))
    }

    private func answer(_ task: HostTask) -> Bool {
        let target = Target(task.service, task.task)
        guard let index = stubs.firstIndex(where: { $0.pattern.fits(target, task.info) }) else {
            return false
        }
        let stub = stubs.remove(at: index)
        used[target, default: 0] += 1
        stub.onUse()
        task.end(stub.end.isFinished, stub.end.info)
        return true
    }

    /// Ends the oldest call of a task that is pending; returns false where there is none.
    func complete(_ target: Target, _ end: TaskEnd) -> Bool {
        let task = host.takeTask { $0.service == target.service && $0.task == target.task }
        task?.end(end.isFinished, end.info)
        return task != nil
    }

    /// What became of the stubs of tasks that are pending, where all of them have answered: a
    /// sentence each.
    var usedUp: [String] {
        Set(pending).sorted { $0.description < $1.description }.compactMap { target in
            guard let count = used[target], !stubs.contains(where: { $0.pattern.target == target })
            else { return nil }
            let stubs =
                count == 1 ? "the stub of '\(target)' is" : "\(count) stubs of '\(target)' are"
            return "\(stubs) used up, and another call waits"
        }
    }

    /// The tasks that are pending, the oldest call first.
    var pending: [Target] { host.tasks.map { Target($0.service, $0.task) } }
}

extension CallPattern {
    /// Whether a call is one that is meant.
    func fits(_ target: Target, _ info: InfoTable) -> Bool {
        guard target == self.target else { return false }
        guard let fields = self.info else { return true }
        if fields.isEmpty { return info.isEmpty }
        return fields.allSatisfy { info[$0.name].isEqual(to: $0.value) }
    }
}
