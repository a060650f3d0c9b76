// SPDX-License-Identifier: MIT

#if Metrics
internal import CoreMetrics
internal import LuaRouting

/// Converts events to metrics.
struct EventRecorder {
    /// A navigation that has not ended.
    private struct Pending {
        let route: String
        let start: Double
        var wait: (start: Double, cause: String)?
    }

    private let factory: any MetricsFactory
    private var pending: [Int: Pending] = [:]
    /// The expected sequence number of the next event.
    ///
    /// A higher number means that events were lost.
    private var next: Int

    init(_ factory: any MetricsFactory, first: Int) { (self.factory, next) = (factory, first) }

    mutating func record(_ event: Event) {
        if event.sequence > next {
            count("events.lost", by: event.sequence - next)
            // The lost events may include the end of any pending navigation.
            pending = [:]
        }
        next = event.sequence + 1
        switch event.kind {
        case .reload:
            count(
                "reloads",
                [("status", event["status"].text ?? ""), ("reason", event["reason"].text ?? "")]
            )
        case .link:
            // Deep links that are cancelled together cause only one event.
            count(
                "links",
                [("phase", event["phase"].text ?? "")],
                by: event["links"].list?.count ?? 1
            )
        case .slow: count("slow")
        default:
            if let navigation = event.navigation { record(event, of: navigation) }
        }
    }

    private mutating func record(_ event: Event, of navigation: Int) {
        switch event.kind {
        case .navigate:
            pending[navigation] = Pending(route: event.route, start: event.time)
        case .gate, .wait:
            endWait(of: navigation, at: event.time)
            pending[navigation]?.wait = (event.time, event.waitCause)
        case .intercept, .fallback, .redirect, .plan, .replan, .find, .build, .stage:
            endWait(of: navigation, at: event.time)
        case .done, .failed, .stayed, .cancelled:
            endWait(of: navigation, at: event.time)
            end(navigation, event)
        default: break
        }
    }

    private mutating func endWait(of navigation: Int, at time: Double) {
        guard let wait = pending[navigation]?.wait else { return }
        pending[navigation]?.wait = nil
        measure("navigation.wait", dimensions: [("for", wait.cause)], seconds: time - wait.start)
    }

    private mutating func end(_ navigation: Int, _ event: Event) {
        let known = pending.removeValue(forKey: navigation)
        let dimensions = [
            ("route", known?.route ?? Router.Metrics.unknownRoute), ("end", event.kind.rawValue),
        ]
        count("navigations", dimensions + [("code", event["code"].text ?? "")])
        if let known {
            measure(
                "navigation.duration",
                dimensions: dimensions,
                seconds: event.time - known.start
            )
        }
    }

    private func count(_ name: String, _ dimensions: [(String, String)] = [], by amount: Int = 1) {
        Counter(label: "luaroute.\(name)", dimensions: dimensions, factory: factory)
            .increment(by: amount)
    }

    private func measure(_ name: String, dimensions: [(String, String)], seconds: Double) {
        Timer(label: "luaroute.\(name)", dimensions: dimensions, factory: factory)
            .recordSeconds(seconds)
    }
}

extension Event {
    /// The route or the verb of a `navigate` event.
    ///
    /// A route that no script has registered is not used, because its name may be any text.
    fileprivate var route: String {
        if let verb = self["verb"].text { return verb }
        guard !self["defined"].isNil, let service = self["service"].text,
            let task = self["task"].text
        else { return Router.Metrics.unknownRoute }
        return Target(service, task).description
    }

    /// The cause of a wait, without the names of gates and interceptors.
    fileprivate var waitCause: String {
        if kind == .gate { return "gate" }
        return self["name"] == "turn" ? "turn" : "interceptor"
    }
}
#endif
