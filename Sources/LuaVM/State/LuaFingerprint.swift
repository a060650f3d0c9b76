// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A 128-bit hash of all values that are reachable from given values of a state.
///
/// Two fingerprints are equal if no script can observe a difference between the values, even if the
/// values belong to states on different threads. Otherwise they differ, except for collisions.
/// Fingerprints can be compared between runs of the same build.
package struct Fingerprint: Hashable, Sendable {
    package var first: UInt64
    package var second: UInt64

    package func hash(into hasher: inout Hasher) { hasher.combine(first) }
}

/// A value at which a fingerprint begins.
package enum FingerprintRoot {
    /// A function.
    case function(LuaFunction)
    /// A value of any kind.
    case reference(LuaReference)
    /// A coroutine.
    ///
    /// All coroutines that have ended have the same hash.
    case thread(LuaThread)
    /// The globals of an environment.
    case environment(LuaEnvironment)

    /// The number of the handle in its state; nil for a coroutine.
    package var handle: Int64? {
        switch self {
        case .function(let function): function.number
        case .reference(let reference): reference.handle.number
        case .environment(let environment): environment.slot.index
        case .thread: nil
        }
    }

    /// Returns whether the root belongs to a state.
    package func isOf(_ state: LuaState) -> Bool {
        switch self {
        case .function(let function): function.slot.released === state.released
        case .reference(let reference): reference.handle.slot.released === state.released
        case .environment(let environment): environment.slot.released === state.released
        case .thread(let thread): thread.released === state.released
        }
    }
}

extension LuaState {
    /// A function that returns the number to hash instead of an object's identifier; nil to hash
    /// the identifier.
    package typealias ObjectNumber = (_ type: ObjectType, _ identifier: Int64) -> UInt64?

    /// Returns a hash of everything that scripts can reach from the given roots, and of the state
    /// of `math.random`.
    ///
    /// Values with equal content have equal hashes, independent of where and when they were
    /// created. A table that two variables share differs from two equal tables. If tables and
    /// functions are keys of a table, the order of their creation matters, as for `pairs`. For host
    /// functions and host objects, only the name is hashed; see ``unseen(from:)``.
    ///
    /// The time is proportional to the number of reachable values. The state is not changed.
    ///
    /// - Parameters:
    ///   - roots: Values of this state, in an order that is the same in each state.
    ///   - limit: The maximum memory for the computation, in bytes.
    ///   - number: Translates identifiers of objects, such as serials, to numbers that do not
    ///     depend on the history of the state. The function must not use the state.
    /// - Returns: The fingerprint.
    /// - Throws: An error of the kind `memory`; of the kind `runtime` while a script is running, or
    ///   with a release of Lua whose memory layout is unknown; of the kind `conversion` for a root
    ///   of another state.
    package func fingerprint(
        of roots: [FingerprintRoot],
        limit: Int = .max,
        number: @escaping ObjectNumber = { _, _ in nil }
    ) throws(ScriptError) -> Fingerprint {
        try walk(roots, limit: limit, visitor: FingerprintVisitor(number: number))
    }

    /// Returns a hash of everything that scripts can reach from the given roots and from all other
    /// handles.
    ///
    /// The other handles are hashed in the order in which Swift received them.
    ///
    /// - Parameters:
    ///   - roots: The roots to begin with, in an order that is the same in each state. Coroutines
    ///     are included only if they are roots.
    ///   - ignored: The numbers of handles to ignore, unless they are roots.
    ///   - number: As in ``fingerprint(of:limit:number:)``.
    /// - Returns: The fingerprint.
    /// - Throws: The same errors as ``fingerprint(of:limit:number:)``.
    package func fingerprint(
        beginningWith roots: [FingerprintRoot],
        ignoring ignored: Set<Int64> = [],
        number: @escaping ObjectNumber = { _, _ in nil }
    ) throws(ScriptError) -> Fingerprint {
        prepare()
        var values = try self.values(of: roots)
        let slots = [LuaRouteSlot](unsafeUninitializedCapacity: luaroute_live_slots(context)) {
            $1 = luaroute_held_slots(context, $0.baseAddress, $0.count)
        }
        let known = Set(values.map(\.slot)).union(ignored)
        for slot in slots where !known.contains(slot) {
            values.append(LuaRouteRoot(slot: slot, thread: LuaRouteThread()))
        }
        // The roots keep the slots alive.
        defer { withExtendedLifetime(roots) {} }
        return try walk(values, limit: .max, visitor: FingerprintVisitor(number: number))
    }

