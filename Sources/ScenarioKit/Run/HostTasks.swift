// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The task calls during a scenario, and the results that the scenario's steps provide for host
/// tasks.
final class HostTasks {
    /// A call to a host task or a script task.
    struct Call {
        let target: Target
        let info: InfoTable
    }

    /// The values that are restored when the session goes back to an earlier state.
    struct State {
        /// The calls since the last step that acts.
        fileprivate(set) var calls: [Call] = []
        fileprivate var stubs: [Stub] = []
        /// The number of used stubs, by task.
        fileprivate var used: [Target: Int] = [:]
    }

    var state = State()

    /// The result of the next call that matches a pattern.
    fileprivate struct Stub {
        let pattern: CallPattern
        let end: TaskEnd
        let names: ValueNotation.Names
        let onUse: () -> Void
    }
    private let host: HeadlessHost

    init(_ host: HeadlessHost) {
        self.host = host
        host.onTask = { [unowned self] task in answer(task) }
    }

    /// Removes all recorded calls.
    func forgetCalls() { state.calls.removeAll() }

    /// Records a call that was reported by an event.
    func noteCall(of target: Target, _ info: InfoTable) {
        state.calls.append(Call(target: target, info: info))
    }

    /// Adds the result for the next matching call, after the existing stubs.
    func stub(
        _ pattern: CallPattern,
        end: TaskEnd,
        names: @escaping ValueNotation.Names,
        onUse: @escaping () -> Void
    ) {
        state.stubs.append(Stub(pattern: pattern, end: end, names: names, onUse: onUse))
    }

    private func answer(_ task: HostTask) -> Bool {
        let target = Target(task.service, task.task)
        guard
            let index = state.stubs.firstIndex(where: { stub in
                stub.pattern.fits(target, with: task.info, names: stub.names)
            })
        else { return false }
        let stub = state.stubs.remove(at: index)
        state.used[target, default: 0] += 1
        stub.onUse()
        task.end(stub.end.isFinished, stub.end.info.value(stub.names))
        return true
    }

    /// Ends the oldest pending call to a task.
    ///
    /// - Returns: Whether a call was pending.
    func complete(_ target: Target, end: TaskEnd, names: ValueNotation.Names) -> Bool {
        let task = host.takeTask { $0.service == target.service && $0.task == target.task }
        task?.end(end.isFinished, end.info.value(names))
        return task != nil
    }

    /// A sentence for each pending task whose stubs have all been used.
    var usedUp: [String] {
        Set(pending).sorted { $0.description < $1.description }.compactMap { target in
            guard let count = state.used[target],
                !state.stubs.contains(where: { $0.pattern.target == target })
            else { return nil }
            let stubs =
                count == 1 ? "the stub of '\(target)' is" : "\(count) stubs of '\(target)' are"
            return "\(stubs) used up, but another call is pending (add a stub for this call)"
        }
    }

    /// The pending tasks, in the order of their calls.
    var pending: [Target] { host.tasks.map { Target($0.service, $0.task) } }
}

extension CallPattern {
    /// Returns whether a call with the given target and info matches this pattern.
    func fits(_ target: Target, with info: InfoTable, names: ValueNotation.Names) -> Bool {
        guard target == self.target else { return false }
        guard let fields = self.info else { return true }
        if fields.isEmpty { return info.isEmpty }
        return fields.allSatisfy { $0.notation.matches(info[$0.name], names) }
    }
}
