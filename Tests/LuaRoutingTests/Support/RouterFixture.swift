// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport

/// A router with one script, and a record of the router's events.
///
/// The suite of a test that creates one has the trait `.failureReports`: if the test fails, its first
/// issue shows the events of the router and its state.
final class RouterFixture {
    let host: TestHost
    let router: Router
    private let record = RouterRecord()
    private var firstEvent = 0

    init(
        _ script: String,
        modules: [String: String] = [:],
        configuration: Router.Configuration = .patient,
        starts: Bool = true
    ) throws {
        host = TestHost()
        let files = modules.merging(["main.lua": script]) { _, main in main }
        FailureReports.add { [record] in record.report() }
        router = try Router(
            scripts: ScriptBundle(files: files),
            host: host,
            configuration: configuration,
            onEvent: { [record] in record.append($0) }
        )
        record.follow(router)
        // Tests read the ends of what they begin.
        router.awaitsAllWork = true
        if starts { router.start() }
        forgetEvents()
        host.forgetChanges()
    }

    deinit { record.keepState() }

    /// The events since the start, or since the last call of ``forgetEvents()``.
    var events: [Event] { Array(record.events[firstEvent...]) }

    /// Makes ``events`` begin with the next event.
    func forgetEvents() { firstEvent = record.events.count }

    @discardableResult
    func navigate(_ service: String, _ task: String, _ info: InfoTable = [:]) -> Navigation {
        router.navigate(Target(service, task), info: info)
    }

    @discardableResult
    func doTask(_ service: String, _ task: String, _ info: InfoTable = [:]) -> RouteTask {
        router.doTask(Target(service, task), info: info)
    }

    var tree: String { router.treeNotation() }

    /// The names of the operations since the start.
    var operations: [String] { host.operations.flatMap { $0 } }

    /// Calls an exported function with a table as its only argument.
    @discardableResult
    func call(_ name: String, _ argument: InfoTable = [:]) throws -> Value {
        try router.call(name, argument)
    }

    /// The rules that the tree violates; empty if the tree is valid.
    var brokenRules: [String] { router.tree.checkInvariants() }

    /// The lines of the log since the start, as `level message`.
    var log: [String] {
        events.filter { $0.kind == .log }.map {
            "\($0["level"].text ?? "") \($0["message"].text ?? "")"
        }
    }
}

extension Router.Configuration {
    /// A configuration whose instruction budgets are exceeded before its time budgets, even on a
    /// busy machine.
    static var patient: Router.Configuration {
        let budget = Budget(duration: .seconds(60))
        return Router.Configuration(now: 0, budget: budget, loadBudget: budget)
    }
}

extension Navigation {
    /// The error with which the navigation ended, as scripts see it; nil if it did not fail.
    var error: RouteError? {
        switch status {
        case .failed(let error), .cancelled(let error): error
        default: nil
        }
    }
}

extension RouteTask {
    var error: RouteError? {
        if case .failed(let error) = status { error } else { nil }
    }
}
