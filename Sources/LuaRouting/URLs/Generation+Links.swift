// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteURLs

/// Declares and compiles URL patterns.
///
/// While the scripts load, patterns are only collected, because the parameter kinds in the patterns
/// may be declared later. After that, a new route adds its patterns to the table, and any other
/// change compiles a new table. A change that fails has no effect.
extension Generation {
    // MARK: Declaring

    func declareOrigins(_ arguments: Arguments) throws(RouteError) {
        if let earlier = declarations.linkDeclarations.declaredOrigins {
            throw .declaredTwice("'router.links'", earlier.location)
        }
        var origins: [URLOrigin] = []
        for text in arguments.table(0).list.compactMap(\.text) {
            do throws(NotationError) {
                origins.append(try URLOrigin(text))
            } catch {
                throw .badURLText("origin", text: text, error: error)
            }
        }
        guard !origins.isEmpty else { throw .answersForNothing() }
        for origin in origins { try checkClaim(to: origin) }
        try changingLinks { () throws(RouteError) in
            declarations.linkDeclarations.declaredOrigins = LinkDeclarations.Origins(
                list: origins,
                ignoresCase: arguments.table(1)["case"].text == "ignore",
                location: arguments.location
            )
        }
    }

    func declareKind(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        guard !URLPattern.Kind.isReserved(name) else { throw .isBuiltInKind(name) }
        if let earlier = declarations.linkDeclarations.kinds[name] {
            throw .declaredTwice("kind '\(name)'", earlier.location)
        }
        guard let function = arguments[1].luaFunction else { return }
        declarations.linkDeclarations.kinds[name] = DeclaredFunction(
            function: function,
            location: arguments.location
        )
    }

    func declareAlias(
        _ arguments: Arguments,
        exclusive group: Int? = nil
    ) throws(RouteError) {
        let alias = LinkDeclarations.Alias(
            old: arguments.text(0),
            new: arguments.text(1),
            location: arguments.location,
            group: group
        )
        try checkPatterns([alias.old])
        if !runtime.isLoading {
            _ = try Self.aliasTarget(alias.new, kinds: declarations.linkDeclarations.kinds.keys)
        }
        try changingLinks { () throws(RouteError) in
            declarations.linkDeclarations.aliases.append(alias)
        }
    }

    func declareRewriting(_ arguments: Arguments) throws(RouteError) {
        if let earlier = declarations.linkDeclarations.rewriter {
            throw .declaredTwice("'router.rewrite'", earlier.location)
        }
        guard let function = arguments[0].luaFunction else { return }
        declarations.linkDeclarations.rewriter = DeclaredFunction(
            function: function,
            location: arguments.location
        )
    }

    /// Returns the URL to match instead of the given one.
    ///
    /// - Throws: The error raised by the scripts' function, or `badInfo` if its result is invalid.
    func rewritten(_ url: ByteString) throws(RouteError) -> ByteString {
        try declarations.linkDeclarations.rewritten(url, by: links.table) {
            (function, arguments) throws(RouteError) in
            try runtime.call(function, arguments: arguments)
        }
    }

    /// Checks the syntax of patterns that are declared after the scripts have loaded.
    ///
    /// While the scripts load, patterns are not checked yet: the parameter kinds that they use may
    /// still be declared, and all mistakes are reported together.
    func checkPatterns(_ texts: [String]) throws(RouteError) {
        guard !runtime.isLoading else { return }
        for text in texts {
            _ = try Self.pattern(text, kinds: declarations.linkDeclarations.kinds.keys)
        }
    }

    private static func pattern(
        _ text: String,
        kinds: some Sequence<String>
    ) throws(RouteError) -> URLPattern {
        do throws(NotationError) {
            let pattern = try URLPattern(text, kinds: kinds)
            if URLPattern.isRelative(text) { throw .relativePattern(text) }
            return pattern
        } catch {
            throw .badURLText("url", text: text, error: error)
        }
    }

    // MARK: Compiling

