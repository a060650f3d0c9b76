// SPDX-License-Identifier: MIT

// The standard library provides these functions in the module `_StringProcessing`, whose
// regular-expression engine makes a statically linked executable 1.3 MB larger.

extension Collection where Element: Equatable {
    /// Returns the range of the first occurrence of another collection; nil if there is none.
    ///
    /// - Complexity: O(*n* · *m*) in the lengths of the two collections.
    @inlinable
    package func firstRange(ofPart part: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            var (index, rest) = (start, part.makeIterator())
            var isEqual = true
            while let element = rest.next() {
                // From here on, too few elements remain for the whole part.
                guard index < endIndex else { return nil }
                guard self[index] == element else { isEqual = false; break }
                formIndex(after: &index)
            }
            if isEqual { return start..<index }
            formIndex(after: &start)
        }
    }

    /// Whether the collection contains the elements of another collection, contiguous and in order.
    @inlinable
    package func contains(part: some Collection<Element>) -> Bool {
        firstRange(ofPart: part) != nil
    }
}

extension StringProtocol {
    /// Returns the text with each occurrence of a part replaced, from left to right.
    ///
    /// The comparison is by Unicode scalars, so that a combining mark after the part does not hide
    /// the part.
    package func replacing(part: String, with replacement: String) -> String {
        precondition(!part.isEmpty, "the part must not be empty")
        var result = String.UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let range = rest.firstRange(ofPart: part.unicodeScalars) {
            result += rest[..<range.lowerBound]
            result += replacement.unicodeScalars
            rest = rest[range.upperBound...]
        }
        return String(result + rest)
    }
}
