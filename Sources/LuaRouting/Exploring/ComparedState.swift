// SPDX-License-Identifier: MIT

internal import LuaVM

/// The state of a router, in the form in which a search compares states.
///
/// Screens are identified by their positions in the tree, and times are relative to the current
/// time. Therefore, serial numbers, addresses and garbage have no effect.
package struct ComparedState {
    /// The hash of the router's own state: windows, screens with their fields, modals, selections,
    /// the shared state, gates, timers, and pending work in the order in which it waits.
    package let router: StateHash
    /// The hashes of everything that scripts can reach, one for each generation, the oldest first.
    package private(set) var scripts: [(first: UInt64, second: UInt64)] = []
    /// Descriptions of the objects that scripts can reach and whose content is not part of any
    /// hash.
    package private(set) var unseen: Set<String> = []

    /// Reads the state of a router.
    ///
    /// No script may be running.
    ///
    /// Afterwards, objects that only checkpoints or the app reference do not count as memory of the
    /// scripts.
    ///
    /// - Parameters:
    ///   - router: The router.
    ///   - includesScripts: Whether to hash all values that scripts can reach. If so, the garbage
    ///     of the scripts is collected first, because unreferenced objects may reference functions.
    /// - Complexity: O(*n*) in the number of values of the router and of its scripts.
    package init(_ router: Router, includesScripts: Bool = true) {
        var hasher = StateHasher(router)
        hasher.addAll()
        self.router = hasher.hash
        for generation in router.generations {
            let lua = generation.runtime.lua
            let roots = hasher.roots.filter { $0.isOf(lua) }
            var ignored = generation.passingHandles(router)
            ignored.formUnion(generation.leaveHandles(beside: roots, router))
            guard includesScripts else { continue }
            generation.runtime.collectHostObjects()
            let numbers = ObjectNumbers(hasher, generation.runtime.objects)
            if let hash = try? lua.fingerprint(
                beginningWith: roots,
                ignoring: ignored,
                number: numbers.number
            ) {
                scripts.append((hash.first, hash.second))
            } else {
                unseen.insert("the variables of scripts")
            }
            unseen.formUnion(numbers.unseen)
        }
        // Checkpoints may still reference work that ended earlier, whose memory must not be
        // counted.
        router.count(ReachedObjects(of: router))
    }
}

extension Generation {
    /// Frees values that the router referenced temporarily, such as the function of a timer, if
    /// only checkpoints still reference them.
    ///
    /// Such values do not count as memory of the scripts.
    ///
    /// - Returns: The handles of the values that only ended work still references.
    fileprivate func leaveHandles(beside roots: [FingerprintRoot], _ router: Router) -> Set<Int64> {
        let held = Set(roots.lazy.compactMap(\.handle))
        var ended = runtime.state.heldHandles.subtracting(held)
        runtime.state.heldHandles.formUnion(held)
        runtime.state.heldHandles.subtract(runtime.declaredHandles?.handles ?? [])
        guard !ended.isEmpty else { return [] }
        var needed = HeldHandles()
        for object in ReachedObjects(of: router).all {
            if let navigation = object as? Navigation { needed.visit(.table(navigation.info)) }
        }
        let left = ended.subtracting(needed.all)
        runtime.lua.leave(left)
        runtime.state.heldHandles.subtract(left)
        ended.subtract(left)
        return ended
    }

    /// Returns the handles of values that former declarations used, such as the functions of a
    /// route that was declared again.
    ///
    /// Only a checkpoint, or ended work, may still reference such a handle.
    fileprivate func passingHandles(_ router: Router) -> Set<Int64> {
        if runtime.declaredHandles?.declaration != runtime.state.declaration {
            var handles = HeldHandles()
            handles.visit(declaration: declarations)
            runtime.declaredHandles = (runtime.state.declaration, handles.all)
            runtime.knownHandles.formUnion(handles.all)
            runtime.passingHandles = runtime.knownHandles.subtracting(handles.all)
        }
        guard !runtime.passingHandles.isEmpty, !runtime.state.declaredSizes.isEmpty else {
            return runtime.passingHandles
        }
        // Pending work and screens may use steps of routes that have been declared again.
        var held = HeldHandles()
        for route in router.screens.routes.values { held.visit(declaration: route.step) }
        for navigation in router.pending {
            if let step = navigation.journey.definition { held.visit(declaration: step) }
        }
        return runtime.passingHandles.subtracting(held.all)
    }
}