    /// Changes the patterns of routes.
    ///
    /// If the new patterns conflict, nothing changes.
    func changingLinks(_ change: () throws(RouteError) -> Void) throws(RouteError) {
        guard !runtime.isLoading else { return try change() }
        let before = (declarations.routes, declarations.linkDeclarations)
        try change()
        forgetRemovedRoutes()
        // Most routes that are added or removed later have no URL.
        guard declarations.linkDeclarations.differs(from: before.1) else { return }
        do throws(RouteError) {
            try compileLinks()
        } catch {
            (declarations.routes, declarations.linkDeclarations) = before
            throw error
        }
    }

    /// Removes the registration of a task, or all registrations of a service.
    ///
    /// If there are no aliases, a removal cannot cause a conflict. In this case, the patterns are
    /// compiled only when the table is next read.
    ///
    /// - Throws: The error of an alias that would refer to another route. In this case, nothing is
    ///   removed.
    func removeRoutes(of service: String, task: String?) throws(RouteError) {
        guard declarations.state.linkDeclarations.aliases.isEmpty else {
            return try changingLinks {
                _ = declarations.state.routes.remove(service: service, task: task)
            }
        }
        let hadPatterns = declarations.state.routes.remove(service: service, task: task)
        if hadPatterns, !runtime.isLoading { declarations.state.hasOldLinks = true }
    }

    /// Adds the patterns of a route that is registered after the scripts have loaded.
    ///
    /// - Returns: Whether the patterns were added. If not, all patterns must be compiled again.
    /// - Throws: `badInfo` for an invalid pattern, `forbidden` for a pattern that the scripts may
    ///   not claim.
    func addPatterns(of step: Step?) throws(RouteError) -> Bool {
        guard let step, step.target != nil, !step.urls.isEmpty else { return true }
        let kinds = Set(declarations.linkDeclarations.kinds.keys)
        var (added, patterns): ([URLRouteTable.Entry], [URLPattern]) = ([], [])
        for text in step.urls {
            let pattern = try readPattern(text, kinds, at: step.location)
            // If an alias may refer to the new pattern, the target of the alias must be determined
            // again.
            for alias in declarations.linkDeclarations.aliases
            where try Self.aliasTarget(alias.new, kinds: kinds).mayMean(pattern) {
                return false
            }
            added.append(URLRouteTable.Entry(text, of: step))
            patterns.append(pattern)
        }
        if declarations.state.hasOldLinks { return false }
        return declarations.state.links.append(added, patterns)
    }

    /// The compiled URL patterns of the routes.
    var links: URLRouteTable {
        compileOldLinks()
        return declarations.links
    }

    /// Compiles the patterns of the routes again if routes were removed.
    ///
    /// If there is a conflict, the patterns do not change.
    func compileOldLinks() {
        if declarations.hasOldLinks { _ = linkFindings() }
    }

    /// Compiles the patterns of routes, aliases and routings.
    ///
    /// - Throws: `badInfo` for an invalid pattern, `script` for a conflict with another
    ///   declaration.
    func compileLinks() throws(RouteError) {
        if let finding = linkFindings().first { throw finding.error }
    }

    /// Compiles the patterns of routes, aliases and routings, if they are valid.
    ///
    /// - Returns: The mistakes. If there are any, the table is unchanged.
    func linkFindings() -> [Finding] {
        forgetRemovedRoutes()
        let before = (declarations.state.links, declarations.state.hasOldLinks)
        let findings = routeFindings() + routingFindings()
        if !findings.isEmpty {
            (declarations.state.links, declarations.state.hasOldLinks) = before
        }
        return findings
    }

