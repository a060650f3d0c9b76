// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteURLs

/// Verbs with which scripts declare routings, set the actions of routings and dispatch deep links.
extension Generation {
    // MARK: Routings

    /// Declares a routing, whose action can be set later.
    func declareRouting(_ arguments: Arguments) throws(RouteError) -> Routing {
        guard let pattern = arguments[0].text else { throw .patternOfRoutingIsNoText() }
        try checkPatterns([pattern])
        state.lastRouting += 1
        let routing = Routing(
            number: state.lastRouting,
            pattern: pattern,
            location: arguments.location,
            overrides: arguments.table(1)["override"].boolean ?? false
        )
        try changingLinks { () throws(RouteError) in
            declarations.linkDeclarations.routings.append(routing)
        }
        return routing
    }

    /// Compiles the patterns of the routings, if all patterns are valid.
    ///
    /// - Returns: The findings; if there are any, the table is unchanged.
    func routingFindings() -> [Finding] {
        var findings: [Finding] = []
        var patterns: [(routing: Routing, pattern: URLPattern)] = []
        let kinds = Set(declarations.linkDeclarations.kinds.keys)
        for routing in declarations.linkDeclarations.routings {
            do throws(RouteError) {
                let pattern = try readPattern(routing.pattern, kinds, at: routing.location)
                let path = Set(pattern.segments.flatMap(\.parameters).map(\.name))
                let names = Set(pattern.query.map(\.parameter.name)).subtracting(path)
                routing.queryNames = Set(names.map { InfoTable.Key.string(ByteString($0)) })
                patterns.append((routing, pattern))
            } catch {
                findings.append(Finding(ofPattern: error))
            }
        }
        do throws(RouteError) {
            let table = try RoutingTable(patterns, answering: declarations.linkDeclarations.origins)
            guard findings.isEmpty else { return findings }
            declarations.routings = table
            declarations.linkDeclarations.routings = table.routings
        } catch {
            findings.append(Finding(.ambiguousPattern, error))
        }
        return findings
    }

    /// Removes the action of a routing if it is the given function.
    ///
    /// - Returns: Whether the action was the given function.
    func unsetAction(of routing: Routing, _ function: LuaFunction) -> Bool {
        guard let action = routing.action, action.isSame(as: function) else { return false }
        routing.action = nil
        return true
    }

    // MARK: Links

    /// Dispatches a deep link for a script.
    ///
    /// - Returns: The results for the script: the deep link as a ticket, or nil and the reason for
    ///   the failure.
    /// - Throws: `composition` if the chain of navigations and deep links, each begun by the one
    ///   before, is too long.
    func dispatch(_ arguments: Arguments) throws(RouteError) -> [ScriptValue] {
        try router.checkStage(of: "'router.dispatch'")
        guard router.chain < Router.chainLimit else { throw .endlessLinks() }
        guard case .string(let url) = arguments[0] else { return [] }
        let table = arguments.table(1)
        var options = DispatchOptions()
        options.timeout = bounded(try timeout(in: table))
        if case .string(let key) = table["key"] { options.key = key.displayText }
        options.isPersistent = table["persist"].boolean ?? false
        let link = router.begin(url, options, at: arguments.location)
        guard case .failed(let error) = link.status else { return [.link(link)] }
        return [.value(.nil), .value(Value("\(error.code.rawValue): \(error.message)"))]
    }
}
