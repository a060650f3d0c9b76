// SPDX-License-Identifier: MIT

/// A namespace for functions that tools use to read JSON documents.
package enum JSONDocument {
    /// The reason why a text cannot be read as an object.
    package struct Problem: Error {
        /// The message, without the position.
        package let message: String
        /// The offset of the byte at which reading failed.
        package let offset: Int

        /// Creates a problem.
        package init(message: String, offset: Int) {
            (self.message, self.offset) = (message, offset)
        }
    }

    /// Reads an object from one line of a stream.
    ///
    /// The object may be nested 64 levels deeper than script values.
    ///
    /// An integer that does not fit in 64 bits becomes the nearest float, and `null` values are
    /// left out.
    ///
    /// - Throws: The first error. A number that no float can represent is also an error.
    package static func line(_ bytes: [UInt8]) throws(Problem) -> InfoTable {
        do throws(JSONReader.Problem) {
            return try JSONReader.stream(bytes, depth: Value.depthLimit + 64)
        } catch {
            throw Problem(message: error.message, offset: error.position)
        }
    }

    /// Reads a document whose top level is an object.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - depth: The maximum nesting depth; nil for the limit of script values.
    ///   - refusesNull: Whether `null` as the value of a key is an error. Otherwise, the key is
    ///     left out.
    /// - Returns: The object.
    /// - Throws: `parse`, with the position, if the text is not valid JSON; `badInfo`, with the
    ///   path, if a part of the document cannot be represented in scripts.
    package static func object(
        _ bytes: [UInt8],
        depth: Int? = nil,
        refusesNull: Bool = false
    ) throws(RouteError) -> InfoTable {
        let (table, flaw): (InfoTable, RouteError?)
        do throws(JSONReader.Problem) {
            (table, flaw) = try JSONReader.object(
                bytes,
                from: 0,
                depth: depth ?? JSONReader.valueDepth,
                refusesNull: refusesNull
            )
        } catch {
            throw RouteError(.parse, "\(error.message) at byte \(error.position + 1)")
        }
        if let flaw { throw flaw }
        return table
    }

    /// A member of a document, with the offsets of its key and its value.
    package struct Member {
        /// The key.
        package let key: String
        /// The value.
        package let value: Value
        /// The offset of the key's opening quote.
        package let keyOffset: Int
        /// The offset of the value's first byte.
        package let valueOffset: Int
    }

    /// The reason why a document cannot be read, with the position of the error.
    package struct Flaw: Error {
        /// The reason, without the location.
        package let message: String
        /// The offset of the byte at which the error is located.
        package let offset: Int
    }

    /// Returns the members of a document whose top level is an object, in the order in which the
    /// members are written.
    ///
    /// - Throws: The first syntax error, with its position; if there is none, the first part that
    ///   cannot be represented in scripts, with the position of that part.
    package static func members(_ bytes: [UInt8]) throws(Flaw) -> [Member] {
        do throws(JSONReader.Problem) {
            let (table, reader) = try JSONReader.locatedObject(bytes)
            let offsets = (reader.offsets ?? [:]).sorted { $0.value.key < $1.value.key }
            if let flaw = reader.flaw {
                throw JSONReader.Problem(message: flaw.message, position: reader.flawPosition)
            }
            return offsets.map { key, offset in
                Member(
                    key: key.displayText,
                    value: table[.string(key)],
                    keyOffset: offset.key,
                    valueOffset: offset.value
                )
            }
        } catch {
            throw Flaw(message: error.message, offset: error.position)
        }
    }
}
