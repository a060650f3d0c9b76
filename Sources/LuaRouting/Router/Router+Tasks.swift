// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// Does a piece of work without a screen.
    ///
    /// - Parameters:
    ///   - target: What to do.
    ///   - info: The parameters.
    ///   - completion: Called once, when the worker has ended it.
    /// - Returns: The task; its ``RouteTask/value`` is what the worker gave at once.
    @discardableResult
    public func doTask(
        _ target: Target,
        info: Table = Table(),
        completion: ((RouteTask) -> Void)? = nil
    ) -> RouteTask {
        doTask(target, info: info, at: nil, completion: completion)
    }

    func doTask(
        _ target: Target,
        info: Table,
        at place: RouteError.Location?,
        completion: ((RouteTask) -> Void)?
    ) -> RouteTask {
        lastTask += 1
        let task = RouteTask(id: lastTask, target: target, completion: completion)
        emit(.task, currentNavigation, at: place, opening(of: task, info))
        do throws(RouteError) {
            try run(task, info)
        } catch {
            end(task, .failed(error), at: error.location)
        }
        pump()
        return task
    }

    /// Calls the worker of a task, or the host for a task that is the host's.
    private func run(_ task: RouteTask, _ info: Table) throws(RouteError) {
        let worker: Worker
        do throws(RouteError) {
            guard case .task(let found) = try generation.routes.find(task.target) else {
                throw .isScreen(task.target)
            }
            worker = found
        } catch {
            guard error.code == .notFound else { throw error }
            if generation.expectations.tasks.contains(task.target) {
                pendingTasks.append(task)
                host.doTask(
                    HostTask(service: task.target.service, task: task.target.task, info: info) {
                        [weak self] finished, info in
                        self?.hostEnds(task, finished, info)
                    }
                )
                return
            }
            guard let fallback = generation.fallback?.task else { throw error }
            worker = Worker(
                task.target,
                at: generation.fallback?.place,
                function: fallback,
                isFallback: true
            )
        }
        try tree.checkOrigin(of: .table(info))
        pendingTasks.append(task)
        let answer = try generation.run(worker, for: task, info: info)
        task.value = answer.value
        if !answer.value.isNil, !answer.endsLater, task.isPending {
            end(task, .done(finished: true, info: answer.value), at: worker.place)
        }
    }

    private func hostEnds(_ task: RouteTask, _ finished: Bool, _ info: Value) {
        do throws(RouteError) {
            try tree.checkOrigin(of: info)
            end(task, .done(finished: finished, info: info), at: nil)
        } catch {
            end(task, .failed(error), at: nil)
        }
        pump()
    }

    /// Calls a function that the scripts export.
    ///
    /// - Parameters:
    ///   - name: The name that it was exported as.
    ///   - argument: The one table that it gets.
    /// - Returns: Its result.
    /// - Throws: `notFound`, with the nearest name; or what the function raises.
    @discardableResult
    public func call(_ name: String, _ argument: Table = Table()) throws(RouteError) -> Value {
        guard let export = generation.exports[name] else {
            throw .noExport(name, among: generation.exports.keys.sorted())
        }
        defer { pump() }
        try tree.checkOrigin(of: .table(argument))
        return try generation.call(export.function, [.value(.table(argument))])
    }

    /// Ends a task, once.
    ///
    /// A second end does nothing, and is told to the log with both places.
    func end(_ task: RouteTask, _ status: RouteTask.Status, at place: RouteError.Location?) {
        guard task.isPending else {
            log("warn", RouteError.endedTwice(task, status, place).message, at: place)
            return
        }
        task.status = status
        task.endPlace = place
        pendingTasks.removeAll { $0 === task }
        emit(.task, currentNavigation, at: place, ending(of: task))
        task.completions += 1
        let completion = task.completion
        task.completion = nil
        completion?(task)
    }

    private func opening(of task: RouteTask, _ info: Table) -> [(name: String, value: Value)] {
        [
            ("service", Value(task.target.service)), ("task", Value(task.target.task)),
            ("phase", "started"), ("info", .table(info)),
        ]
    }

    private func ending(of task: RouteTask) -> [(name: String, value: Value)] {
        let target: [(name: String, value: Value)] = [
            ("service", Value(task.target.service)), ("task", Value(task.target.task)),
        ]
        switch task.status {
        case .pending: return target
        case .done(let finished, _):
            return target + [("phase", "done"), ("finished", .boolean(finished))]
        case .failed(let error): return target + [("phase", "failed")] + fields(about: error)
        }
    }
}
