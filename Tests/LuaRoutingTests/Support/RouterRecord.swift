// SPDX-License-Identifier: MIT

import Foundation
import RouteCore
import SystemGaps
import TestSupport

@testable import LuaRouting

/// The events of a router and its state, for the report of a failing test.
///
/// A record does not retain its router.
final class RouterRecord: Sendable {
    /// The maximum number of events, and of pending operations, that a report shows.
    static let limit = 50

    private let allEvents = Lock<[Event]>([])
    private let lastState = Lock<String?>(nil)
    private let home = CallerThread.current
    // Set and read on the router's thread alone, which is the home of the record.
    nonisolated(unsafe) private weak var router: Router?

    /// All events of the router, including the events of loading the scripts.
    var events: [Event] { allEvents.withLock(\.self) }

    func append(_ event: Event) { allEvents.withLock { $0.append(event) } }

    /// Sets the router, once its scripts are loaded.
    func follow(_ router: Router) { self.router = router }

    /// Stores the state of the router as text, because the router may be released before a thrown
    /// error is recorded.
    func keepState() {
        let state = state
        lastState.withLock { $0 = state }
    }

    /// Returns the report.
    func report() -> FailureReport {
        let events = events
        let shown = events.suffix(Self.limit)
        var report = FailureReport(name: "router", text: state)
        if events.isEmpty { return report }
        let lines = shown.map { "  " + Self.line(of: $0) }.joined(separator: "\n")
        report.text = "last \(shown.count) of \(events.count) events:\n\(lines)\n\(state)"
        let stream = [Event.jsonHeader] + events.map(\.json)
        report.files = [("events.jsonl", stream.map { $0 + "\n" }.joined())]
        return report
    }

    // MARK: Text

    private var state: String {
        if CallerThread.current == home, let router { return Self.state(of: router) }
        return lastState.withLock(\.self)
            ?? "state: unknown, the router was released, or is used on another thread"
    }

    /// Returns the number, time, navigation, kind, fields and script location of an event.
    private static func line(of event: Event) -> String {
        let printer = NotationPrinter(limit: 200)
        var words = ["\(event.sequence)", "\(event.time) s"]
        if let navigation = event.navigation { words.append("#\(navigation)") }
        words.append(event.kind.rawValue)
        words += event.fields.map { "\($0.name)=\(printer.value($0.value))" }
        if let place = event.location { words.append("at \(place)") }
        return words.joined(separator: " ")
    }

    private static func state(of router: Router) -> String {
        var lines = ["clock: \(router.now) s"]
        if let deadline = router.nextDeadline { lines[0] += ", next deadline: \(deadline) s" }
        let printer = NotationPrinter(classes: router.classes, limit: 4_000)
        for window in router.tree.windows {
            let tree = printer.tree(router.tree, window: window.name)
            lines.append("window '\(window.name)': \(tree)")
        }
        if router.tree.windows.isEmpty { lines.append("no window") }
        let pending = pendingWork(of: router)
        lines += pending.prefix(limit).map { "pending: \($0)" }
        if pending.count > limit { lines.append("pending: \(pending.count - limit) more") }
        if let host = router.host as? TestHost { lines.append("host: \(host.summary)") }
        return lines.joined(separator: "\n")
    }

    private static func pendingWork(of router: Router) -> [String] {
        let navigations = router.pending.map { navigation in
            let state =
                switch navigation.status {
                case .pending(let name?): "waits for '\(name)'"
                case _ where navigation.record.isCommitted: "waits for the host"
                default: "runs"
                }
            return "navigation #\(navigation.id) '\(navigation.title)' \(state)"
        }
        return navigations + router.pendingTasks.map { "task '\($0.target)'" }
            + router.pendingCalls.map { "call of '\($0.name)'" }
            + router.queuedLinks.map { "deep link '\($0.url)'" }
    }
}

/// The thread of a caller; the main actor counts as one thread, even if it runs on several.
private enum CallerThread: Equatable {
    case main
    case other(pthread_t)

    private static let mainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var current: Self {
        DispatchQueue.getSpecific(key: mainQueue) == true ? .main : .other(pthread_self())
    }
}