/// The handles of the functions in a set of values.
private struct HeldHandles {
    private(set) var all: Set<Int64> = []
    private var visited: Set<ObjectIdentifier> = []

    /// Adds the functions in a value.
    mutating func visit(_ value: Value) {
        switch value {
        case .function(let function): all.insert(function.lua.number)
        case .table(let table):
            for value in table.list { visit(value) }
            for entry in table.entries { visit(entry.value) }
        default: break
        }
    }

    /// Adds the functions in a declaration of any type.
    mutating func visit(declaration value: Any) {
        // Reflecting each part of these types would take most of the time.
        if value is String || value is RouteError.Location || value is URLRouteTable { return }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class {
            let object = value as AnyObject
            if let function = object as? LuaFunction {
                all.insert(function.number)
                return
            }
            guard visited.insert(ObjectIdentifier(object)).inserted else { return }
        }
        // A list of numbers or strings may be large, and contains no functions.
        if mirror.displayStyle == .collection, let first = mirror.children.first?.value,
            Self.isPlain(first)
        {
            return
        }
        for child in mirror.children { visit(declaration: child.value) }
    }

    private static func isPlain(_ value: Any) -> Bool {
        value is String || value is any FixedWidthInteger
    }
}

extension Router {
    /// Prepares a checkpoint of a state that has been compared.
    ///
    /// The checkpoint will share with other checkpoints everything that no script has changed.
    package func prepareSharedCheckpoint() {
        for generation in generations { generation.runtime.lua.collectToFirstMark() }
    }
}

extension ScriptRuntime {
    /// Collects garbage, repeatedly, until no more host objects or handles are released.
    fileprivate func collectHostObjects() {
        var counts = (0, 0)
        repeat {
            counts = (objects.count, lua.liveHandles)
            lua.collectGarbage()
        } while counts != (objects.count, lua.liveHandles)
    }
}

/// A numbering of the objects that scripts can reach.
private final class ObjectNumbers {
    private struct Visit: Hashable {
        let type: ObjectType
        let identifier: Int64
    }

    private let hasher: StateHasher
    private let objects: ScriptObjects
    private var visits: [Visit: UInt64] = [:]
    private(set) var unseen: Set<String> = []

    init(_ hasher: StateHasher, _ objects: ScriptObjects) {
        (self.hasher, self.objects) = (hasher, objects)
    }

    /// Returns a number for an object.
    ///
    /// Objects that have the same content and are reached at the same position have the same
    /// number, regardless of the router's history.
    func number(_ type: ObjectType, _ identifier: Int64) -> UInt64 {
        let visit = Visit(type: type, identifier: identifier)
        let number = visits[visit] ?? UInt64(visits.count)
        visits[visit] = number
        var hash = hash(type, identifier)
        hash.add(number)
        return hash.first
    }

    private func hash(_ type: ObjectType, _ identifier: Int64) -> StateHash {
        if let owner = objects.owner(type, identifier) { return hasher.hash(of: owner) }
        // Without an owner, the value is not a handle, so reading it has no side effects.
        guard [objects.screen, objects.host, objects.declaration].contains(type) else {
            return StateHash()
        }
        var hash = StateHash()
        switch objects.value(type, identifier) {
        case .screen(let id): return hasher.hash(of: id)
        case .object(let object):
            let text = "\(object.base)"
            if type == objects.host { unseen.insert("host object '\(text)'") }
            hash.add(text)
        default: break
        }
        return hash
    }
}
