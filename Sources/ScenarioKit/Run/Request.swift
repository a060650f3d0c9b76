// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A request that a step made, with its status.
enum Request {
    case navigation(Navigation)
    case task(RouteTask)
    case link(QueuedLink)
    case call(ExportedCall)
    /// A user action that did not begin a request.
    case gesture(Outcome)

    init(_ outcome: PersonOutcome) {
        self =
            switch outcome {
            case .done: .gesture(.done)
            case .stays(let reason): .gesture(.stayed(reason))
            case .asks(let navigation): .navigation(navigation)
            }
    }

    /// The status of a request.
    enum Outcome {
        /// The request is pending.
        ///
        /// `waitingFor` is the name of an interceptor, gate or task; `nil` if the request waits for
        /// the host.
        case pending(waitingFor: String?)
        case done
        case failed(RouteError)
        /// The worker of a task reported that the task did not finish. The value is the reported
        /// info.
        case unfinished(Value)
        case stayed(String)
        case cancelled(RouteError)
    }

    var outcome: Outcome {
        switch self {
        case .navigation(let navigation):
            switch navigation.status {
            case .pending(let name): .pending(waitingFor: name)
            case .done: .done
            case .failed(let error): .failed(error)
            case .stayed(let reason): .stayed(reason)
            case .cancelled(let error): .cancelled(error)
            }
        case .task(let task):
            switch task.status {
            case .pending: .pending(waitingFor: task.target.description)
            case .done(finished: true, _): .done
            case .done(finished: false, let info): .unfinished(info)
            case .failed(let error): .failed(error)
            case .cancelled(let error): .cancelled(error)
            }
        case .link(let link):
            switch link.status {
            case .pending: .pending(waitingFor: Outcome.link)
            case .done: .done
            case .failed(let error): .failed(error)
            case .cancelled(let error): .cancelled(error)
            }
        case .call(let call):
            switch call.status {
            case .pending: .pending(waitingFor: call.name)
            case .done: .done
            case .failed(let error): .failed(error)
            case .cancelled(let error): .cancelled(error)
            }
        case .gesture(let outcome): outcome
        }
    }

    /// The target of the request, if it is known.
    var target: Target? {
        switch self {
        case .navigation(let navigation): navigation.route
        case .task(let task): task.target
        case .link, .call, .gesture: nil
        }
    }

    /// The parameters from the URL or the route string; the info if the request has neither.
    var params: InfoTable {
        switch self {
        case .navigation(let navigation):
            let isOpened = navigation.goesByURL || navigation.goesByRouteString
            return isOpened ? navigation.params : navigation.info
        case .link(let link): return link.parameters
        case .task, .call, .gesture: return InfoTable()
        }
    }

    var completions: Int {
        switch self {
        case .navigation(let navigation): navigation.completions
        case .task(let task): task.completions
        case .link(let link): link.completions
        case .call(let call): call.completions
        case .gesture: 1
        }
    }

    /// Whether the request can have a result.
    ///
    /// A navigation or a user action has none.
    var hasResult: Bool {
        switch self {
        case .navigation, .gesture: false
        case .task, .link, .call: true
        }
    }

    /// The result of the request.
    ///
    /// The result of a task is its return value or, if there is none, the info with which the task
    /// ended.
    var result: Value {
        switch self {
        case .navigation, .gesture: return .nil
        case .link(let link): return link.result
        case .call(let call):
            if case .done(let value) = call.status { return value }
            return .nil
        case .task(let task):
            if task.value.isNil, case .done(_, let info) = task.status { return info }
            return task.value
        }
    }
}

extension Request.Outcome {
    /// Whether the request makes a scenario fail unless a step expects the failure.
    var hasFailed: Bool {
        switch self {
        case .failed, .unfinished: true
        case .pending, .done, .stayed, .cancelled: false
        }
    }

    /// Whether the request may have a result.
    ///
    /// For a task that did not finish, the result is the info with which the task ended.
    var hasResult: Bool {
        switch self {
        case .failed, .cancelled: false
        case .pending, .done, .unfinished, .stayed: true
        }
    }

    /// The word that steps use if a request waits for the host to apply a change.
    static let host = "host"
    /// The word that steps use if a deep link is pending.
    static let link = "link"
    /// The word that steps use if a request waits for another navigation to end.
    static let turn = "turn"

    var isPending: Bool {
        if case .pending = self { true } else { false }
    }

    /// Returns the condition that a step would use to expect this status.
    func condition(_ printer: NotationPrinter) -> String {
        switch self {
        case .pending(let name): "pending \(name ?? Self.host)"
        case .done: "done"
        case .failed(let error):
            "error \(error.code.rawValue) \(quoted(error.description, printer))"
        case .unfinished(.nil): "not finished"
        case .unfinished(let info): "not finished, with \(printer.value(info))"
        case .stayed(let reason): "stayed, \(quoted(reason, printer))"
        case .cancelled(let error):
            "\(error.code == .superseded ? "cancelled superseded" : "cancelled"), "
                + quoted(error.description, printer)
        }
    }

    /// A sentence about the status, for the label of a diagnostic.
    var sentence: String { "the request \(predicate)" }

    /// The outcome as a predicate, without a subject.
    var predicate: String {
        switch self {
        case .pending(nil): "waits for the host"
        case .pending(let name?): "waits for '\(name)'"
        case .done: "is done"
        case .failed: "failed"
        case .unfinished: "did not finish"
        case .stayed: "stayed"
        case .cancelled: "was cancelled"
        }
    }

    private func quoted(_ text: String, _ printer: NotationPrinter) -> String {
        printer.value(.string(ByteString(text)))
    }
}
