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
        emit(.task, currentNavigation, at: place, opening(of: task))
        do throws(RouteError) {
            guard case .task(let worker) = try generation.routes.find(target) else {
                throw .isScreen(target)
            }
            pendingTasks.append(task)
            let answer = try generation.run(worker, for: task, info: info)
            task.value = answer.value
            if !answer.value.isNil, !answer.endsLater, task.isPending {
                end(task, .done(finished: true, info: answer.value), at: worker.place)
            }
        } catch {
            end(task, .failed(error), at: error.location)
        }
        return task
    }

    /// Ends a task, once.
    ///
    /// A second end does nothing, and is told to the log with both places.
    func end(_ task: RouteTask, _ status: RouteTask.Status, at place: RouteError.Location?) {
        guard task.isPending else {
            log("warn", "\(RouteError.endedTwice(task, place))", at: place)
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

    private func opening(of task: RouteTask) -> [(name: String, value: Value)] {
        [
            ("service", Value(task.target.service)), ("task", Value(task.target.task)),
            ("phase", "started"),
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
