// SPDX-License-Identifier: MIT

package import RouteCore

/// A call to a router by its app or host.
///
/// The call is recorded as an event of the kind `host`.
///
/// Navigations, tasks and calls by scripts are recorded as other events.
///
/// Screens and trees are texts in tree notation, as in an `Act<Value>`.
package enum AppCall {
    /// A kind of request that can be cancelled.
    ///
    /// `links` means all queued deep links.
    package enum Request: String, Sendable {
        case navigation, task, link, call, links
    }

    /// The host applied a change late, or failed to apply it.
    case answer(revision: Int, isLate: Bool, message: String?)
    /// The user performed a back action, but there was no screen to go back to.
    case back(window: String, isHandled: Bool)
    /// The app cancelled a request. The number is nil for all queued deep links.
    case cancel(Request, Int?)
    /// The host ended a task.
    case complete(Int, Target, isFinished: Bool, info: Value)
    case dispatch(
        Int,
        url: Value,
        origin: Origin,
        timeout: Double?,
        key: String?,
        isPersistent: Bool
    )
    case given(window: String, tree: Value)
    case ready(String)
    /// The app reloaded the scripts. The path is nil for scripts that are not in a file.
    case reload(path: String?)
    /// The host reported user actions, listed by kind, such as `dismissed`. The window and its
    /// tree are included if the reports concern a window.
    case report([String], window: String?, tree: Value?)
    case set(String, Value)
    case shutDown
    case unready(String)

    /// Reads the call from an event of the kind `host`; nil if the call is unknown, or if a field
    /// has the wrong type.
    package init?(_ event: Event) {
        guard let call = Self.read(event["act"].text, event) else { return nil }
        self = call
    }
}

extension AppCall: EventCoded {
    package static var templates: [AppCall] {
        [
            .answer(revision: 0, isLate: false, message: nil), .back(window: "", isHandled: false),
            .cancel(.navigation, nil),
            .complete(0, Target("", ""), isFinished: true, info: .nil),
            .dispatch(
                0,
                url: .nil,
                origin: .url,
                timeout: nil,
                key: nil,
                isPersistent: false
            ),
            .given(window: "", tree: .nil), .ready(""), .reload(path: nil),
            .report([], window: nil, tree: nil), .set("", .nil), .shutDown, .unready(""),
        ]
    }

    package var word: String {
        switch self {
        case .answer: "answer"
        case .back: "back"
        case .cancel: "cancel"
        case .complete: "complete"
        case .dispatch: "dispatch"
        case .given: "given"
        case .ready: "ready"
        case .reload: "reload"
        case .report: "report"
        case .set: "set"
        case .shutDown: "shutDown"
        case .unready: "unready"
        }
    }

    package func coded(by fields: inout EventFields) -> AppCall {
        switch self {
        case .answer(let revision, let isLate, let message):
            .answer(
                revision: fields("revision", revision),
                isLate: fields("late", isLate),
                message: fields("message", message)
            )
        case .back(let window, let isHandled):
            .back(window: fields("window", window), isHandled: fields("handled", isHandled))
        case .cancel(let request, let number):
            .cancel(fields.word("request", request), fields("id", number))
        case .complete(let number, let target, let isFinished, let info):
            .complete(
                fields("id", number),
                Target(fields("service", target.service), fields("task", target.task)),
                isFinished: fields("finished", isFinished),
                info: fields("info", info)
            )
        case .dispatch(let number, let url, let origin, let timeout, let key, let isPersistent):
            .dispatch(
                fields("id", number),
                url: fields("url", url),
                origin: fields.word("origin", origin),
                timeout: fields("timeout", timeout),
                key: fields("key", key),
                isPersistent: fields("persist", isPersistent ? true : nil) ?? false
            )
        case .given(let window, let tree):
            .given(window: fields("window", window), tree: fields("tree", tree))
        case .ready(let gate): .ready(fields("name", gate))
        case .reload(let path): .reload(path: fields("path", path))
        case .report(let words, let window, let tree):
            .report(
                fields("reports", words),
                window: fields("window", window),
                tree: fields("tree", tree)
            )
        case .set(let name, let value): .set(fields("name", name), fields("value", value))
        case .shutDown: self
        case .unready(let gate): .unready(fields("name", gate))
        }
    }
}
