// SPDX-License-Identifier: MIT

internal import RouteCore

extension URLPattern {
    /// The maximum number of optional segments that required ones follow, in a path.
    static let maximumOptional = 3

    /// The forms of the pattern in a table, the form with all segments first.
    ///
    /// There is one form for each combination of the optional segments that precede a required one,
    /// and of the optional segments of the fragment. Optional segments at the end of the path stay
    /// optional.
    var forms: [URLPattern] {
        guard hasForms else { return [self] }
        let end = Self.endOfRequired(segments)
        let isHostFirst = origin != nil && origin?.host == nil
        let paths = Self.choices(among: segments[..<end]).map { choice in
            let path = choice + segments[end...]
            // Another segment may become the host, which has no case.
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

    /// Whether a table has more than one pattern for this one.
    var hasForms: Bool {
        segments[..<Self.endOfRequired(segments)].contains(where: \.isOptional)
            || fragment?.segments.contains(where: \.isOptional) == true
    }

    /// Returns the number of segments without the optional ones at the end.
    static func endOfRequired(_ segments: [Segment]) -> Int {
        (segments.lastIndex { !$0.isOptional } ?? -1) + 1
    }

    /// Returns all choices of optional segments, as required ones.
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
    /// The segment, which no URL may omit.
    var required: URLPattern.Segment {
        switch self {
        // A part of a segment is never optional.
        case .literal, .pair: self
        case .parameter(let parameter): .parameter(parameter.required)
        case .affixed(let affixes, let parameter): .affixed(affixes, parameter.required)
        case .tail(let parameter): .tail(parameter.required)
        }
    }
}

extension URLPattern.Parameter {
    /// A parameter without a name, of any text.
    static let unnamed = URLPattern.Parameter(
        name: URLPattern.noName,
        kind: .text,
        isOptional: false
    )

    fileprivate var required: URLPattern.Parameter {
        URLPattern.Parameter(name: name, kind: kind, isOptional: false, isList: isList)
    }
}
