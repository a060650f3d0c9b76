// SPDX-License-Identifier: MIT

extension Int {
    /// The number with commas: `1,284`.
    var grouped: String {
        var digits = Array(String(self))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return String(digits)
    }

    /// Returns the number with a noun: `1 step`, `1,284 steps`.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