    /// Returns the names of the host's object types and functions that scripts can reach from the
    /// given roots, sorted.
    ///
    /// Fingerprints do not include the content of these values. A table of functions is listed
    /// under the name of its first function.
    package func unseen(from roots: [FingerprintRoot]) throws(ScriptError) -> [String] {
        var names: Set<String> = []
        let visitor = FingerprintVisitor { [types] type, _ in
            names.insert(types[Int(type.index) - 1].name)
            return nil
        }
        visitor.functions = []
        _ = try walk(roots, limit: .max, visitor: visitor)
        return names.union((visitor.functions ?? []).map { box in box.label }).sorted()
    }

    private func walk(
        _ roots: [FingerprintRoot],
        limit: Int,
        visitor: FingerprintVisitor
    ) throws(ScriptError) -> Fingerprint {
        prepare()
        let values = try values(of: roots)
        // The roots keep the slots alive.
        defer { withExtendedLifetime(roots) {} }
        return try walk(values, limit: limit, visitor: visitor)
    }

    private func values(of roots: [FingerprintRoot]) throws(ScriptError) -> [LuaRouteRoot] {
        var values: [LuaRouteRoot] = []
        values.reserveCapacity(roots.count)
        for root in roots {
            var value = LuaRouteRoot()
            switch root {
            case .function(let function):
                try check(function.slot.released)
                value.slot = function.slot.index
            case .reference(let reference):
                try check(reference.handle.slot.released)
                value.slot = reference.handle.slot.index
            case .thread(let thread):
                try check(thread.released)
                value.thread = thread.reference
            case .environment(let environment):
                try check(environment.slot.released)
                value.slot = environment.slot.index
            }
            values.append(value)
        }
        return values
    }

    private func walk(
        _ roots: [LuaRouteRoot],
        limit: Int,
        visitor: FingerprintVisitor
    ) throws(ScriptError) -> Fingerprint {
        var identity = LuaRouteIdentity(
            owner: Unmanaged.passUnretained(visitor).toOpaque(),
            box: numberBox,
            object: numberObject,
            bytes: limit
        )
        var result = LuaRouteFingerprint()
        let status = luaroute_fingerprint(context, roots, roots.count, &identity, &result)
        withExtendedLifetime(visitor) {}
        guard status == LUAROUTE_OK else { throw failure(status) }
        return Fingerprint(first: result.first, second: result.second)
    }
}

/// An object that provides information about host values to C code.
private final class FingerprintVisitor {
    let number: LuaState.ObjectNumber
    /// The functions that were found; nil if they are not collected.
    var functions: [FunctionBox]?

    init(number: @escaping LuaState.ObjectNumber) { self.number = number }
}

private func numberBox(_ owner: UnsafeMutableRawPointer?, _ box: UnsafeMutableRawPointer?) -> UInt64
{
    guard let owner, let box else { return 0 }
    let visitor = Unmanaged<FingerprintVisitor>.fromOpaque(owner).takeUnretainedValue()
    let function = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue()
    visitor.functions?.append(function)
    // FNV-1a, which gives the same hash in each process, unlike `Hasher`.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in function.label.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
}

private func numberObject(
    _ owner: UnsafeMutableRawPointer?,
    type: UInt32,
    identifier: Int64,
    result: UnsafeMutablePointer<UInt64>?
) -> Int32 {
    guard let owner, let result else { return 0 }
    let visitor = Unmanaged<FingerprintVisitor>.fromOpaque(owner).takeUnretainedValue()
    guard let number = visitor.number(ObjectType(index: type), identifier) else { return 0 }
    result.pointee = number
    return 1
}
