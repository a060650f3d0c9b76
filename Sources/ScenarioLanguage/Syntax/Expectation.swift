// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// An `expect` or `check` step.
package struct Expectation: Sendable {
    /// The expected condition.
    ///
    /// Each case has one entry in ``Vocabulary/conditions``.
    package enum Condition: Sendable {
        /// A window has a tree.
        case tree(window: String, TreeNotation)
        /// The main window shows a screen.
        case top(ScreenNotation)
        /// The main window shows the screen with a name, which a `let` step has bound.
        case topIs(String)
        /// The visible stack contains screens.
        case stack([StackItem])
        /// The visible stack contains a number of screens.
        case depth(Int)
        /// A screen is presented on top; if nil, no screen is presented.
        case modal(ScreenNotation?)
        /// The complete list of operations that the host was given.
        case operations([OperationNotation])
        /// The request has ended with `done`.
        case done
        /// The request has ended with an error, whose message contains a text.
        case error(RouteError.Code, text: String?)
        /// The request has ended with `stayed`.
        case stayed
        /// The request was cancelled, or superseded.
        case cancelled(RouteError.Code?)
        /// The request waits for something with a name; if nil, it does not wait.
        case pending(String?)
        /// The task returned a value.
        case result(ValueNotation)
        /// The request found an existing screen.
        case found(ScreenNotation)
        /// The request built these screens and no others.
        case built([ScreenNotation])
        /// The request navigates to a route, or runs a task.
        case route(Target)
        /// The request has these parameters; if empty, it has none.
        case params([FieldNotation])
        /// The completion of the request was called a number of times.
        case completions(Int)
        /// A message was logged that contains a text.
        case log(level: String, text: String)
        /// Events happened in this order, possibly with others between them.
        case trace([TraceWord])
        /// A task was called; with a number: that many times.
        case called(CallPattern, times: Int?)
        /// These services or tasks are registered, and no others.
        case services([ServiceWord])
        /// The state of the scripts has a value at a path of keys.
        case state([String], ValueNotation)
        /// The value is requested by `?`, or the rest of the words of a condition.
        indirect case asked(Subject, like: Condition? = nil)
    }

    /// The subject of a condition: the part that stays if the expected value is replaced.
    package enum Subject: Sendable, Equatable {
        /// The tree of a window.
        case tree(window: String)
        /// The visible leaf, stack and modal of the main window.
        case top, stack, depth, modal
        /// The operations that the host was given.
        case operations
        /// The status of the request.
        case outcome
        /// Values of the request.
        case result, found, built, route, params, completions
        /// Messages, events, calls of tasks.
        case log, trace, called
        /// The registered services.
        case services
        /// The value at a path of keys in the state of the scripts.
        case state([String])
    }

    /// The expected condition.
    package let condition: Condition
    /// The range of the condition's words, without the word that begins it.
    package let range: Range<Int>
    /// The range of the whole condition, without `expect`, `not` and the name of the request.
    package let wholeRange: Range<Int>
    /// The word that opens the condition.
    package let word: String
    /// The name of the request to which the condition refers; nil for the last one.
    package let name: String?
    /// Whether the condition must be false.
    package let isNegated: Bool
    /// Whether the scenario continues if the condition is not true: a `check`.
    package let isCheck: Bool

    /// Whether the expectation refers to a request, rather than to screens or events.
    package var isAboutRequest: Bool {
        switch condition.subject {
        case .outcome, .result, .found, .built, .route, .params, .completions: true
        default: false
        }
    }
}

extension Expectation.Condition {
    /// The subject.
    package var subject: Expectation.Subject {
        switch self {
        case .tree(let window, _): .tree(window: window)
        case .top, .topIs: .top
        case .stack: .stack
        case .depth: .depth
        case .modal: .modal
        case .operations: .operations
        case .done, .error, .stayed, .cancelled, .pending: .outcome
        case .result: .result
        case .found: .found
        case .built: .built
        case .route: .route
        case .params: .params
        case .completions: .completions
        case .log: .log
        case .trace: .trace
        case .called: .called
        case .services: .services
        case .state(let path, _): .state(path)
        case .asked(let subject, _): subject
        }
    }
}

/// An operation in a step: a name, and optionally screens and attributes of the presentation.
package struct OperationNotation: Sendable {
    /// The name.
    package let name: String
    /// The screens of the operation; nil without parentheses.
    package var screens: [ScreenNotation]?
    /// The attributes of the presentation that are compared.
    package var attributes: [FieldNotation] = []
    /// The range in the text.
    package var range: Range<Int>
}

/// An item of a stack in a step.
package enum StackItem: Sendable {
    /// Any number of screens, including none: `...`.
    case rest
    /// One screen.
    case screen(ScreenNotation)
}

/// An event in a step: `find:ShowPage`.
package struct TraceWord: Sendable {
    /// The kind.
    package let kind: Event.Kind
    /// The class or the name in the event; nil for any.
    package let detail: String?
    /// The range in the text.
    package let range: Range<Int>
}

/// A service, or one of its tasks, in a step.
package struct ServiceWord: Sendable {
    /// The name of the service.
    package let service: String
    /// The name of the task; nil for the service as a whole.
    package let task: String?
    /// The range in the text.
    package let range: Range<Int>
}
