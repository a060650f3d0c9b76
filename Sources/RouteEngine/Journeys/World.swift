// SPDX-License-Identifier: MIT

package import RouteCore

/// The state of a router that the phases of a navigation read and write.
///
/// This is plain data. A copy is independent of the original, and takes O(1) to create.
package struct World {
    /// The screens.
    ///
    /// The tree has an open draft while a navigation is staged.
    package var tree = ScreenTree()
    /// The script values outside of screens, which a failed reload or a rollback restores.
    package var shared = Shared()
    /// The additional classes of screens that steps are known to build.
    package var learnedClasses = LearnedClasses()
    /// The number of changes that were sent to the host.
    package var revision = 0
    /// The sequence number of the last event.
    package var lastEvent = 0

    /// The clock, in seconds since 1970.
    package var now: Double
    /// The values with which screens were closed, as long as the screens are referenced.
    package var closings: [ScreenID: [Value]] = [:]
    /// The size of ``closings``, in bytes.
    package var closingBytes = 0
    /// The screen that each window showed last, for events of the kind `shown`.
    package var shown: [String: ScreenID] = [:]
    /// The guards of visible screens that were last sent to the host.
    package var guards: [ScreenID: Guard] = [:]
    /// The classes for which a warning was logged because the host removed a guarded screen.
    ///
    /// There is one warning for each class.
    package var warnedClasses: Set<String> = []
    /// The screens whose fields were set outside of a navigation.
    ///
    /// The host has not received these changes yet.
    package var changed: [ScreenID] = []
    /// The screens whose fields were set during staging.
    ///
    /// A screen stays in the list until the host has applied the change.
    package var staged: [ScreenID] = []
    /// The screens that will be released if nothing references them.
    package var toRelease: [ScreenID] = []
    /// The last numbers that were given to a navigation, a task, a deep link and a call to an
    /// exported function.
    package var lastNavigation = 0
    package var lastTask = 0
    package var lastLink = 0
    package var lastCall = 0

    /// The script values that are stored outside of the Lua state.
    package struct Shared {
        /// The values in `router.state`, which all scripts share.
        package var state = InfoTable()
        /// The size of ``state``, in bytes.
        package var stateBytes = InfoTable().size
        /// The gates that scripts or the host have opened.
        package var openGates: Set<String> = []
        /// The number of changes to the tree and the state, except changes that were rolled back.
        package var edits = 0

        /// Returns the size that the state would have with the given value, in bytes.
        ///
        /// - Complexity: O(*n*) in the size of the new value and of the value that it replaces, not
        ///   of the whole state.
        package func stateBytes(with value: Value, as name: String) -> Int {
            func bytes(_ value: Value) -> Int {
                value.isNil ? 0 : 16 + name.utf8.count + value.size
            }
            return stateBytes + bytes(value) - bytes(state[name])
        }

        /// Sets a value of the state; nil removes the value.
        package mutating func setState(_ name: String, to value: Value) {
            stateBytes = stateBytes(with: value, as: name)
            state[name] = value
        }
    }

    /// The gate that opens when the first tree is built.
    package static let startGate = "started"
    /// The gate at which navigations wait while a foreign screen is on top of the window.
    package static let foreignGate = "foreign"
    /// The gates that only the router opens.
    package static let reservedGates: Set = [startGate, foreignGate]
    /// The maximum size of ``Shared/state``, in bytes.
    package static let stateLimit = 4 * 1024 * 1024

    /// Creates the world of a new router.
    ///
    /// - Parameter now: The time at which the clock starts, in seconds since 1970.
    package init(now: Double = 0) { self.now = now }

    /// Adopts the last numbers of a copy of this world.
    ///
    /// The host may have started navigations or tasks while the copy was in use.
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

/// The classes of screens that steps are known to build, in addition to the classes that they
/// declare.
///
/// This is a cache. If a class has been removed from the cache, it is added again when the step
/// builds a screen, at the cost of one more plan.
package struct LearnedClasses {
    /// The maximum number of steps in the cache.
    ///
    /// The cache is emptied when it is full.
    private static let limit = 1_000

    private var classes: [Int: [String]] = [:]

    /// Returns the classes of a step's screens: first the declared classes, then the learned
    /// classes.
    @inline(__always)
    package func classes(of step: Step) -> [String] {
        guard !classes.isEmpty, let learned = classes[step.number] else {
            return step.screenClass.map { [$0] } ?? []
        }
        return (step.screenClass.map { [$0] } ?? []) + learned
    }

    /// Whether the known classes of a step's screens include the given class.
    @inline(__always)
    package func contains(_ name: String, of step: Step) -> Bool {
        step.screenClass == name
            || !classes.isEmpty && classes[step.number]?.contains(name) == true
    }

    /// Adds a class to the known classes of a step.
    package mutating func note(_ name: String, of step: Step) {
        guard !contains(name, of: step) else { return }
        if classes.count >= Self.limit { classes = [:] }
        classes[step.number, default: []].append(name)
    }
}
