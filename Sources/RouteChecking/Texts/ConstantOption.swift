// SPDX-License-Identifier: MIT

package import RouteCore

/// A constant in a table of options that is an argument of a call, such as `timeout = 5`.
package struct ConstantOption: Sendable {
    /// The function that is called, a member of an object.
    package let function: String
    /// The key.
    package let key: String
    /// The constant, without its sign: a number, a text, or `true`, `false` or another name.
    package let value: ScriptToken.Kind
    /// Whether a `-` precedes the constant.
    package let isNegative: Bool
    /// The file, and the number of the line.
    package let location: RouteError.Location
    /// The bytes of the value in its file.
    package let range: Range<Int>

    /// Reads the end of an entry; nil if the entry is not a constant.
    init?(before token: ScriptToken, in nesting: ScriptNesting, last: ScriptToken?, file: String) {
        guard case .symbol(let end) = token.kind,
            end == UInt8(ascii: ",") || end == UInt8(ascii: ";") || end == UInt8(ascii: "}"),
            let last, let key = nesting.levels.last?.key
        else { return nil }
        let recent = nesting.recent
        isNegative = recent.dropLast().last == .symbol(UInt8(ascii: "-"))
        guard recent.dropLast(isNegative ? 2 : 1).last == .symbol(UInt8(ascii: "=")),
            let call = nesting.argument(), call.isMember, call.path == [.key(key)]
        else { return nil }
        (function, self.key, value, range) = (call.function, key, last.kind, last.range)
        location = RouteError.Location(file: file, line: last.line)
    }
}
