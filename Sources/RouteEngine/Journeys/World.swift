// SPDX-License-Identifier: MIT

package import RouteCore

/// The state of a router that the phases of a navigation read and write.
///
/// It is plain data: a copy is independent of the original, and costs O(1).
package struct World {
    /// The screens.
    ///
    /// The tree has an open draft while a navigation is staged.
    package var tree = ScreenTree()
    /// The values of scripts outside of screens, which a failed reload and a rollback restore.
    package var shared = Shared()
    /// The classes of screens that steps have built.
    package var learnedClasses = LearnedClasses()
    /// The number of changes that the host received.
    package var revision = 0
    /// The sequence number of the last event.
    package var lastEvent = 0

    /// The clock, in seconds since 1970.
    package var now: Double
    /// The results of closed screens, while the screens are referenced.
    package var closings: [ScreenID: [Value]] = [:]
    /// The size of ``closings``, in bytes.
    package var closingBytes = 0
    /// The screen that each window showed last, for the event `shown`.
    package var shown: [String: ScreenID] = [:]
    /// The guards of the visible screens that the host received last.
    package var guards: [ScreenID: Guard] = [:]
    /// The declared classes of guarded screens that the host has removed, which are logged once.
    package var warnedClasses: Set<String> = []
    /// The screens whose fields were set outside a navigation, unknown to the host.
    package var changed: [ScreenID] = []
    /// The screens whose fields the committed stage set, until the host has applied the change.
    package var staged: [ScreenID] = []
    /// The screens to release if nothing references them.
    package var toRelease: [ScreenID] = []
    /// The numbers of the last navigation, task, deferred link and call of an exported function.
    package var lastNavigation = 0
    package var lastTask = 0
    package var lastLink = 0
    package var lastCall = 0

    /// The values that scripts own outside of their Lua state.
    package struct Shared {
        /// The values that scripts share in `router.state`.
        package var state = InfoTable()
        /// The size of ``state``, in bytes.
        package var stateBytes = InfoTable().size
        /// The gates that scripts or the host have opened.
        package var openGates: Set<String> = []
        /// The number of changes to the tree and the state, without those that were rolled back.
        package var edits = 0

        /// Returns the size of the state if it had a value, in bytes.
        ///
        /// - Complexity: O(*n*) in the size of the value and of the previous value, not of the
        ///   state.
        package func stateBytes(with value: Value, as name: String) -> Int {
            func bytes(_ value: Value) -> Int {
                value.isNil ? 0 : 16 + name.utf8.count + value.size
            }
            return stateBytes + bytes(value) - bytes(state[name])
        }

        /// Sets a value of the state; nil removes it.
        package mutating func setState(_ name: String, to value: Value) {
            stateBytes = stateBytes(with: value, as: name)
            state[name] = value
        }
    }

    /// The gate that the first tree opens.
    package static let startGate = "started"
    /// The gate that is closed while a foreign screen is in the way.
    package static let foreignGate = "foreign"
    /// The gates that only the router opens.
    package static let reservedGates: Set = [startGate, foreignGate]
    /// The maximum size of ``Shared/state``, in bytes.
    package static let stateLimit = 4 * 1024 * 1024

    /// Creates the world of a new router.
    ///
    /// - Parameter now: The time at which the clock starts, in seconds since 1970.
    package init(now: Double = 0) { self.now = now }

    /// Takes the numbers that a copy has assigned: the host may have started something while the
    /// copy was used.
    package mutating func takeNumbers(of copy: World) {
        (lastNavigation, lastTask) = (copy.lastNavigation, copy.lastTask)
        (lastLink, lastCall) = (copy.lastLink, copy.lastCall)
    }

    /// Records the class of a screen that a step built.
    package mutating func learn(_ screen: ScreenID, of step: Step) {
        guard let name = tree.class(of: screen) else { return }
        learnedClasses.note(name, of: step)
    }

    /// Whether a gate is open.
    package func isOpen(_ gate: String) -> Bool {
        gate == World.startGate ? !tree.windows.isEmpty : shared.openGates.contains(gate)
    }
}

/// The classes of screens that steps have built, besides the classes that their declarations name.
///
/// This is a cache: a removed class is added again when the step builds a screen, at the cost of
/// one more plan.
package struct LearnedClasses {
    /// The maximum number of steps; the cache is emptied when there are more.
    private static let limit = 1_000

    private var classes: [Int: [String]] = [:]

    /// Returns the classes of a step: the declared ones, then the learned ones.
    @inline(__always)
    package func classes(of step: Step) -> [String] {
        guard !classes.isEmpty, let learned = classes[step.number] else {
            return step.screenClasses
        }
        return step.screenClasses + learned
    }

    /// Whether screens of a class are known to belong to a step.
    @inline(__always)
    package func contains(_ name: String, of step: Step) -> Bool {
        step.screenClasses.contains(name)
            || !classes.isEmpty && classes[step.number]?.contains(name) == true
    }

    /// Adds a class to the classes of a step.
    package mutating func note(_ name: String, of step: Step) {
        guard !contains(name, of: step) else { return }
        if classes.count >= Self.limit { classes = [:] }
        classes[step.number, default: []].append(name)
    }
}
