// SPDX-License-Identifier: MIT

package import RouteCore

/// An option with a constant value in a table argument of a call, such as `{ timeout = 5 }`.
package struct ConstantOption: Sendable {
    /// The name of the called function, which is a member of an object.
    package let function: String
    /// The key of the option.
    package let key: String
    /// The constant without its sign: a number, a quoted text, or a word such as `true` or `false`.
    package let value: ScriptToken.Kind
    /// Whether a `-` precedes the constant.
    package let isNegative: Bool
    /// The source location of the constant.
    package let location: RouteError.Location
    /// The byte range of the value in its file.
    package let range: Range<Int>

    /// Creates an option from the table entry that ends before the given token; nil if the value of
    /// the entry is not a constant.
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
