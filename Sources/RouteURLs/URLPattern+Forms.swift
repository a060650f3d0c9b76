// SPDX-License-Identifier: MIT

internal import RouteCore

extension URLPattern {
    /// The maximum number of optional segments before a required segment in a path.
    static let maximumOptional = 3

    /// The forms of the pattern that a table stores.
    ///
    /// The form with all segments comes first.
    ///
    /// There is one form for each combination of the optional segments that precede a required
    /// segment, and of the optional segments of the fragment. Optional segments at the end of the
    /// path remain optional in each form.
    var forms: [URLPattern] {
        guard hasForms else { return [self] }
        let end = Self.endOfRequired(segments)
        let isHostFirst = origin != nil && origin?.host == nil
        let paths = Self.choices(among: segments[..<end]).map { choice in
            let path = choice + segments[end...]
            // If the first segment is omitted, another segment becomes the host, whose case is
            // ignored.
            guard isHostFirst, let host = path.first else { return path }
            return [host.folded(.ascii)] + path.dropFirst()
        }
        guard let fragment else {
            return paths.map { URLPattern(origin: origin, segments: $0, query: query) }
        }
        let fragmentEnd = Self.endOfRequired(fragment.segments)
        let endings = fragment.segments[fragmentEnd...].map(\.required)
        return paths.flatMap { path in
            Self.choices(among: fragment.segments[..<fragmentEnd]).flatMap { choice in
                (0...endings.count).reversed().map { count in
                    URLPattern(
                        origin: origin,
                        segments: path,
                        query: query,
                        fragment: Fragment(
                            hasSlash: fragment.hasSlash,
                            segments: choice + endings.prefix(count),
                            query: fragment.query
                        )
                    )
                }
            }
        }
    }

    /// Whether a table stores more than one form of this pattern.
    var hasForms: Bool {
        segments[..<Self.endOfRequired(segments)].contains(where: \.isOptional)
            || fragment?.segments.contains(where: \.isOptional) == true
    }

    /// Returns the number of segments, not counting optional segments at the end.
    static func endOfRequired(_ segments: [Segment]) -> Int {
        (segments.lastIndex { !$0.isOptional } ?? -1) + 1
    }

    /// Returns a list of segments for each combination of the optional segments.
    ///
    /// All segments in these lists are required.
    private static func choices(among segments: ArraySlice<Segment>) -> [[Segment]] {
        segments.reduce([[]]) { choices, segment in
            choices.flatMap { choice in
                let with = choice + [segment.required]
                return segment.isOptional ? [with, choice] : [with]
            }
        }
    }
}

extension URLPattern.Segment {
    /// A copy of the segment that is not optional.
    var required: URLPattern.Segment {
        switch self {
        // A parameter within a segment is never optional.
        case .literal, .pair: self
        case .parameter(let parameter): .parameter(parameter.required)
        case .affixed(let affixes, let parameter): .affixed(affixes, parameter.required)
        case .tail(let parameter): .tail(parameter.required)
        }
    }
}

extension URLPattern.Parameter {
    /// A parameter without a name that accepts any text.
    static let unnamed = URLPattern.Parameter(
        name: URLPattern.noName,
        kind: .text,
        isOptional: false
    )

    fileprivate var required: URLPattern.Parameter {
        URLPattern.Parameter(name: name, kind: kind, isOptional: false, isList: isList)
    }
}
