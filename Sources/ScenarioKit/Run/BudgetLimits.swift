// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The limits of calls into scripts, as written on the command line: `instructions=5M,bytes=8M`.
///
/// Limits that the text does not name keep their defaults.
package struct BudgetLimits: Sendable, Equatable, CustomStringConvertible {
    /// The maximum number of instructions.
    package private(set) var instructions: Int64?
    /// The maximum duration of a call.
    package private(set) var duration: Duration?
    /// The maximum size of all values, in bytes.
    package private(set) var bytes: Int?

    private static let keys = ["bytes", "instructions", "seconds"]

    /// Parses limits: `instructions`, `seconds` and `bytes`, separated by commas.
    ///
    /// Whole numbers may end with `K`, `M` or `G`. These are powers of 1000 for instructions, and
    /// powers of 1024 for bytes.
    ///
    /// - Throws: ``UsageError`` if a name is unknown or repeated, or if a number is not valid.
    package init(_ text: String) throws(UsageError) {
        var seen: Set<Substring> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else {
                throw UsageError(
                    "limits such as 'instructions=5M,seconds=0.5' expected, got '\(part)'"
                )
            }
            guard seen.insert(sides[0]).inserted else {
                throw UsageError("'\(sides[0])' is given twice")
            }
            let number = sides[1]
            switch sides[0] {
            case "instructions":
                instructions = try Self.whole(number, of: "instructions", thousand: 1000)
            case "bytes":
                bytes = Int(try Self.whole(number, of: "bytes", thousand: 1024))
            case "seconds":
                duration = try Self.seconds(number)
            case let name:
                throw UsageError(unknown: "limit", String(name), among: Self.keys)
            }
        }
    }

    /// The limits in the form of the command line: `instructions=5000000,bytes=8388608`.
    package var description: String {
        let parts = [
            instructions.map { "instructions=\($0)" },
            duration.map { "seconds=\($0 / .seconds(1))" }, bytes.map { "bytes=\($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ",")
    }

    /// Replaces the limits of a budget with the limits that the text names.
    func apply(to budget: inout Budget) {
        budget.instructions = instructions ?? budget.instructions
        budget.duration = duration ?? budget.duration
        budget.bytes = bytes ?? budget.bytes
    }

    private static func whole(
        _ text: Substring,
        of name: String,
        thousand: Int64
    ) throws(UsageError) -> Int64 {
        var digits = text
        var factor: Int64 = 1
        for unit in ["K", "M", "G"] {
            factor *= thousand
            guard text.hasSuffix(unit) || text.hasSuffix(unit.lowercased()) else { continue }
            digits.removeLast()
            break
        }
        if digits.count == text.count { factor = 1 }
        guard digits.utf8.allSatisfy(\.isDigit),
            digits.contains(where: { $0 != "0" })
        else {
            throw UsageError(
                "'\(name)' must be a whole number above 0, such as '5M' (got '\(text)')"
            )
        }
        if let number = Int64(digits) {
            let (product, overflow) = number.multipliedReportingOverflow(by: factor)
            if !overflow { return product }
        }
        throw UsageError("'\(name)' must be at most \(Int64.max) (got '\(text)')")
    }

    private static func seconds(_ text: Substring) throws(UsageError) -> Duration {
        guard let first = text.utf8.first, first.isDigit, let number = Double(text),
            number > 0
        else {
            throw UsageError("'seconds' must be a number above 0, such as '0.5' (got '\(text)')")
        }
        guard number <= 1e9 else {
            throw UsageError("'seconds' must be at most 1000000000 (got '\(text)')")
        }
        return .seconds(number)
    }
}
