// SPDX-License-Identifier: MIT

internal import LuaVM

/// Going by route strings.
extension Router {
    /// Opens a route: goes where the handler of its identifier says.
    ///
    /// As ``open(_:options:completion:)`` with its text.
    @discardableResult
    public func open(
        _ route: AnyRoute,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Navigation) -> Void)? = nil
    ) -> Navigation {
        begin(.url(ByteString(route.text)), options, completion: completion)
    }

    /// Checks whether a route can be opened, without going there: whether its identifier has a
    /// handler, and its payload is what that one declares.
    ///
    /// The handler itself is not asked.
    ///
    /// - Throws: `notFound`, with the nearest identifier where one is near, or `badInfo`, which names
    ///   the first parameter that is wrong.
    public func check(_ route: AnyRoute) throws(RouteError) {
        enter()
        let handler = try generation.handler(of: route.identifier)
        _ = try whilePlanning(nil) { () throws(RouteError) in
            try generation.check(route.info, for: handler)
        }
    }

    /// Asks the handler of a route string where a navigation goes.
    ///
    /// - Throws: `parse`, `notFound` or `badInfo`, in this order, or what is wrong with the answer.
    func handle(_ text: ByteString, for navigation: Navigation) throws(RouteError) {
        let route = try RouteString(text)
        let handler = try generation.handler(of: route.identifier)
        if let flaw = route.flaw { throw flaw.at(handler.place) }
        let from =
            navigation.options.from
            ?? (try? window(of: navigation)).map { tree.visibleLeaf(of: $0) }
        let handled = try whilePlanning(navigation) { () throws(RouteError) in
            let payload = try generation.check(route.info, for: handler)
            let (target, info) = try whileKeepingState { () throws(RouteError) in
                try generation.ask(handler, route, text: text, payload: payload, from: from)
            }
            return HandledRoute(
                text,
                payload: payload,
                target: target,
                info: info,
                at: handler.place
            )
        }
        navigation.follow(handled)
    }
}
