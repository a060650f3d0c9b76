// SPDX-License-Identifier: MIT

import LuaRouting

/// A router over one script, with what happened in it.
final class RouterFixture {
    let host: HeadlessHost
    let router: Router
    private(set) var events: [Event] = []

    init(_ script: String, modules: [String: String] = [:], starts: Bool = true) throws {
        host = HeadlessHost()
        let files = modules.merging(["main.lua": script]) { _, main in main }
        router = try Router(bundle: Bundle(files: files), host: host)
        router.onEvent = { [unowned self] in events.append($0) }
        if starts { router.start() }
        events = []
        host.forgetChanges()
    }

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
    var operations: [String] { host.changes.flatMap { $0.operations.map(\.name) } }

    /// The lines of the log since the start, as `level message`.
    var log: [String] {
        events.filter { $0.kind == .log }.map {
            "\($0["level"].text ?? "") \($0["message"].text ?? "")"
        }
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
