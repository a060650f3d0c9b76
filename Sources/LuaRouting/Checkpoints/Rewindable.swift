// SPDX-License-Identifier: MIT

/// An object whose state a checkpoint of its router contains.
protocol Rewindable: AnyObject {
    /// Returns a closure that makes the object what it is now.
    func saved() -> Saved

    /// Adds the objects that it refers to.
    func visit(_ reached: inout ReachedObjects)

    /// Counts its memory for the scripts, after the account began anew.
    func count()

    /// Replaces the dependencies that it holds.
    func renewDependencies(_ renew: (Dependency) -> Dependency)
}

extension Rewindable {
    /// Makes an object what it was.
    ///
    /// - Parameter remembersCalls: Whether completion handlers of the app that were called since are not
    ///   called again.
    typealias Saved = (_ remembersCalls: Bool) -> Void

    func visit(_ reached: inout ReachedObjects) {}
    func count() {}
    func renewDependencies(_ renew: (Dependency) -> Dependency) {}
}

/// The objects that a router refers to, directly and through each other.
struct ReachedObjects {
    private(set) var all: [any Rewindable] = []
    private var identifiers: Set<ObjectIdentifier> = []

    /// The objects that a router refers to now.
    init(of router: Router) {
        router.visit(&self)
        var next = 0
        while next < all.count {
            all[next].visit(&self)
            next += 1
        }
    }

    func contains(_ object: AnyObject) -> Bool {
        identifiers.contains(ObjectIdentifier(object))
    }

    mutating func add(_ object: (any Rewindable)?) {
        guard let object, identifiers.insert(ObjectIdentifier(object)).inserted else { return }
        all.append(object)
    }

    mutating func add(_ objects: some Sequence<some Rewindable>) {
        for object in objects { add(object) }
    }
}

extension Router {
    /// Adds the objects that the router refers to itself.
    fileprivate func visit(_ reached: inout ReachedObjects) {
        for generation in generations { reached.add(generation) }
        reached.add(queue.ready)
        reached.add(queue.underWay)
        reached.add(queue.gated)
        reached.add(queue.applying)
        reached.add(queue.reload)
        for ending in queue.endings.elements {
            if let ended = ending.ended { reached.add(ended) }
        }
        for waits in screens.waits.values { reached.add(waits) }
        for route in screens.routes.values { reached.add(route.navigation) }
        reached.add(queuedLinkRecords.waiting)
        reached.add(queuedLinkRecords.next)
        reached.add(queuedLinkRecords.followed)
        reached.add(pendingTasks)
        reached.add(pendingCalls)
    }
}

extension Generation: Rewindable {
    func saved() -> Saved {
        let own = (lease, listeners, breaches, dependencies, lastRouting, optionsPlace)
        let others = (
            isComplete, migration, runtime.budget, runtime.records, runtime.objects.records
        )
        let declarations = declarations.saved()
        return { [self] _ in
            (lease, listeners, breaches, dependencies, lastRouting, optionsPlace) = own
            (isComplete, migration, runtime.budget, runtime.records, runtime.objects.records) =
                others
            declarations()
        }
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(lease.activities)
        reached.add(runtime.objects.heldNavigations)
        reached.add(runtime.objects.heldTasks)
        reached.add(runtime.objects.records.links.values)
        reached.add(runtime.objects.records.routings.values)
        reached.add(declarations.routings.routings)
    }
}

extension Routing: Rewindable {
    func saved() -> Saved {
        let own = (queryNames, action, isBusy)
        return { [self] _ in (queryNames, action, isBusy) = own }
    }
}

extension Navigation.Question: Rewindable {
    func saved() -> Saved {
        let own = (answer, activity, timer, isRunning)
        return { [self] _ in (answer, activity, timer, isRunning) = own }
    }

    func visit(_ reached: inout ReachedObjects) { reached.add(activity) }
}

extension Activity: Rewindable {
    func saved() -> Saved {
        let own = (patience, completion, generation, thread, wait, dependencies, step)
        let others = (hearsSlow, followsLink, dropsHandle, results)
        return { [self] _ in
            (patience, completion, generation, thread, wait, dependencies, step) = own
            (hearsSlow, followsLink, dropsHandle, results) = others
        }
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(navigation)
        reached.add(wait)
        reached.add(generation)
    }

    func renewDependencies(_ renew: (Dependency) -> Dependency) {
        if dependencies != nil { dependencies = dependencies?.mapValues(renew) }
    }

    /// Lets go of all that it refers to, on a line of history that is left.
    func letGo() {
        (completion, generation, thread, wait, dependencies) = (nil, nil, nil, nil, nil)
    }
}

extension Wait: Rewindable {
    func saved() -> Saved {
        let own = (waiter, screen, navigation, timers, isOver, isSleep, holdsPatience)
        return { [self] remembersCalls in
            let wasCalled = isOver && remembersCalls
            (waiter, screen, navigation, timers, isOver, isSleep, holdsPatience) = own
            if wasCalled, !isOver, case .host = waiter { waiter = .host { _ in } }
        }
    }

    func visit(_ reached: inout ReachedObjects) {
        if case .script(let activity) = waiter { reached.add(activity) }
        reached.add(navigation)
    }
}

extension QueuedLink: Rewindable {
    func saved() -> Saved {
        let own = (status, result, completions, deadline, pattern, pathParameters, queryParameters)
        let others = (routing, completion, activity, timer)
        return { [self] remembersCalls in
            let isOfScript = origin == .script || location != nil
            let calls = remembersCalls && !isOfScript && others.1 != nil ? completions : 0
            (status, result, completions, deadline, pattern, pathParameters, queryParameters) = own
            (routing, completion, activity, timer) = others
            if calls > 0 { (completions, completion) = (calls, nil) }
        }
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(routing)
        reached.add(activity)
    }
}

extension ExportedCall: Rewindable {
    func saved() -> Saved {
        let own = (status, completions, completion, activity, generation)
        return { [self] remembersCalls in
            let calls = remembersCalls && own.2 != nil ? completions : 0
            (status, completions, completion, activity, generation) = own
            if calls > 0 { (completions, completion) = (calls, nil) }
        }
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(activity)
        reached.add(generation)
    }
}

extension Reload: Rewindable {
    func saved() -> Saved {
        let own = (status, completion)
        return { [self] _ in (status, completion) = own }
    }
}
