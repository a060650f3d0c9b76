// SPDX-License-Identifier: MIT

extension URLPattern {
    /// What of a pattern says which URLs it matches, and how it ranks among those that match them
    /// too: two patterns that share a shape keep each other from being compiled.
    ///
    /// Names of parameters do not count, nor do optional parts of the query.
    public struct Shape: Hashable, Sendable {
        /// A segment without its name.
        private enum Segment: Hashable {
            case literal(ByteString)
            case parameter(Kind)
            case tail
        }

        private let origin: URLOrigin?
        private let segments: [Segment]
        private let query: [ByteString: Kind]

        fileprivate init(_ pattern: URLPattern, _ segmentCount: Int) {
            origin = pattern.origin
            segments = pattern.segments.prefix(segmentCount).map { segment in
                switch segment {
                case .literal(let literal): .literal(literal)
                case .parameter(let parameter): .parameter(parameter.kind.normalized)
                case .tail: .tail
                }
            }
            let required = pattern.query.filter { !$0.parameter.isOptional }
            query = Dictionary(required.map { ($0.key, $0.parameter.kind.normalized) }) { $1 }
        }
    }

    /// The shapes of a pattern: one for each number of its optional segments.
    ///
    /// - Complexity: O(*m*) for each in the length of the pattern.
    public var shapes: [Shape] {
        (requiredSegments...segments.count).map { Shape(self, $0) }
    }
}
