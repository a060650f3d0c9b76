// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteURLs

/// A URL pattern as a list of required segments, to be written in the pattern language of a
/// platform.
struct LinkForm: Sendable {
    /// A part of the path of a URL.
    enum Part: Sendable, Equatable {
        /// Literal text, decoded.
        case text(ByteString)
        /// The value of a parameter: one or more characters. If `hasSlash` is true, the value may
        /// contain a slash, which is encoded in a URL. `sample` is a valid value.
        case value(hasSlash: Bool, sample: ByteString)
    }

    /// A required key of the query.
    struct Item: Sendable {
        let key: ByteString
        /// The text that the value must equal; nil if the value is a parameter.
        let literal: ByteString?
        /// Whether the value must not be empty.
        let hasValue: Bool
        let sample: ByteString
    }

    /// The name of the route.
    let name: String
    /// The declared pattern, without the optional segments that this form omits.
    let pattern: String
    /// The origins of the form's URLs; empty for any origin.
    private(set) var origins: [URLOrigin]
    /// The parts of each segment.
    let segments: [[Part]]
    /// The required keys of the query.
    let query: [Item]
    /// The parts of each segment of the fragment; nil if the fragment does not matter.
    let fragment: [[Part]]?
    /// Whether the fragment begins with a slash, and whether the fragment may contain a query.
    let fragmentMarks: (hasSlash: Bool, hasQuery: Bool)
    /// Whether case is ignored when literals are compared.
    let ignoresCase: Bool
    /// Whether the route does not accept URLs.
    let isClosed: Bool
    let source: RouteRow.Source?

    /// Whether all URLs of the form have the same path.
    var isLiteral: Bool {
        segments.joined().allSatisfy { if case .text = $0 { true } else { false } }
    }

    /// The decoded segments of a sample URL that the form matches.
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

    /// Returns the form with only the origins that match the given host; nil if no origin matches.
    ///
    /// A form for any origin is returned unchanged.
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
    /// Returns the forms of all patterns in the order in which they are matched, with the forms of
    /// routes first.
    ///
    /// - Parameter closed: The routes that do not accept URLs.
    /// - Returns: For each pattern, one form for each possible number of optional segments.
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
            // A form without origins would match any origin.
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
            // The values match any text, because a value may contain the first character of the
            // text that follows the value.
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
    /// A valid value of the kind.
    ///
    /// For a kind that a script declares, the value is arbitrary text.
    fileprivate var sample: ByteString {
        if case .enumeration(let values) = self, let first = values.first { return first }
        return ByteString(Self.forms.first { $0.kind == self }?.text ?? "x")
    }

    /// Whether a value of the kind can contain a slash, which is encoded in a URL.
    fileprivate var hasSlash: Bool {
        switch self {
        case .text, .custom: true
        case .int, .uint, .number, .bool, .uuid, .slug, .date: false
        case .enumeration(let values): values.contains { $0.text?.contains("/") ?? true }
        }
    }
}