    private func routeFindings() -> [Finding] {
        if declarations.linkDeclarations.routes.isEmpty,
            declarations.linkDeclarations.aliases.isEmpty,
            declarations.linkDeclarations.origins.list.isEmpty
        {
            (declarations.state.links, declarations.state.hasOldLinks) = (URLRouteTable(), false)
            return []
        }
        var findings: [Finding] = []
        var (links, patterns): ([URLRouteTable.Entry], [URLPattern]) = ([], [])
        links.reserveCapacity(declarations.linkDeclarations.routes.count)
        patterns.reserveCapacity(declarations.linkDeclarations.routes.count)
        let kinds = Set(declarations.linkDeclarations.kinds.keys)
        for step in declarations.linkDeclarations.routes where step.target != nil {
            for text in step.urls {
                do throws(RouteError) {
                    patterns.append(try readPattern(text, kinds, at: step.location))
                    links.append(URLRouteTable.Entry(text, of: step))
                } catch {
                    findings.append(Finding(ofPattern: error))
                }
            }
        }
        let aliases = declarations.linkDeclarations.aliases
        var aliased = AliasedPatterns(aliases.isEmpty ? [] : Array(zip(links, patterns)))
        for alias in aliases {
            do throws(Finding) {
                guard let entry = try entry(of: alias, kinds, among: &aliased) else { continue }
                links.append(entry.link)
                patterns.append(entry.pattern)
            } catch {
                findings.append(error)
            }
        }
        let origins = declarations.linkDeclarations.origins
        do throws(RouteError) {
            let table = try URLRouteTable(links, patterns, origins: origins)
            if findings.isEmpty {
                (declarations.state.links, declarations.state.hasOldLinks) = (table, false)
            }
        } catch {
            findings += URLRouteTable.conflicts(among: links, patterns, origins: origins).map {
                Finding(.ambiguousPattern, $0)
            }
        }
        return findings
    }

    private func forgetRemovedRoutes() {
        guard declarations.routes.hasForgotten else { return }
        declarations.linkDeclarations.routes.removeAll { !declarations.routes.contains($0) }
    }

    func readPattern(
        _ text: String,
        _ kinds: Set<String>,
        at location: RouteError.Location?
    ) throws(RouteError) -> URLPattern {
        do throws(RouteError) {
            let pattern = try Self.pattern(text, kinds: kinds)
            try checkClaim(to: pattern.origin)
            return pattern
        } catch {
            throw error.at(location)
        }
    }

    /// Checks that the scripts may claim the URLs of an origin.
    ///
    /// - Parameter origin: The origin; nil for all origins that the scripts may claim.
    /// - Throws: `forbidden` if the scripts may not claim these URLs.
    func checkClaim(to origin: URLOrigin?) throws(RouteError) {
        guard let allowed = declarations.state.linkDeclarations.allowed else { return }
        if let origin {
            guard !LinkDeclarations.allows(origin, allowed) else { return }
            throw breach(.urls, what: "URLs of '\(origin)' are not allowed")
        }
        if allowed.isEmpty { throw breach(.urls, what: "URLs are not allowed") }
    }

    /// Returns the patterns of a route's URLs.
    func patterns(of step: Step, _ kinds: Set<String>) -> [URLPattern] {
        step.urls.compactMap { try? Self.pattern($0, kinds: kinds) }
    }

    /// Returns the entry that an alias adds to the table; nil if its route has been removed.
    private func entry(
        of alias: LinkDeclarations.Alias,
        _ kinds: Set<String>,
        among patterns: inout AliasedPatterns
    ) throws(Finding) -> (link: URLRouteTable.Entry, pattern: URLPattern)? {
        func bad(_ error: RouteError) -> Finding { Finding(.badAlias, error.at(alias.location)) }
        var old: URLPattern
        let new: URLPattern.Target
        do throws(RouteError) {
            old = try readPattern(alias.old, kinds, at: alias.location)
            new = try Self.aliasTarget(alias.new, kinds: kinds)
        } catch {
            throw Finding(ofPattern: error.at(alias.location))
        }
        let route: (link: URLRouteTable.Entry, pattern: URLPattern)
        var fixed = InfoTable()
        switch patterns.find(new) {
        case .one(let link, let pattern, let values):
            route = (link, pattern)
            do throws(RouteError) {
                for (parameter, texts) in values {
                    let values = try texts.map { text throws(RouteError) in
                        try fixedValue(of: parameter, text, in: alias)
                    }
                    fixed[parameter.name] =
                        parameter.isList ? .table(InfoTable(list: values)) : values[0]
                }
            } catch {
                throw bad(error)
            }
        case .several(let links): throw bad(.leadsToSeveral(alias.new, links))
        case .none:
            guard runtime.isLoading else { return nil }
            throw bad(.leadsNowhere(alias.new, among: patterns.known()))
        }
        old = old.takingKinds(of: route.pattern)
        let own = Dictionary(old.parameters.map { ($0.name, $0) }) { first, _ in first }
        for parameter in route.pattern.parameters {
            let same = own[parameter.name]
            if !fixed[parameter.name].isNil {
                guard same == nil else { throw bad(.aliasOfFixed(parameter, in: alias.new)) }
                continue
            }
            if let same, same.kind != parameter.kind {
                throw bad(.aliasOfOtherKind(same, parameter))
            }
            let isCovered = same.map { !$0.isOptional } ?? false
            guard isCovered || parameter.isOptional else {
                throw bad(.aliasLacks(parameter, of: alias.new))
            }
        }
        let link = URLRouteTable.Entry(
            alias.old,
            aliasOf: route.link,
            at: alias.location,
            fixed: fixed,
            group: alias.group
        )
        return (link, old)
    }

