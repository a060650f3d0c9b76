// SPDX-License-Identifier: MIT

package import LuaVM

/// The records of the lines that ran, one for each generation of scripts, for tests.
///
/// It is sendable because only one thread uses it at a time: the router's, and later the reader's.
package final class CoverageRecords: @unchecked Sendable {
    /// The bundles of the generations, each with its record.
    package private(set) var all: [(bundle: ScriptBundle, lines: LineCoverage)] = []

    /// Creates an empty list.
    package init() {}

    /// Adds the record of a new generation.
    func begin(_ bundle: ScriptBundle) -> LineCoverage {
        let lines = LineCoverage()
        all.append((bundle, lines))
        return lines
    }
}
