// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A request that a step made, with its status so far.
enum Request {
    case navigation(Navigation)
    case task(RouteTask)
    case link(QueuedLink)
    case call(ExportedCall)

    /// How far it is.
    enum Outcome {
        /// What it waits for has a name, but for the host that applies its change.
        case pending(waitingFor: String?)
        case done
        case failed(RouteError)
        /// A task said of itself that it did not do what it was asked.
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
        }
    }

    /// Where it goes, as far as that is known.
    var target: Target? {
        switch self {
        case .navigation(let navigation): navigation.route
        case .task(let task): task.target
        case .link, .call: nil
        }
    }

    /// With what it goes there: what the URL or the route string gave, or else the info.
    var params: InfoTable {
        switch self {
        case .navigation(let navigation):
            let isOpened = navigation.goesByURL || navigation.goesByRouteString
            return isOpened ? navigation.params : navigation.info
        case .link(let link): return link.parameters
        case .task, .call: return InfoTable()
        }
    }

    var completions: Int {
        switch self {
        case .navigation(let navigation): navigation.completions
        case .task(let task): task.completions
        case .link(let link): link.completions
        case .call(let call): call.completions
        }
    }

    /// The value that the request gave.
    ///
    /// That of a task is what it returned, or else the info of its end. A navigation has none.
    var result: Value {
        switch self {
        case .navigation: return .nil
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
    /// What steps call the host where one waits for it to apply a change.
    static let host = "host"
    /// What they call an action that a link waits for.
    static let link = "link"
    /// What they call the end of other navigations that one waits for.
    static let turn = "turn"

    var isPending: Bool {
        if case .pending = self { true } else { false }
    }

    /// The words of the condition that holds for it.
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

    /// What it did, for a label.
    var sentence: String {
        switch self {
        case .pending(nil): "it waits for the host"
        case .pending(let name?): "it waits for '\(name)'"
        case .done: "it is done"
        case .failed: "it failed"
        case .unfinished: "it did not finish"
        case .stayed: "it stayed"
        case .cancelled: "it was cancelled"
        }
    }

    private func quoted(_ text: String, _ printer: NotationPrinter) -> String {
        printer.value(.string(ByteString(text)))
    }
}
