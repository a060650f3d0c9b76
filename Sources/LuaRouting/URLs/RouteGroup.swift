// SPDX-License-Identifier: MIT

internal import RouteURLs

/// The keys that the routes of a group share, as declared by `router.group`.
///
/// A group exists only while its routes are declared. Each route is registered with the definition
/// that results from merging its own keys with the group's keys.
struct RouteGroup: Declaration {
    static let declarationName = "group"

    /// The shared keys, in the form of a partial definition.
    private let shared: InfoTable
    /// The index of the innermost exclusive group: this group or a group that contains it; nil if
    /// there is none.
    fileprivate(set) var exclusive: Int?
    /// The origin in the group's URL; nil if there is none.
    fileprivate private(set) var origin: URLOrigin?

    /// Creates a group, which may be inside another one.
    ///
    /// - Throws: `script` if `url` has a query or a fragment, or if `info` is invalid or differs
    ///   from the `info` of the outer group; `badInfo` for an invalid `url`, or for an invalid name
    ///   in `info`.
    init(_ options: Argument, in outer: RouteGroup? = nil) throws(RouteError) {
        if let info = options["info"] { _ = try InfoDeclaration(info) }
        guard case .table(var table) = options.value else {
            preconditionFailure("the options of a group are not a table")
        }
        if let outer {
            exclusive = outer.exclusive
            table = try outer.merge(table)
            if table["url"].isNil { table["url"] = outer.shared["url"] }
        }
        shared = table
        guard let url else { return }
        let pattern: URLPattern
        do throws(NotationError) {
            pattern = try URLPattern(url, known: nil)
            if URLPattern.isRelative(url) { throw .relativePattern(url) }
        } catch {
            throw .badURLText("url", text: url, error: error)
        }
        origin = pattern.origin
        guard pattern.query.isEmpty, pattern.fragment == nil else { throw .groupEndsEarly(url) }
    }

    private var url: String? { shared["url"].text }

    /// Returns the definition of a member, merged with the keys of the group.
    ///
    /// Interceptors of the group run first. If the member declares `from` or `via`, the group's
    /// `from` and `via` are both ignored. A route that only redirects has no interceptors and no
    /// parents.
    ///
    /// - Throws: `script` if a parameter has another type in the group, or if a relative pattern
    ///   begins with a `?` that no query follows.
    func merge(_ definition: InfoTable) throws(RouteError) -> InfoTable {
        var merged = definition
        switch definition["url"] {
        case .string(let text): merged["url"] = try pattern(text)
        case .table(let list):
            merged["url"] = .table(
                InfoTable(
                    list: try list.list.map { (text) throws(RouteError) in
                        guard case .string(let text) = text else { return text }
                        return try pattern(text)
                    }
                )
            )
        default: break
        }
        if case .table(let types) = shared["info"] {
            var info = InfoTable()
            if case .table(let own) = definition["info"] { info = own }
            for (key, type) in types.entries {
                guard info[key].isNil || info[key] == type else {
                    throw .groupHasOtherType(String(key.pathComponent.drop { $0 == "." }))
                }
                info[key] = type
            }
            merged["info"] = .table(info)
        }
        guard definition["redirect"].isNil else { return merged }
        let interceptors = [shared["intercept"], definition["intercept"]].flatMap { value in
            if case .table(let list) = value { list.list } else { value.isNil ? [] : [value] }
        }
        if !interceptors.isEmpty { merged["intercept"] = .table(InfoTable(list: interceptors)) }
        if definition["from"].isNil, definition["via"].isNil {
            merged["from"] = shared["from"]
            merged["via"] = shared["via"]
        }
        return merged
    }

