// SPDX-License-Identifier: MIT

public import RouteCore

extension URLPattern {
    /// Two parameters in one segment, with literal text between them: `/flights/:from-:to`.
    public struct Pair: Sendable, Hashable {
        /// The literal texts before and after both parameters; they may be empty.
        public let affixes: Affixes
        /// The decoded literal text between the parameters.
        public let between: ByteString
        /// The first parameter, which reads the shortest text for which both kinds are right.
        public let first: Parameter
        /// The second parameter.
        public let second: Parameter

        /// The maximum number of places of the text between that are tried in a segment.
        static let tryLimit = 64

        /// Splits a segment.
        ///
        /// - Parameters:
        ///   - literal: The bytes of the segment to compare with literal texts.
        ///   - bytes: The bytes of its values.
        ///   - texts: The literal texts.
        ///   - shorter: The number of bytes of the first parameter that were tried before.
        ///   - accepts: Whether the text of the first or the second parameter is of its kind.
        /// - Returns: The number of bytes of the first parameter; nil if the segment differs.
        static func split(
            _ literal: UnsafeRawBufferPointer,
            _ bytes: UnsafeRawBufferPointer,
            by texts: (
                prefix: UnsafeRawBufferPointer, between: UnsafeRawBufferPointer,
                suffix: UnsafeRawBufferPointer
            ),
            after shorter: Int = 0,
            accepts: (_ isSecond: Bool, UnsafeRawBufferPointer) -> Bool
        ) -> Int? {
            let start = texts.prefix.count
            let end = bytes.count - texts.suffix.count
            let last = end - texts.between.count - 1
            guard start + shorter < last, literal.starts(with: texts.prefix),
                literal[end...].elementsEqual(texts.suffix)
            else { return nil }
            var tries = 0
            for place in (start + shorter + 1)...last where tries < tryLimit {
                guard literal[place...].starts(with: texts.between) else { continue }
                tries += 1
                let rest = place + texts.between.count
                guard accepts(false, UnsafeRawBufferPointer(rebasing: bytes[start..<place])),
                    accepts(true, UnsafeRawBufferPointer(rebasing: bytes[rest..<end]))
                else { continue }
                return place - start
            }
            return nil
        }

        /// Returns the texts of both parameters in a segment; nil if the segment differs.
        func split(_ text: ByteString, _ rule: LiteralCase) -> (ByteString, ByteString)? {
            let texts = folded(rule)
            return rule.fold(text).withBytes { literal in
                text.withBytes { bytes in
                    texts.withBytes { prefix, between, suffix in
                        Self.split(literal, bytes, by: (prefix, between, suffix)) {
                            ($0 ? second : first).kind.accepts($1)
                        }
                        .map { count in
                            let end = prefix.count + count
                            let rest = end + between.count..<bytes.count - suffix.count
                            return (
                                ByteString(
                                    bytes: UnsafeRawBufferPointer(
                                        rebasing: bytes[prefix.count..<end]
                                    )
                                ),
                                ByteString(bytes: UnsafeRawBufferPointer(rebasing: bytes[rest]))
                            )
                        }
                    }
                }
            }
        }

        private func withBytes<Result>(
            _ body: (
                UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer
            ) -> Result
        ) -> Result {
            affixes.prefix.withBytes { prefix in
                between.withBytes { between in
                    affixes.suffix.withBytes { body(prefix, between, $0) }
                }
            }
        }

        /// Returns the pair with other parameters.
        func with(_ parameter: (Parameter) -> Parameter) -> Pair {
            Pair(
                affixes: affixes,
                between: between,
                first: parameter(first),
                second: parameter(second)
            )
        }

        /// Returns the pair with folded literal texts.
        func folded(_ rule: LiteralCase) -> Pair {
            Pair(
                affixes: affixes.folded(rule),
                between: rule.fold(between),
                first: first,
                second: second
            )
        }

        /// The number of bytes of all literal texts.
        var literalCount: Int { affixes.prefix.count + between.count + affixes.suffix.count }

        /// Compares pairs at the same position: negative if this one is tried first.
        ///
        /// The pair with more literal text is tried first; then the one with more literal text
        /// before the first parameter; then after the second parameter; then the kinds decide; then
        /// the bytes of the literal text.
        func comparison(to other: Pair) -> Int {
            for (left, right) in [
                (other.literalCount, literalCount),
                (other.affixes.prefix.count, affixes.prefix.count),
                (other.affixes.suffix.count, affixes.suffix.count),
            ] where left != right {
                return left - right
            }
            let kinds = [(first, other.first), (second, other.second)]
            for (left, right) in kinds {
                let order = left.kind.comparison(to: right.kind)
                if order != 0 { return order }
            }
            let (texts, others) = (
                [affixes.prefix, between, affixes.suffix],
                [other.affixes.prefix, other.between, other.affixes.suffix]
            )
            return texts == others ? 0 : texts.lexicographicallyPrecedes(others) ? -1 : 1
        }
    }
}
