// SPDX-License-Identifier: MIT

/// JSON documents that tools read.
package enum JSONDocument {
    /// Reads a document whose top level is an object.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - depth: The maximum nesting depth; nil for the limit of script values.
    ///   - refusesNull: Whether `null` as the value of a key is an error; otherwise the key is left
    ///     out.
    /// - Returns: The object.
    /// - Throws: `parse`, with the position of the byte at which reading failed.
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
