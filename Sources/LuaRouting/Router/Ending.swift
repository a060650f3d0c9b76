// SPDX-License-Identifier: MIT

/// Work to do at the end of the current turn, such as a completion to call.
enum Ending {
    case navigation(Navigation, (Navigation) -> Void)
    case link(QueuedLink, (QueuedLink) -> Void)
    case call(ExportedCall, chain: Int)
    case task(RouteTask, (RouteTask) -> Void)
    case wait(Wait, Result<[Value], RouteError>, (Result<[Value], RouteError>) -> Void)
    case reload(Reload, (Reload) -> Void)
    case reports([Result<[ScreenID], RouteError>], ([Result<[ScreenID], RouteError>]) -> Void)
    /// Work of the router, discarded if the router has shut down.
    case work((Router) -> Void)
}

extension Router {
    /// Calls the completion, or performs the work.
    ///
    /// Navigations that a script's completion begins continue the chain of the work that has ended.
    /// Navigations that the host's completion begins start a new chain, so an app may navigate from
    /// completion to completion without limit.
    func deliver(_ ending: Ending) {
        switch ending {
        case .navigation(let navigation, _):
            let parent = navigation.parentNavigation
            lending.calling(
                for: parent?.isPending == true ? parent : nil,
                chain: navigation.location == nil ? 0 : navigation.chain,
                ending.callCompletion
            )
        case .link(let link, _):
            lending.calling(
                for: nil,
                chain: link.location == nil ? 0 : link.chain,
                ending.callCompletion
            )
        case .call(_, let chain):
            lending.calling(for: nil, chain: chain, ending.callCompletion)
        case .task, .wait, .reload, .reports: ending.callCompletion()
        case .work(let work): work(self)
        }
    }
}

extension Ending {
    /// Returns the completion of reports that are ignored because the router has shut down; nil if
    /// the reports have no completion.
    static func ignoring(
        _ reports: [Report],
        _ completion: (([Result<[ScreenID], RouteError>]) -> Void)?
    ) -> Ending? {
        completion.map {
            .reports(reports.map { _ in .failure(.routerHasEnded()) }, $0)
        }
    }

    /// Whether the completion is a script function.
    ///
    /// Script functions are not called after the router has shut down.
    var isOfScript: Bool {
        switch self {
        case .navigation(let navigation, _): navigation.isOfScript
        case .link(let link, _): link.origin == .script || link.location != nil
        case .task(let task, _): task.isByScript
        case .call, .wait, .reload, .reports, .work: false
        }
    }

    /// The object that has ended; nil if there is none.
    var ended: (any Rewindable)? {
        switch self {
        case .navigation(let navigation, _): navigation
        case .link(let link, _): link
        case .call(let call, _): call
        case .task(let task, _): task
        case .wait(let wait, _, _): wait
        case .reload(let reload, _): reload
        case .reports, .work: nil
        }
    }

    /// Calls the completion if it belongs to the host.
    ///
    /// The router is not used, because it is being released.
    func callCompletionOfHost() {
        if !isOfScript { callCompletion() }
    }

    /// Calls the completion.
    ///
    /// Has no effect for ``work(_:)``.
    func callCompletion() {
        switch self {
        case .navigation(let navigation, let completion):
            navigation.completions += 1
            completion(navigation)
        case .link(let link, let completion):
            link.state.completions += 1
            completion(link)
        case .call(let call, _):
            guard let completion = call.completion, let result = call.result else { return }
            call.completion = nil
            call.state.completions += 1
            completion(result)
        case .task(let task, let completion):
            task.state.completions += 1
            completion(task)
        case .wait(_, let result, let completion): completion(result)
        case .reload(let reload, let completion): completion(reload)
        case .reports(let results, let completion): completion(results)
        case .work: return
        }
    }
}
