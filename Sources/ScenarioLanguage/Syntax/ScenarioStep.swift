// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// A step of a scenario.
package struct ScenarioStep: Sendable {
    /// The action of a step.
    ///
    /// Each case has one entry in ``Vocabulary/steps``.
    package enum Action: Sendable {
        /// Sets the tree of a window.
        case given(window: String, TreeNotation)
        /// Asks the router for a navigation.
        indirect case act(Act<ScreenNotation>, ActOptions)
        /// Dispatches a URL to the routing that it matches, with a timeout and an origin.
        indirect case dispatch(ByteString, NavigationOptions)
        /// Runs a task.
        case doTask(Target, [FieldNotation])
        /// Cancels the last request, or the one with a name.
        case cancel(String?)
        /// Cancels all queued deep links.
        case cancelLinks
        /// Sets the result of one call of a host task.
        indirect case stub(CallPattern, TaskEnd)
        /// Ends a call of a host task.
        indirect case complete(Target, TaskEnd)
        /// Calls a function that the scripts export.
        case call(String, [FieldNotation])
        /// Opens a gate.
        case openGate(String)
        /// Closes a gate.
        case closeGate(String)
        /// Sets a value in the state of the scripts, by a path of keys.
        indirect case setState([String], ValueNotation)
        /// Loads the scripts at a path, or reloads the active ones; may expect that they are
        /// rejected.
        indirect case reload(String?, fails: Bool)
        /// Ends the app and starts it again.
        case restart
        /// Takes a snapshot under a name.
        case snapshot(String)
        /// Restores the snapshot with a name.
        case restore(String)
        /// Changes when or whether the host applies changes.
        case host(HostAct)
        /// Performs an act of the user, which the host reports to the router or requests from it.
        indirect case user(Act<ScreenNotation>)
        /// Removes, reorders and selects existing screens like a user; foreign screens may be
        /// added.
        case userMakes(TreeNotation)
        /// Moves the clock forward by a number of seconds.
        case advance(Double)
        /// Moves the clock forward to each due timer in turn.
        case settle
        /// Moves the clock forward to a time, in seconds since 1970.
        case moveClock(to: Double)
        /// Checks the state, or the events since the last step that acts.
        indirect case expect(Expectation)
        /// Gives a value a name.
        indirect case bind(name: String, Binding)
        /// Prints a text in the report.
        case note(String)
        /// Prints a part of the state in the report.
        case show(ShownPart)
    }

    /// The action.
    package let action: Action
    /// The first word of the step.
    package let word: String
    /// The name of the request, given by `as`.
    package let name: String?
    /// Whether the step may remain unused: a step after `maybe`.
    package let isOptional: Bool
    /// The text that contains the step.
    package let text: StepText
    /// The range in the text.
    package let range: Range<Int>

    /// The step before the first one of a search.
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
    /// Whether the step only checks the state, so that the events of the previous step remain the
    /// latest ones.
    package var isLooking: Bool {
        switch self {
        case .expect, .bind, .note, .show: true
        default: false
        }
    }

    /// Whether the step makes a request, to which `as` can give a name.
    package var isRequest: Bool {
        switch self {
        case .act, .dispatch, .doTask, .call: true
        case .user(.openWindow), .user(.closeWindow): false
        case .user: true
        default: false
        }
    }

    /// Whether conditions such as `expect done` refer to the step only by its name.
    package var isMeantByNameOnly: Bool {
        switch self {
        case .act(.route, _), .act(.url, _), .act(.start, _): false
        case .act, .user, .userMakes, .call: true
        default: false
        }
    }

    /// Whether the step prepares for an expected event, so that an unused step is an error.
    package var isPreparation: Bool {
        switch self {
        case .stub, .openGate, .host(.refuses): true
        default: false
        }
    }

    /// Whether the step builds the first tree.
    ///
    /// If there is an earlier request, which waits for that tree, conditions such as `expect done`
    /// refer to the earlier request.
    package var isStart: Bool {
        if case .act(.start, _) = self { true } else { false }
    }
}

/// The part that a `show` step prints.
package enum ShownPart: String, Sendable, CaseIterable {
    /// The trees of all windows.
    case tree
    /// The state of the scripts.
    case state
    /// The waiting requests and work, and the causes of their waits.
    case pending
    /// The events since the last step that acts.
    case events
}

/// The options of a step that requests a navigation.
package struct ActOptions: Sendable {
    /// The screen at which the action starts.
    package var from: ScreenNotation?
    /// The screen that presents, if the action names one.
    package var presenter: ScreenNotation?
    /// The other options.
    ///
    /// A navigation to a route without a timeout here uses the file's timeout.
    package var others = NavigationOptions()
}

/// The action of a `host` step.
package enum HostAct: Sendable {
    /// The host holds the changes that it receives.
    case holds
    /// The host applies the held changes, and from then on each change immediately.
    case applies
    /// The host refuses the next change that contains an operation.
    case refuses(String)
}

/// A pattern of calls: a target, and optionally parameters.
package struct CallPattern: Sendable {
    /// The target.
    package let target: Target
    /// The parameters, which must be equal; empty for no parameters; nil for any parameters.
    package let info: [FieldNotation]?
    /// The range in the text.
    package let range: Range<Int>
}

/// The end of a task.
package struct TaskEnd: Sendable {
    /// Whether the task finished.
    package let isFinished: Bool
    /// The info of the end.
    package let info: ValueNotation
}

/// The value that a name is bound to.
package enum Binding: Sendable {
    /// The visible leaf of a window; without a name, of the main window.
    case top(window: String?)
    /// The topmost screen that matches in a window; without a name, in the main window.
    case screen(ScreenNotation, window: String?)
    /// The result of the last request.
    case result
    /// The value at a path of keys in the state of the scripts.
    case state([String])
}
