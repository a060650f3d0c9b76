// SPDX-License-Identifier: MIT

package import LuaVM

/// The records of the script lines that ran, for tests: one record for each generation.
///
/// The type is sendable because only one thread uses an instance at a time: first the router's
/// thread, later the thread of the reader.
package final class CoverageRecords: @unchecked Sendable {
    /// The bundles of all generations, each with its record.
    package private(set) var all: [(bundle: ScriptBundle, lines: LineCoverage)] = []

    /// Creates an empty collection of records.
    package init() {}

    /// Adds a record for a new generation, and returns it.
    func begin(_ bundle: ScriptBundle) -> LineCoverage {
        let lines = LineCoverage()
        all.append((bundle, lines))
        return lines
    }
}
