// SPDX-License-Identifier: MIT

/// Documents of JSON that tools read.
package enum JSONDocument {
    /// Reads a document that is an object.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - depth: How many levels may stand in each other; nil for as many as a script may get.
    ///   - refusesNull: Whether `null` as the value of a key is an error, rather than leaving the key
    ///     out.
    /// - Returns: The object.
    /// - Throws: `parse`, with the byte where it goes wrong.
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
}
