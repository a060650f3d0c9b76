// SPDX-License-Identifier: MIT

public import RouteCore

extension URLPattern {
    /// Two parameters in one segment, with literal text between them: `/flights/:from-:to`.
    public struct Pair: Sendable, Hashable {
        /// The literal texts before the first and after the second parameter.
        ///
        /// Both may be empty.
        public let affixes: Affixes
        /// The literal text between the parameters, decoded.
        public let between: ByteString
        /// The first parameter.
        ///
        /// This parameter reads the shortest text for which both parameters match.
        public let first: Parameter
        /// The second parameter.
        public let second: Parameter

        /// The maximum number of occurrences of `between` that are tried in a segment.
        static let tryLimit = 64

        /// Splits a segment into the texts of both parameters.
        ///
        /// - Parameters:
        ///   - literal: The bytes of the segment that are compared with the literal texts.
        ///   - bytes: The bytes of the segment from which the values are read.
        ///   - texts: The literal texts before, between and after the parameters.
        ///   - shorter: The length of the first parameter in the previous attempt, in bytes. Only
        ///     longer texts are tried.
        ///   - accepts: A closure that returns whether a parameter accepts a text. The first argument
        ///     is true for the second parameter.
        /// - Returns: The length of the first parameter in bytes, or nil if the segment does not
        ///   match.
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

        /// Returns the texts of both parameters in a segment, or nil if the segment does not match.
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

        /// Returns the pair with both parameters transformed by the given closure.
        func with(_ parameter: (Parameter) -> Parameter) -> Pair {
            Pair(
                affixes: affixes,
                between: between,
                first: parameter(first),
                second: parameter(second)
            )
        }

        /// Returns the pair with the case of its literal texts folded.
        func folded(_ rule: LiteralCase) -> Pair {
            Pair(
                affixes: affixes.folded(rule),
                between: rule.fold(between),
                first: first,
                second: second
            )
        }

        /// The total number of bytes of the three literal texts.
        var literalCount: Int { affixes.prefix.count + between.count + affixes.suffix.count }

        /// Compares two pairs at the same position.
        ///
        /// The result is negative if this pair is tried first.
        ///
        /// The pair with more literal text is tried first. Ties are decided by the length of the
        /// text before the first parameter, then by the length of the text after the second
        /// parameter, then by the kinds, then by the bytes of the literal texts.
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
