// SPDX-License-Identifier: MIT

/// Documents of JSON that tools read.
package enum JSONDocument {
    /// Reads a document that is an object.
    ///
    /// - Parameter bytes: The text in UTF-8.
    /// - Returns: The object.
    /// - Throws: `parse`, with the byte where it goes wrong.
    package static func object(_ bytes: [UInt8]) throws(RouteError) -> Table {
        let (table, flaw): (Table, RouteError?)
        do throws(JSONReader.Problem) {
            (table, flaw) = try JSONReader.object(bytes, from: 0)
        } catch {
            throw RouteError(.parse, "\(error.message) at byte \(error.position + 1)")
        }
        if let flaw { throw flaw }
        return table
    }
}
