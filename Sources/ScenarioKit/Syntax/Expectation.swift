// SPDX-License-Identifier: MIT

package import LuaRouting

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
        /// The visible stack holds screens.
        case stack([StackItem])
        /// The visible stack holds so many screens.
        case depth(Int)
        /// A screen is presented on top, or, without one, none is.
        case modal(ScreenNotation?)
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
        /// The request found a screen that stood.
        case found(ScreenNotation)
        /// The request made screens, no others.
        case built([ScreenNotation])
        /// The request goes to a route, or does a task.
        case route(Target)
        /// The request has parameters, those that are written; none where there are none.
        case params([FieldNotation])
        /// So often was the end of the request told.
        case completions(Int)
        /// A message was logged, which has a text in it.
        case log(level: String, text: String)
        /// Events happened in an order, with others between them.
        case trace([TraceWord])
        /// A task was called, so often where a number is said.
        case called(CallPattern, times: Int?)
        /// These services or tasks are registered, no others.
        case services([ServiceWord])
        /// The state of the scripts holds a value, by a path of keys.
        case state([String], Value)
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
        case .done, .error, .stayed, .cancelled, .pending, .result, .found, .built, .route,
            .params, .completions:
            true
        default: false
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

/// A part of a stack as text has it.
package enum StackItem: Sendable {
    /// Any run of screens, also none: `...`.
    case rest
    /// One screen.
    case screen(ScreenNotation)
}

/// An event as text has it: `find:ShowPage`.
package struct TraceWord: Sendable {
    /// The kind.
    package let kind: Event.Kind
    /// The class or the name that the event is about, nil for any.
    package let detail: String?
    /// Where it stands.
    package let range: Range<Int>
}

/// A service, or a task of one, as text has it.
package struct ServiceWord: Sendable {
    /// The name of the service.
    package let service: String
    /// The name of the task, nil for the service as a whole.
    package let task: String?
    /// Where it stands.
    package let range: Range<Int>
}
