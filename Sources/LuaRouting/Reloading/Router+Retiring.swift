// SPDX-License-Identifier: MIT

/// Retired generations and their pending work.
extension Router {
    /// Retires a generation, which may finish its pending work within the drain time.
    func retire(_ generation: Generation) {
        retired.append(generation)
        // If there is no drain time, the work is cancelled after the reload was reported.
        generation.lease.beginDrain { seconds in
            timers.add(at: time(in: seconds), .deadline) { [unowned self, weak generation] in
                guard let generation else { return }
                generation.lease.endDrain()
                supersede(generation)
            }
        }
    }

    /// Calls the function that the scripts have declared with `router.activated`.
    ///
    /// An error in the function is logged.
    ///
    /// - Parameters:
    ///   - generation: The scripts.
    ///   - previous: The number of the generation that was active before; nil if there was none.
    func activate(_ generation: Generation, after previous: Int?) {
        guard let function = generation.declarations.activated?.function.lua else { return }
        do throws(RouteError) {
            let previous: Value = previous.map { .integer(Int64($0)) } ?? .nil
            _ = try lending.calling(for: generation) { () throws(RouteError) in
                try generation.runtime.call(function, arguments: [previous])
            }
        } catch {
            logUnheard(error)
        }
    }

    /// Logs the pending work that is about to be cancelled because the drain time is over, one line
    /// for each navigation, task, call or timer.
    private func logWork(of generation: Generation) {
        var titles = pending.filter { $0.generation === generation }
            .map { "the navigation to '\($0.title)'" }
        titles += pendingTasks.filter { $0.generation === generation }
            .map { "task '\($0.target)'" }
        titles += pendingCalls.filter { $0.generation === generation }
            .map { "exported function '\($0.name)'" }
        titles += timers.times(of: generation.number).map { time in
            "a timer that was due in \(Value.number(time - now)) s"
        }
        for title in titles {
            log("warn", "\(title) ended, because the drain time of its scripts is over")
        }
    }

    /// Cancels the pending work of a retired generation.
    func supersede(_ generation: Generation) {
        logWork(of: generation)
        cancelWork(of: generation, .supersededByReload())
        pump()
    }

    /// Cancels all pending work of a generation.
    func cancelWork(of generation: Generation, _ error: RouteError) {
        timers.removeAll(of: generation.number)
        for navigation in pending where navigation.generation === generation {
            cancel(navigation, error)
        }
        for task in pendingTasks where task.generation === generation { cancel(task, error) }
        for call in pendingCalls where call.generation === generation { cancel(call, error) }
        for link in activeLinks where link.activity?.generation === generation {
            withdraw([link], error)
        }
        for activity in generation.lease.activities { cancel(activity) }
    }

    /// Releases the retired generations that have no pending work.
    ///
    /// Must be called when the router is idle.
    func closeRetired() {
        guard queue.endings.isEmpty, queue.undelivered.isEmpty, !isRunningScript else { return }
        // A retired generation may have begun more work while the host was applying the last
        // change.
        for generation in retired where generation.lease.isOverdue { supersede(generation) }
        guard queue.endings.isEmpty else { return }
        let pending = pending
        for generation in retired where isAtRest(generation, pending) {
            if let timer = generation.lease.timer { timers.remove(timer) }
            retired.removeAll { $0 === generation }
            letGo(of: generation)
        }
    }

    private func isAtRest(_ generation: Generation, _ pending: [Navigation]) -> Bool {
        generation.lease.isOver
            && !timers.hasEntry(of: generation.number)
            && !pending.contains { $0.generation === generation }
            && !pendingTasks.contains { $0.generation === generation }
            && !pendingCalls.contains { $0.generation === generation }
    }

    /// Releases a generation.
    ///
    /// The Lua state is closed when the last reference to the generation is released. A caller may
    /// hold such a reference. After that, the screens that only this state referenced are released.
    func letGo(of generation: Generation) {
        recorder.retire(generation.declarations.classes.privateNames)
        contents.leftObjects.append((generation.runtime.objects, LeftGeneration(generation)))
    }

    /// Returns the screens that closed generations referenced, and forgets these generations.
    func takeScreensOfClosed() -> [ScreenID] {
        guard !contents.leftObjects.isEmpty else { return [] }
        var screens: [ScreenID] = []
        contents.leftObjects.removeAll { objects, left in
            guard left.generation == nil else { return false }
            screens += objects.takeDroppedScreens(of: tree)
            return true
        }
        return screens
    }
}

/// A released generation, to which a caller may still have a reference.
struct LeftGeneration {
    weak var generation: Generation?

    init(_ generation: Generation) { self.generation = generation }
}
