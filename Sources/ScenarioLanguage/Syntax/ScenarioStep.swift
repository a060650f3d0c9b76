// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// A step of a scenario.
package struct ScenarioStep: Sendable {
    /// The action of a step.
    ///
    /// Each case corresponds to one entry in ``Vocabulary/steps``.
    package enum Action: Sendable {
        /// Sets the tree of a window.
        case given(window: String, TreeNotation)
        /// Requests a navigation from the router, with options if the step has any.
        case act(Act<ScreenNotation>, Boxed<ActOptions>?)
        /// Dispatches a URL to the routing that matches it, with a timeout and an origin.
        indirect case dispatch(ByteString, NavigationOptions)
        /// Runs a task.
        case doTask(Target, [FieldNotation])
        /// Cancels the request with the given name, or the last request if the name is nil.
        case cancel(String?)
        /// Cancels all queued deep links.
        case cancelLinks
        /// Sets the result of one call to a host task.
        indirect case stub(CallPattern, TaskEnd)
        /// Ends a call to a host task with a result.
        indirect case complete(Target, TaskEnd)
        /// Calls a function that the scripts export.
        case call(String, [FieldNotation])
        /// Opens a gate.
        case openGate(String)
        /// Closes a gate.
        case closeGate(String)
        /// Sets the value at a path of keys in the state of the scripts.
        indirect case setState([String], ValueNotation)
        /// Loads the scripts at a path, or reloads the active scripts if the path is nil.
        ///
        /// If `fails` is true, the scripts must be rejected.
        indirect case reload(String?, fails: Bool)
        /// Terminates the app and starts it again.
        case restart
        /// Takes a snapshot and gives it a name.
        case snapshot(String)
        /// Restores the snapshot with the given name.
        case restore(String)
        /// Determines when the host applies changes, or that it refuses a change.
        case host(HostAct)
        /// Performs a user action, which the host reports to the router or requests from the
        /// router.
        case user(Act<ScreenNotation>)
        /// Removes, reorders and selects existing screens, as a user would.
        ///
        /// Foreign screens may be added.
        case userMakes(TreeNotation)
        /// Moves the clock forward by a number of seconds.
        case advance(Double)
        /// Moves the clock forward to each timer that is due, one after the other.
        case settle
        /// Moves the clock forward to a time, in seconds since 1970.
        case moveClock(to: Double)
        /// Checks the state, or the events since the last step with an action.
        indirect case expect(Expectation)
        /// Gives a name to a value.
        indirect case bind(name: String, Binding)
        /// Prints a text in the report.
        case note(String)
        /// Prints part of the state in the report.
        case show(ShownPart)
    }

    /// The action of the step.
    package let action: Action
    /// The first word of the step.
    package let word: String
    /// The name that `as` gives to the request, or nil if there is none.
    package let name: String?
    /// Whether the step may remain unused, because `maybe` precedes the step.
    package let isOptional: Bool
    /// The text that contains the step.
    package let text: StepText
    /// The range of the step in the text.
    package let range: Range<Int>

    /// An empty step that precedes the first step of a search.
    package static let nothing = ScenarioStep(
        action: .note(""),
        word: "note",
        name: nil,
        isOptional: false,
        text: StepText(SourceText(name: "explore", content: []), []),
        range: 0..<0
    )
}

extension ScenarioStep.Action {
    /// Whether the step only reads the state.
    ///
    /// The events since the last step with an action are kept after such a step.
    package var isLooking: Bool {
        switch self {
        case .expect, .bind, .note, .show: true
        default: false
        }
    }

    /// Whether the step makes a request that can be named with `as`.
    package var isRequest: Bool {
        switch self {
        case .act, .dispatch, .doTask, .call: true
        case .user(.openWindow), .user(.closeWindow): false
        case .user: true
        default: false
        }
    }

    /// Whether conditions such as `expect done` refer to the request of this step only if they
    /// contain its name.
    package var isMeantByNameOnly: Bool {
        switch self {
        case .act(.route, _), .act(.url, _), .act(.start, _): false
        case .act, .user, .userMakes, .call: true
        default: false
        }
    }

    /// Whether the step prepares for an expected event.
    ///
    /// It is an error if the step remains unused.
    package var isPreparation: Bool {
        switch self {
        case .stub, .openGate, .host(.refuses): true
        default: false
        }
    }

    /// Whether the step builds the first tree.
    ///
    /// If an earlier request waits for this tree, conditions such as `expect done` refer to the
    /// earlier request.
    package var isStart: Bool {
        if case .act(.start, _) = self { true } else { false }
    }
}

/// The part of the state that a `show` step prints.
package enum ShownPart: String, Sendable, CaseIterable {
    /// The trees of all windows.
    case tree
    /// The state of the scripts.
    case state
    /// The pending requests and other pending work, each with the reason why it waits.
    case pending
    /// The events since the last step with an action.
    case events
}

/// The options of a step that requests a navigation.
package struct ActOptions: Sendable {
    /// The screen from which the navigation starts.
    package var from: ScreenNotation?
    /// The screen that presents the new screen, or nil if the step does not specify one.
    package var presenter: ScreenNotation?
    /// The other options.
    ///
    /// A navigation to a route without a timeout here uses the file's timeout.
    package var others = NavigationOptions()
}

/// The action of a `host` step.
package enum HostAct: Sendable {
    /// The host holds back the changes that it receives.
    case holds
    /// The host applies the changes that it has held back, and applies all further changes
    /// immediately.
    case applies
    /// The host refuses the next change that contains the given operation.
    case refuses(String)
}

/// A pattern for calls: a target and optional parameters.
package struct CallPattern: Sendable {
    /// The target of the calls.
    package let target: Target
    /// The parameters that a call must have.
    ///
    /// If the array is empty, a call must have no parameters. If it is nil, any parameters match.
    package let info: [FieldNotation]?
    /// The range of the pattern in the text.
    package let range: Range<Int>
}

/// The result with which a task ends.
package struct TaskEnd: Sendable {
    /// Whether the task ended with `finished`, as opposed to `failed`.
    package let isFinished: Bool
    /// The info with which the task ended.
    package let info: ValueNotation
}

/// The value to which a name is bound.
package enum Binding: Sendable {
    /// The visible leaf of a window, or of the main window if there is no name.
    case top(window: String?)
    /// The topmost screen that matches a pattern in a window.
    ///
    /// The main window is searched if there is no name.
    case screen(ScreenNotation, window: String?)
    /// The result of the last request.
    case result
    /// The value at a path of keys in the state of the scripts.
    case state([String])
}
