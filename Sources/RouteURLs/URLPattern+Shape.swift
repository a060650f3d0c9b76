// SPDX-License-Identifier: MIT

internal import RouteCore

extension URLPattern {
    /// The properties of a pattern that determine which URLs the pattern matches, and with which
    /// rank.
    ///
    /// Two patterns that have a shape in common conflict, and cannot be in the same table.
    ///
    /// Names of parameters and optional query parameters are not part of a shape.
    public struct Shape: Hashable, Sendable {
        /// A segment without the name of its parameter.
        private enum Segment: Hashable {
            case literal(ByteString)
            case parameter(Kind)
            case affixed(Affixes, Kind)
            case pair(Affixes, ByteString, Kind, Kind)
            case tail(Kind)
        }

        private let origin: URLOrigin?
        private let segments: [Segment]
        private let query: [ByteString: Kind]
        /// The segments of the fragment, or nil if the pattern has no fragment.
        private let fragment: [Segment]?
        private let fragmentQuery: [ByteString: Kind]

        fileprivate init(_ pattern: URLPattern, segmentCount: Int, rule: LiteralCase) {
            origin = pattern.origin?.unnamed
            segments = pattern.segments.prefix(segmentCount).map { Self.segment($0, rule) }
            query = Self.required(pattern.query)
            fragment = pattern.fragment?.segments.map { Self.segment($0, rule) }
            fragmentQuery = Self.required(pattern.fragment?.query ?? [])
        }

        private static func segment(
            _ segment: URLPattern.Segment,
            _ rule: LiteralCase
        ) -> Segment {
            switch segment.folded(rule) {
            case .affixed(let affixes, let parameter):
                .affixed(affixes, parameter.kind.normalized)
            case .pair(let pair):
                .pair(
                    pair.affixes,
                    pair.between,
                    pair.first.kind.normalized,
                    pair.second.kind.normalized
                )
            case .literal(let literal): .literal(literal)
            case .parameter(let parameter): .parameter(parameter.kind.normalized)
            case .tail(let parameter): .tail(parameter.kind.normalized)
            }
        }

        private static func required(_ query: [QueryParameter]) -> [ByteString: Kind] {
            let required = query.filter { !$0.parameter.isOptional }
            return Dictionary(required.map { ($0.key, $0.parameter.kind.normalized) }) { $1 }
        }
    }

    /// Returns the shapes of the pattern, one for each combination of its optional segments.
    ///
    /// If `ignoresCase` is true, the case of literals is not part of the shapes.
    ///
    /// - Complexity: O(*m*) for each shape, where *m* is the length of the pattern.
    public func shapes(ignoringCase ignoresCase: Bool) -> [Shape] {
        forms.flatMap { form in
            (form.requiredSegments...form.segments.count).map {
                Shape(form, segmentCount: $0, rule: ignoresCase ? .ignored : .exact)
            }
        }
    }
}

extension URLPattern {
    /// Returns the pattern with the kind of each parameter replaced by the result of a closure.
    ///
    /// The closure is called in the order of the parameters.
    package func withKinds(_ kind: (Parameter) -> Kind) -> URLPattern {
        func changed(_ parameter: Parameter) -> Parameter {
            Parameter(
                name: parameter.name,
                kind: kind(parameter),
                isOptional: parameter.isOptional,
                isList: parameter.isList
            )
        }
        func changed(_ segments: [Segment]) -> [Segment] {
            segments.map { segment in
                switch segment {
                case .literal: segment
                // A tail whose value is a single string has no kind.
                case .tail(let parameter): .tail(parameter.isList ? changed(parameter) : parameter)
                case .parameter(let parameter): .parameter(changed(parameter))
                case .affixed(let affixes, let parameter): .affixed(affixes, changed(parameter))
                case .pair(let pair): .pair(pair.with(changed))
                }
            }
        }
        func changed(_ query: [QueryParameter]) -> [QueryParameter] {
            query.map { item in
                item.literal == nil
                    ? QueryParameter(key: item.key, parameter: changed(item.parameter)) : item
            }
        }
        return URLPattern(
            origin: origin,
            segments: changed(segments),
            query: changed(query),
            fragment: fragment.map {
                Fragment(
                    hasSlash: $0.hasSlash,
                    segments: changed($0.segments),
                    query: changed($0.query)
                )
            }
        )
    }

    /// Returns a copy of the pattern in which each parameter without a kind has the kind of the
    /// parameter with the same name in another pattern.
    package func takingKinds(of other: URLPattern) -> URLPattern {
        let kinds = Dictionary(other.parameters.map { ($0.name, $0.kind) }) { first, _ in first }
        return withKinds { $0.kind == .text ? kinds[$0.name] ?? .text : $0.kind }
    }
}