    private static func aliasTarget(
        _ text: String,
        kinds: some Sequence<String>
    ) throws(RouteError) -> URLPattern.Target {
        do throws(NotationError) {
            let target = try URLPattern.Target(text, kinds: kinds)
            if URLPattern.isRelative(text) { throw .relativePattern(text) }
            return target
        } catch {
            throw .badURLText("url", text: text, error: error)
        }
    }

    /// Returns the value that an alias gives for a parameter, converted to the kind of the
    /// parameter.
    private func fixedValue(
        of parameter: URLPattern.Parameter,
        _ text: ByteString,
        in alias: LinkDeclarations.Alias
    ) throws(RouteError) -> Value {
        guard case .custom(let kind) = parameter.kind else { return parameter.kind.value(of: text) }
        let value = try router.withoutEffects { () throws(RouteError) in
            try self.value(ofKind: kind, text)
        }
        guard let value else { throw .aliasOfNoKind(parameter, text, in: alias.new) }
        return value
    }

    // MARK: Printing

    /// Returns the URL that leads to a route.
    ///
    /// - Throws: `notFound` if the route does not exist or has no URLs; `badInfo` with the first
    ///   parameter that is missing or has another type.
    func url(of target: Target, _ info: InfoTable) throws(RouteError) -> String {
        let step = try declarations.route(to: target)
        var first: RouteError?
        for text in step.urls {
            do throws(RouteError) {
                let links = declarations.linkDeclarations
                let pattern = try Self.pattern(text, kinds: links.kinds.keys)
                if let origin = pattern.origin,
                    let group = links.exclusive.excluding(
                        step.exclusiveGroup,
                        from: origin,
                        declared: links.origins.list
                    )
                {
                    throw .isExcluded(pattern, group)
                }
                return try pattern.url(info)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? .hasNoURL(target)
    }

    // MARK: Kinds

    /// Calls the function of a parameter kind, which converts a string to a value.
    ///
    /// - Returns: The value; nil if the string is not valid for this kind.
    func value(ofKind name: String, _ text: ByteString) throws(RouteError) -> Value? {
        guard let kind = declarations.linkDeclarations.kinds[name] else { return nil }
        let value = try runtime.call(kind.function, arguments: [.string(text)])
        if value.isNil { return nil }
        return value
    }
}

extension URLPattern.Target {
    /// Returns whether the alias may refer to a pattern: the pattern differs only in parameter
    /// kinds, or has parameters where the alias has values.
    fileprivate func mayMean(_ pattern: URLPattern) -> Bool {
        self.pattern.withKinds { _ in .text } == pattern.withKinds { _ in .text }
            || fixed(in: pattern) != nil
    }
}

extension Finding {
    /// Creates a finding about a pattern that is invalid, or that the scripts may not claim.
    init(ofPattern error: RouteError) {
        self.init(error.code == .forbidden ? .notGranted : .badPattern, error)
    }
}
