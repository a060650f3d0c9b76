// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteURLs

/// A URL pattern as a list of required segments, to be written in the pattern language of a
/// platform.
struct LinkForm: Sendable {
    /// A part of the path of a URL.
    enum Part: Sendable, Equatable {
        /// Text, decoded.
        case text(ByteString)
        /// One or more characters of a parameter. They contain no slash if the parameter's kind
        /// does not allow one; otherwise they may be any characters, because a slash can be
        /// encoded.
        case value(hasSlash: Bool, sample: ByteString)
    }

    /// A required key of the query.
    struct Item: Sendable {
        let key: ByteString
        /// The text that the key's value must equal; nil if a parameter reads it.
        let literal: ByteString?
        /// Whether the key's value cannot be empty.
        let hasValue: Bool
        let sample: ByteString
    }

    /// The name of the route.
    let name: String
    /// The pattern as it was declared, without the omitted segments.
    let pattern: String
    /// The origins of the form's URLs; empty for any origin.
    private(set) var origins: [URLOrigin]
    /// The parts of each segment.
    let segments: [[Part]]
    /// The required keys of the query.
    let query: [Item]
    /// The parts of each segment of the fragment; nil if the fragment does not matter.
    let fragment: [[Part]]?
    /// Whether the fragment begins with a slash, and whether it may have a query.
    let fragmentMarks: (hasSlash: Bool, hasQuery: Bool)
    /// Whether literals are compared without case.
    let ignoresCase: Bool
    /// Whether the route does not admit URLs.
    let isClosed: Bool
    let source: RouteRow.Source?

    /// Whether each URL of the form has the same path.
    var isLiteral: Bool {
        segments.joined().allSatisfy { if case .text = $0 { true } else { false } }
    }

    /// The segments of a URL that the form matches, decoded.
    var sampleSegments: [ByteString] { Self.sample(segments) }

    /// Returns decoded segments that match the given parts.
    static func sample(_ segments: [[Part]]) -> [ByteString] {
        segments.map { segment in
            var bytes: [UInt8] = []
            for part in segment {
                switch part {
                case .text(let text), .value(_, let text): text.withBytes { bytes += $0 }
                }
            }
            return ByteString(bytes: bytes)
        }
    }

    /// Returns the form with only the origins that include a host; nil if there are none.
    func limited(to host: String) -> LinkForm? {
        guard !origins.isEmpty, let site = try? URLOrigin("https://\(host)") else { return self }
        var form = self
        form.origins = origins.filter { $0.meets(site) }
        return form.origins.isEmpty ? nil : form
    }

    /// The name and the pattern, for comments.
    var title: String { "\(name): \(pattern)" }
}

extension RouteInventory {
    /// Returns the forms of all patterns, in the order of matching, the forms of routes first.
    ///
    /// - Parameter closed: The routes that do not admit URLs.
    /// - Returns: One form for each number of optional segments.
    func linkForms(closed: Set<Target>) -> [LinkForm] {
        forms(of: urls) { entry in
            let link = links[entry.route]
            return (link.target.description, closed.contains(link.target), link.source)
        }
            + forms(of: routingURLs) {
                (RouteRow.Kind.routing.rawValue, false, routingSources[$0.route])
            }
    }

    private func forms(
        of table: URLTable,
        _ route: (URLTable.Entry) -> (name: String, isClosed: Bool, source: RouteRow.Source?)
    ) -> [LinkForm] {
        table.entries.compactMap { entry in
            let (name, isClosed, source) = route(entry)
            let pattern = entry.pattern
            let origins = pattern.origin.map { [$0] } ?? urls.origins
            let matched = origins.filter { table.group(excluding: entry.route, from: $0) == nil }
            // Without origins it would have those of all others.
            guard !matched.isEmpty || origins.isEmpty else { return nil }
            return LinkForm(
                name: name,
                pattern: entry.description,
                origins: matched.map(\.unnamed),
                segments: entry.form.segments.prefix(entry.segmentCount).map(\.linkParts),
                query: pattern.query.filter { !$0.parameter.isOptional }.map {
                    LinkForm.Item(
                        key: $0.key,
                        literal: $0.literal,
                        hasValue: !$0.parameter.kind.accepts(""),
                        sample: $0.parameter.kind.sample
                    )
                },
                fragment: entry.form.fragment?.segments.map(\.linkParts),
                fragmentMarks: (
                    entry.form.fragment?.hasSlash ?? false,
                    entry.form.fragment?.query.isEmpty == false
                ),
                ignoresCase: table.ignoresCase,
                isClosed: isClosed,
                source: source
            )
        }
    }
}

extension URLPattern.Segment {
    fileprivate var linkParts: [LinkForm.Part] {
        switch self {
        case .literal(let text): [.text(text)]
        case .parameter(let parameter):
            [.value(hasSlash: parameter.kind.hasSlash, sample: parameter.kind.sample)]
        case .affixed(let affixes, let parameter):
            // The value may contain the beginning of the suffix.
            [
                .text(affixes.prefix), .value(hasSlash: true, sample: parameter.kind.sample),
                .text(affixes.suffix),
            ].filter { $0 != .text("") }
        case .pair(let pair):
            [
                .text(pair.affixes.prefix), .value(hasSlash: true, sample: pair.first.kind.sample),
                .text(pair.between), .value(hasSlash: true, sample: pair.second.kind.sample),
                .text(pair.affixes.suffix),
            ].filter { $0 != .text("") }
        case .tail(let parameter): [.value(hasSlash: true, sample: parameter.kind.sample)]
        }
    }
}

extension URLPattern.Kind {
    /// A value of the kind; for a kind that a script declares, any text.
    fileprivate var sample: ByteString {
        if case .enumeration(let values) = self, let first = values.first { return first }
        return ByteString(Self.forms.first { $0.kind == self }?.text ?? "x")
    }

    /// Whether a value can contain a slash, which is encoded in a URL.
    fileprivate var hasSlash: Bool {
        switch self {
        case .text, .custom: true
        case .int, .uint, .number, .bool, .uuid, .slug, .date: false
        case .enumeration(let values): values.contains { $0.text?.contains("/") ?? true }
        }
    }
}
