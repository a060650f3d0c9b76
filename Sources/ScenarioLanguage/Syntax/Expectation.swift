// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// An `expect` or `check` step.
package struct Expectation: Sendable {
    /// A condition of an expectation.
    ///
    /// Each case corresponds to one entry in ``Vocabulary/conditions``.
    package enum Condition: Sendable {
        /// The window has this tree.
        case tree(window: String, TreeNotation)
        /// The visible screen of the main window matches this pattern.
        case top(ScreenNotation)
        /// The visible screen of the main window is the screen to which a `let` step gave this
        /// name.
        case topIs(String)
        /// The visible stack consists of these screens.
        case stack([StackItem])
        /// The visible stack contains this number of screens.
        case depth(Int)
        /// The topmost modal matches this pattern.
        ///
        /// If the pattern is nil, no modal is presented.
        case modal(ScreenNotation?)
        /// The host was given exactly these operations.
        case operations([OperationNotation])
        /// The request ended with `done`.
        case done
        /// The request ended with an error that has this code.
        ///
        /// If a text is given, the error message contains this text.
        case error(RouteError.Code, text: String?)
        /// The request ended with `stayed`.
        case stayed
        /// The request was cancelled or superseded.
        case cancelled(RouteError.Code?)
        /// The request waits for something with this name.
        ///
        /// If the name is nil, the request does not wait.
        case pending(String?)
        /// The task returned this value.
        case result(ValueNotation)
        /// The request found an existing screen that matches this pattern.
        case found(ScreenNotation)
        /// The request built exactly these screens.
        case built([ScreenNotation])
        /// The request navigates to this route or runs this task.
        case route(Target)
        /// The request has these parameters, or no parameters if the array is empty.
        case params([FieldNotation])
        /// The completion handler of the request was called this number of times.
        case completions(Int)
        /// A message that contains this text was logged at this level.
        case log(level: String, text: String)
        /// These events happened in this order.
        ///
        /// Other events may have happened between them.
        case trace([TraceWord])
        /// A task was called.
        ///
        /// If a number is given, the task was called exactly this number of times.
        case called(CallPattern, times: Int?)
        /// Exactly these services or tasks are registered.
        case services([ServiceWord])
        /// The state of the scripts has this value at this path of keys.
        case state([String], ValueNotation)
        /// A `?` replaces the value or the rest of the condition, in order to ask for the actual
        /// value.
        indirect case asked(Subject, like: Condition? = nil)
    }

    /// The subject of a condition: the part that remains when the expected value is replaced.
    package enum Subject: Sendable, Equatable {
        /// The tree of a window.
        case tree(window: String)
        /// The visible leaf, stack and modal of the main window.
        case top, stack, depth, modal
        /// The operations that the host was given.
        case operations
        /// The status of the request.
        case outcome
        /// The values of the request.
        case result, found, built, route, params, completions
        /// The messages, the events, and the calls to tasks.
        case log, trace, called
        /// The registered services.
        case services
        /// The value at this path of keys in the state of the scripts.
        case state([String])
    }

    /// The condition that is expected.
    package let condition: Condition
    /// The range of the condition without its first word.
    package let range: Range<Int>
    /// The range of the whole condition, without `expect`, `not` and the name of the request.
    package let wholeRange: Range<Int>
    /// The first word of the condition.
    package let word: String
    /// The name of the request to which the condition refers, or nil for the last request.
    package let name: String?
    /// Whether the condition must be false.
    package let isNegated: Bool
    /// Whether the step is a `check`: the scenario continues even if the condition is not met.
    package let isCheck: Bool

    /// Whether the expectation refers to a request, as opposed to screens or events.
    package var isAboutRequest: Bool {
        switch condition.subject {
        case .outcome, .result, .found, .built, .route, .params, .completions: true
        default: false
        }
    }
}

extension Expectation.Condition {
    /// The subject of the condition.
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

/// An operation as written in a step.
///
/// An operation consists of a name, and optionally of screens and attributes of the presentation.
package struct OperationNotation: Sendable {
    /// The name of the operation.
    package let name: String
    /// The screens of the operation, or nil if the step has no parentheses.
    package var screens: [ScreenNotation]?
    /// The attributes of the presentation that are compared.
    package var attributes: [FieldNotation] = []
    /// The range of the operation in the text.
    package var range: Range<Int>
}

/// An item of a stack as written in a step.
package enum StackItem: Sendable {
    /// Any number of screens, including none, written as `...`.
    case rest
    /// One screen.
    case screen(ScreenNotation)
}

/// An event as written in a step, such as `find:ShowPage`.
package struct TraceWord: Sendable {
    /// The kind of the event.
    package let kind: Event.Kind
    /// The class, the name or the phase in the event, or nil to accept any event of the kind.
    package let detail: String?
    /// The range of the event in the text.
    package let range: Range<Int>
}

/// A service, or one of its tasks, as written in a step.
package struct ServiceWord: Sendable {
    /// The name of the service.
    package let service: String
    /// The name of the task, or nil for the whole service.
    package let task: String?
    /// The range of the service or task in the text.
    package let range: Range<Int>
}
