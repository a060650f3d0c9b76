// SPDX-License-Identifier: MIT

import LuaRouting

/// A router over one script, with what happened in it.
final class RouterFixture {
    let host: TestHost
    let router: Router
    private(set) var events: [Event] = []

    init(_ script: String, modules: [String: String] = [:], starts: Bool = true) throws {
        host = TestHost()
        let files = modules.merging(["main.lua": script]) { _, main in main }
        router = try Router(bundle: Bundle(files: files), host: host, configuration: .patient)
        router.onEvent = { [unowned self] in events.append($0) }
        if starts { router.start() }
        events = []
        host.forgetChanges()
    }

    /// Goes on as if nothing had happened so far.
    func forgetEvents() { events = [] }

    @discardableResult
    func navigate(_ service: String, _ task: String, _ info: Table = [:]) -> Navigation {
        router.navigate(Target(service, task), info: info)
    }

    @discardableResult
    func doTask(_ service: String, _ task: String, _ info: Table = [:]) -> RouteTask {
        router.doTask(Target(service, task), info: info)
    }

    var tree: String { router.treeNotation() }

    /// The names of the operations since the start.
    var operations: [String] { host.operations.flatMap { $0 } }

    /// What a script exports, called with one table.
    @discardableResult
    func call(_ name: String, _ argument: Table = [:]) throws -> Value {
        try router.call(name, argument)
    }

    /// The rules of the tree that are broken: none.
    var brokenRules: [String] { router.tree.checkInvariants() }

    /// The lines of the log since the start, as `level message`.
    var log: [String] {
        events.filter { $0.kind == .log }.map {
            "\($0["level"].text ?? "") \($0["message"].text ?? "")"
        }
    }
}

extension Router.Configuration {
    /// Budgets of instructions that a loaded machine does not turn into budgets of time.
    static var patient: Router.Configuration {
        let budget = Budget(duration: .seconds(60))
        return Router.Configuration(budget: budget, loadBudget: budget)
    }
}

extension Navigation {
    /// The error that it ended with, as scripts see it.
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