    /// Returns the complete pattern of a member.
    ///
    /// A relative pattern is appended to the URL of the group.
    func pattern(_ text: ByteString) throws(RouteError) -> Value {
        guard let url, let relative = text.text, URLPattern.isRelative(relative) else {
            return .string(text)
        }
        var rest = relative.utf8[...]
        let mark = rest.popFirst()
        // Appended to the group's URL, this `?` would make the last parameter of the URL optional.
        if mark == UInt8(ascii: "?"), rest.first.map("/?&#".utf8.contains) ?? true {
            throw .groupIsContinuedByMark(relative)
        }
        let needsSlash = mark.map { !"?#".utf8.contains($0) } ?? false
        let slash = needsSlash && url.utf8.last != UInt8(ascii: "/") ? "/" : ""
        return Value(url + slash + relative)
    }
}

extension Generation {
    /// Declares a group, which may be inside another one.
    ///
    /// - Throws: The errors of ``RouteGroup``. If the group is exclusive: `script` if its URL has
    ///   no origin or another exclusive group has the same origin, and `forbidden` if the scripts
    ///   may not claim the origin.
    func declareGroup(_ arguments: Arguments) throws(RouteError) -> RouteGroup {
        var group = try RouteGroup(arguments.tree[0], in: arguments.group)
        guard arguments.table(0)["exclusive"].boolean == true else { return group }
        guard let origin = group.origin else { throw .exclusiveGroupHasNoOrigin() }
        try checkClaim(to: origin)
        let place = arguments.location?.description ?? "?"
        let new = URLGroups.Group(origin, at: place, in: group.exclusive)
        let known = declarations.linkDeclarations.exclusive
        if let earlier = known[origin] { throw .groupIsExclusiveTwice(known.list[earlier]) }
        guard known.groups(from: group.exclusive).count < URLGroups.depthLimit else {
            throw .tooManyExclusiveGroups()
        }
        group.exclusive = known.list.count
        try changingLinks { () throws(RouteError) in
            declarations.linkDeclarations.exclusive.append(new)
        }
        return group
    }

    /// Registers a route of a group.
    func registerScreen(_ arguments: Arguments, in group: RouteGroup) throws(RouteError) {
        let definition = Value.table(try group.merge(arguments.table(2)))
        // The memory of the merged definition, including the keys of the group, is counted.
        arguments.tree.replaceAll(with: [arguments[0], arguments[1], definition, arguments[3]])
        try registerScreen(arguments, group: group.exclusive)
    }

    /// Declares an alias of a group.
    func declareAlias(_ arguments: Arguments, in group: RouteGroup) throws(RouteError) {
        let patterns = try [arguments[0], arguments[1]].map { (value) throws(RouteError) in
            guard case .string(let text) = value else { return value }
            return try group.pattern(text)
        }
        arguments.tree.replaceAll(with: patterns)
        try declareAlias(arguments, exclusive: group.exclusive)
    }
}

extension RouteError {
    fileprivate static func groupEndsEarly(_ url: String) -> RouteError {
        RouteError(
            .script,
            "the url '\(shortened(url))' of a group has a query or a fragment (only a path is expected, because the patterns of the group's routes are appended to it)"
        )
    }

    fileprivate static func groupIsContinuedByMark(_ url: String) -> RouteError {
        RouteError(
            .script,
            "the url '\(shortened(url))' cannot be appended to the 'url' of the group (write a query after '?', as in '?page=:page')"
        )
    }

    fileprivate static func exclusiveGroupHasNoOrigin() -> RouteError {
        RouteError(
            .script,
            "'exclusive' needs an origin in the 'url' of the group, such as 'https://admin.example'; URLs of this origin then match only routes of the group"
        )
    }

    fileprivate static func tooManyExclusiveGroups() -> RouteError {
        RouteError(
            .script,
            "exclusive groups are nested too deeply (at most \(URLGroups.depthLimit) expected)"
        )
    }

    fileprivate static func groupIsExclusiveTwice(_ earlier: URLGroups.Group) -> RouteError {
        RouteError(
            .script,
            "two groups are exclusive for '\(earlier.origin)' (the first at \(earlier.place)): register the routes of both in one group"
        )
    }

    fileprivate static func groupHasOtherType(_ name: String) -> RouteError {
        RouteError(
            .script,
            "parameter '\(name)' has a different type in 'info' of the group (declare the same type, or declare the parameter only once)"
        )
    }
}
