// SPDX-License-Identifier: MIT

/// An object whose state is part of the checkpoints of its router.
///
/// The members of the state can be accessed as members of the object.
@dynamicMemberLookup
protocol Rewindable: AnyObject {
    associatedtype State
    /// The values that a rewind restores.
    var state: State { get set }

    /// A closure that restores the object's current state when it is called later; see
    /// ``settle(after:remembersCalls:)``.
    var restoration: (_ remembersCalls: Bool) -> Void { get }

    /// Restores the values that a rewind must not undo.
    ///
    /// - Parameters:
    ///   - left: The state before the rewind.
    ///   - remembersCalls: Whether a completion handler of the app that was called before the
    ///     rewind is not called a second time.
    func settle(after left: State, remembersCalls: Bool)

    /// Adds the objects that the state references.
    func visit(_ reached: inout ReachedObjects)

    /// Counts the memory that the object uses on behalf of the scripts.
    ///
    /// This function is called after the memory account was reset.
    func count()

    /// Replaces the dependencies that the state references.
    func renewDependencies(_ renew: (Dependency) -> Dependency)
}

extension Rewindable {
    subscript<Member>(dynamicMember member: KeyPath<State, Member>) -> Member {
        @inline(__always) get { state[keyPath: member] }
    }
    subscript<Member>(dynamicMember member: WritableKeyPath<State, Member>) -> Member {
        @inline(__always) get { state[keyPath: member] }
        @inline(__always) _modify { yield &state[keyPath: member] }
    }

    var restoration: (_ remembersCalls: Bool) -> Void {
        { [self, state] remembersCalls in
            let left = self.state
            self.state = state
            settle(after: left, remembersCalls: remembersCalls)
        }
    }

    func settle(after left: State, remembersCalls: Bool) {}
    func visit(_ reached: inout ReachedObjects) {}
    func count() {}
    func renewDependencies(_ renew: (Dependency) -> Dependency) {}
}

/// The objects that a router references, directly and through each other.
struct ReachedObjects {
    private(set) var all: [any Rewindable] = []
    private var identifiers: Set<ObjectIdentifier> = []

    /// Collects the objects that a router currently references.
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
    /// Adds the objects that the router references directly.
    fileprivate func visit(_ reached: inout ReachedObjects) {
        for generation in generations { reached.add(generation) }
        for (objects, _) in contents.leftObjects { reached.add(objects.held) }
        reached.add(queue.ready)
        reached.add(queue.active)
        reached.add(queue.gated)
        reached.add(queue.applying)
        reached.add(queue.reload)
        for ending in queue.endings.elements {
            if let ended = ending.ended { reached.add(ended) }
        }
        for waits in screens.waits.values { reached.add(waits) }
        for route in screens.routes.values { reached.add(route.navigation) }
        reached.add(contents.queuedLinkRecords.waiting)
        reached.add(contents.queuedLinkRecords.next)
        reached.add(contents.queuedLinkRecords.followed)
        reached.add(pendingTasks)
        reached.add(pendingCalls)
    }
}

extension Generation: Rewindable {
    func visit(_ reached: inout ReachedObjects) {
        reached.add(declarations)
        reached.add(runtime)
        reached.add(runtime.objects.held)
        reached.add(state.lease.activities)
        reached.add(runtime.objects.heldNavigations)
        reached.add(runtime.objects.heldTasks)
        reached.add(runtime.objects.held.links.values)
        reached.add(runtime.objects.held.routings.values)
        reached.add(declarations.state.routings.routings)
    }
}

extension Declarations: Rewindable {
    var restoration: (_ remembersCalls: Bool) -> Void {
        { [self, shared = share()] _ in restore(shared) }
    }
}

extension Routing: Rewindable {}

extension HeldObjects: Rewindable {}

extension ScriptRuntime: Rewindable {
    func settle(after left: State, remembersCalls: Bool) { lua.setBudget(budget) }
}

extension Navigation.Question: Rewindable {
    func visit(_ reached: inout ReachedObjects) { reached.add(state.activity) }
}

extension Activity: Rewindable {
    func visit(_ reached: inout ReachedObjects) {
        reached.add(navigation)
        reached.add(state.wait)
        reached.add(state.generation)
    }

    func renewDependencies(_ renew: (Dependency) -> Dependency) {
        if state.dependencies != nil {
            state.dependencies = state.dependencies?.mapValues(renew)
        }
    }

    /// Releases everything that the activity references, because a rewind has abandoned it.
    func letGo() {
        (state.completion, state.generation, state.thread) = (nil, nil, nil)
        (state.wait, state.dependencies) = (nil, nil)
    }
}

extension Wait: Rewindable {
    func settle(after left: State, remembersCalls: Bool) {
        guard remembersCalls, left.isOver, !state.isOver, case .host = state.waiter else { return }
        state.waiter = .host { _ in }
    }

    func visit(_ reached: inout ReachedObjects) {
        if case .script(let activity) = state.waiter { reached.add(activity) }
        reached.add(state.navigation)
    }
}

extension QueuedLink: Rewindable {
    func settle(after left: State, remembersCalls: Bool) {
        let isOfScript = origin == .script || location != nil
        guard remembersCalls, !isOfScript, state.completion != nil, left.completions > 0 else {
            return
        }
        (state.completions, state.completion) = (left.completions, nil)
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(state.routing)
        reached.add(state.activity)
    }
}

extension ExportedCall: Rewindable {
    func settle(after left: State, remembersCalls: Bool) {
        guard remembersCalls, state.completion != nil, left.completions > 0 else { return }
        (state.completions, state.completion) = (left.completions, nil)
    }

    func visit(_ reached: inout ReachedObjects) {
        reached.add(state.activity)
        reached.add(state.generation)
    }
}

extension Reload: Rewindable {}
