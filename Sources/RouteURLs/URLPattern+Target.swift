// SPDX-License-Identifier: MIT

package import RouteCore

extension URLPattern {
    /// A pattern in which values may replace parameters: `/books/popular?sort=new`.
    package struct Target: Sendable {
        /// The pattern, without the query keys that have fixed values.
        package let pattern: URLPattern
        /// The decoded fixed values of the query by key.
        package let values: [ByteString: ByteString]

        /// Creates a target from its text in a script.
        ///
        /// - Throws: An error with the position of the mistake in the text.
        package init(_ text: String, kinds: some Sequence<String>) throws(NotationError) {
            let whole = try URLPattern(text, kinds: kinds)
            let query = whole.query.filter { $0.literal == nil }
            pattern = URLPattern(
                origin: whole.origin,
                segments: whole.segments,
                query: query,
                fragment: whole.fragment
            )
            values = Dictionary(
                whole.query.compactMap { item in item.literal.map { (item.key, $0) } }
            ) { first, _ in first }
        }

        /// Returns the parameters of another pattern that this target replaces with values.
        ///
        /// - Returns: The parameters with their texts, or nil if the target and the pattern differ
        ///   in any other respect.
        package func fixed(in other: URLPattern) -> [(Parameter, [ByteString])]? {
            guard other.origin == nil || other.origin == pattern.origin,
                other.fragment == pattern.fragment
            else { return nil }
            for form in other.forms {
                if let fixed = fixed(inForm: form) { return fixed }
            }
            return nil
        }

        /// Returns the parameters that this target replaces in a form of a pattern.
        ///
        /// All optional segments must be at the end of the form.
        private func fixed(inForm other: URLPattern) -> [(Parameter, [ByteString])]? {
            var fixed: [(Parameter, [ByteString])] = []
            var rest = pattern.segments[...]
            for segment in other.segments {
                if case .tail(let parameter) = segment, !rest.isEmpty {
                    if rest.count == 1, rest.first == segment {
                        return self.fixed(in: other, fixed)
                    }
                    let literals = rest.compactMap { segment -> ByteString? in
                        if case .literal(let literal) = segment { literal } else { nil }
                    }
                    guard literals.count == rest.count,
                        literals.allSatisfy(parameter.kind.accepts)
                    else { return nil }
                    let text = literals.map(\.displayText).joined(separator: "/")
                    let texts = parameter.isList ? literals : [ByteString(text)]
                    return self.fixed(in: other, fixed + [(parameter, texts)])
                }
                guard let own = rest.popFirst() else {
                    guard segment.isOptional else { return nil }
                    continue
                }
                switch segment.taking(own) {
                case .nothing: return nil
                case .same: continue
                case .values(let values): fixed += values.map { ($0, [$1]) }
                }
            }
            return rest.isEmpty ? self.fixed(in: other, fixed) : nil
        }

        /// Returns the given parameters, followed by the query parameters that the target replaces;
        /// nil if the queries differ in any other respect.
        private func fixed(
            in other: URLPattern,
            _ path: [(Parameter, [ByteString])]
        ) -> [(Parameter, [ByteString])]? {
            var fixed = path
            var count = 0
            for item in other.query {
                if let value = values[item.key] {
                    guard item.parameter.kind.accepts(value) else { return nil }
                    fixed.append((item.parameter, [value]))
                } else if let own = pattern.query.first(where: { $0.key == item.key }) {
                    guard own.parameter.isFor(item.parameter) else { return nil }
                } else {
                    guard item.parameter.isOptional else { return nil }
                    continue
                }
                count += 1
            }
            guard count == values.count + pattern.query.count else { return nil }
            return fixed.filter { $0.0.name != URLPattern.noName }
        }
    }
}

extension URLPattern.Segment {
    /// The result of comparing a segment of a pattern with a segment of a target.
    fileprivate enum Taking {
        case nothing
        case same
        case values([(URLPattern.Parameter, ByteString)])
    }

    fileprivate func taking(_ own: URLPattern.Segment) -> Taking {
        switch (self, own) {
        case (.literal(let literal), .literal(let other)):
            return literal == other ? .same : .nothing
        case (.parameter(let parameter), .literal(let text)):
            return parameter.kind.accepts(text) ? .values([(parameter, text)]) : .nothing
        case (.parameter(let parameter), .parameter(let other)):
            return other.isFor(parameter) ? .same : .nothing
        case (.affixed(let affixes, let parameter), .literal(let text)):
            let counts = (affixes.prefix.count, affixes.suffix.count)
            guard
                case (affixes, .literal(let middle))? =
                    URLForm.Text.literal(text).split(counts.0, suffixCount: counts.1, rule: .exact),
                parameter.kind.accepts(middle)
            else { return .nothing }
            return .values([(parameter, middle)])
        case (.affixed(let affixes, let parameter), .affixed(let others, let other)):
            return affixes == others && other.isFor(parameter) ? .same : .nothing
        case (.pair(let pair), .literal(let text)):
            guard let (first, second) = pair.split(text, .exact) else { return .nothing }
            return .values([(pair.first, first), (pair.second, second)])
        case (.pair(let pair), .pair(let other)):
            let isSame =
                (pair.affixes, pair.between) == (other.affixes, other.between)
                && other.first.isFor(pair.first) && other.second.isFor(pair.second)
            return isSame ? .same : .nothing
        default: return .nothing
        }
    }
}

extension URLPattern.Parameter {
    /// Whether this parameter of a target equals a parameter of a pattern.
    ///
    /// The target may omit the kind.
    fileprivate func isFor(_ parameter: URLPattern.Parameter) -> Bool {
        name == parameter.name && (kind == .text || kind == parameter.kind)
    }
}
