// SPDX-License-Identifier: MIT

package import LuaRouting

/// One step of a scenario.
package struct Step: Sendable {
    /// What a step does.
    ///
    /// Parsing has one entry for each in ``Vocabulary/steps``.
    package enum Action: Sendable {
        /// Sets the tree of a window.
        case given(window: String, TreeNotation)
        /// Builds the first tree as the scripts declare it.
        case start([FieldNotation])
        /// Goes to the screen of a target.
        indirect case navigate(NavigateStep)
        /// Does a piece of work.
        case doTask(Target, [FieldNotation])
        /// Goes back some screens.
        case back(Int)
        /// Dismisses the topmost level.
        case dismiss
        /// Looks at what is, or at what happened.
        indirect case expect(Expectation)
        /// Gives a value a name.
        indirect case bind(name: String, Binding)
        /// Says something in the report.
        case note(String)
    }

    /// What the step does.
    package let action: Action
    /// The name that `as` gives to a request.
    package let name: String?
    /// Where the step stands.
    package let range: Range<Int>
}

extension Step.Action {
    /// Whether it only looks: what happened before it is still "what happened last".
    package var isLooking: Bool {
        switch self {
        case .expect, .bind, .note: true
        case .given, .start, .navigate, .doTask, .back, .dismiss: false
        }
    }

    /// Whether `expect done` and its like can be about it.
    package var isRequest: Bool {
        switch self {
        case .navigate, .doTask: true
        case .given, .start, .back, .dismiss, .expect, .bind, .note: false
        }
    }
}

/// A step `navigate`.
package struct NavigateStep: Sendable {
    /// Where to go.
    package let target: Target
    /// The parameters.
    package let info: [FieldNotation]
    /// The action, nil for the route's own.
    package var via: Via?
    /// The screen from which the action starts.
    package var from: ScreenNotation?
    /// The window, nil for that of `from`, or else `main`.
    package var window: String?
    /// Whether the host should animate.
    package var isAnimated = true
}

/// What a name can stand for.
package enum Binding: Sendable {
    /// The screen that the main window shows.
    case top
    /// The topmost screen that matches.
    case screen(ScreenNotation)
    /// What the last request gave.
    case result
    /// What stands in the state of the scripts, by a path of keys.
    case state([String])
}

/// A step `expect` or `check`.
package struct Expectation: Sendable {
    /// What is expected.
    ///
    /// Parsing has one entry for each in ``Vocabulary/conditions``.
    package enum Condition: Sendable {
        /// A window holds a tree.
        case tree(window: String, TreeNotation)
        /// The main window shows a screen.
        case top(ScreenNotation)
        /// The main window shows the screen that has a name, given by `let`.
        case topIs(String)
        /// The operations that the host was given, all of them.
        case operations([OperationNotation])
        /// The request ended well.
        case done
        /// The request ended with an error, whose message has a text in it.
        case error(RouteError.Code, text: String?)
        /// The request ended without going anywhere.
        case stayed
        /// The request was cancelled, or superseded.
        case cancelled(RouteError.Code?)
        /// The request waits for something of a name, or, without a name, for nothing.
        case pending(String?)
        /// The task gave a value.
        case result(Value)
        /// So often was the end of the request told.
        case completions(Int)
        /// A message was logged, which has a text in it.
        case log(level: String, text: String)
    }

    /// What is expected.
    package let condition: Condition
    /// Where the words of the condition stand, without the word that opens it.
    package let range: Range<Int>
    /// The word that opens the condition.
    package let word: String
    /// The name of the request that it is about, nil for the last one.
    package let name: String?
    /// Whether the condition must not hold.
    package let isNegated: Bool
    /// Whether the scenario goes on where it does not hold: a `check`.
    package let isCheck: Bool

    /// Whether the expectation looks at a request, rather than at screens or what happened.
    package var isAboutRequest: Bool {
        switch condition {
        case .done, .error, .stayed, .cancelled, .pending, .result, .completions: true
        case .tree, .top, .topIs, .operations, .log: false
        }
    }
}

/// An operation as text has it: a name, and screens where they are written.
package struct OperationNotation: Sendable {
    /// The name.
    package let name: String
    /// The screens that it is about, nil where there are no parentheses.
    package let screens: [ScreenNotation]?
    /// Where it stands.
    package let range: Range<Int>
}
