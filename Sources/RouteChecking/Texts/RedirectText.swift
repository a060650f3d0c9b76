// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// A call of `redirect` or `navigate` in the text of a script.
package struct Redirect: Sendable {
    /// The word of the call.
    let word: String
    /// The target that the call names.
    package let target: Target
    /// The location of the declaration whose arguments contain the call; nil if none does.
    package let declaration: RouteError.Location?
}

/// Finds the calls of `redirect` and `navigate` whose target is two quoted texts, in the tokens of a
/// script.
struct RedirectText {
    private(set) var calls: [Redirect] = []
    /// The number of quoted texts in the arguments of each declaration, by text.
    private(set) var texts: [RouteError.Location: [String: Int]] = [:]

    /// The calls that declare something whose functions can redirect.
    private static let declaring: Set<String> = [
        "interceptor", "link", "newNav", "newSplit", "newTabs", "register",
    ]

    /// Adds the calls of another file.
    mutating func add(_ other: RedirectText) {
        calls += other.calls
        texts.merge(other.texts) { first, _ in first }
    }

    /// Reads a quoted text before the nesting does.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - nesting: The calls and tables around it.
    ///   - isWhole: Whether no operator follows it.
    mutating func read(_ text: ArraySlice<UInt8>, in nesting: ScriptNesting, isWhole: Bool) {
        let declaration = nesting.levels.first { level in
            level.function.map(Self.declaring.contains) ?? false
        }?.location
        let text = String(decoding: text, as: UTF8.self)
        if let declaration { texts[declaration, default: [:]][text, default: 0] += 1 }
        let recent = nesting.recent
        guard isWhole, recent.count >= 4,
            case .word(let word) = recent[recent.count - 4],
            word == "redirect" || word == "navigate",
            recent[recent.count - 3] == .symbol(UInt8(ascii: "(")),
            case .text(let service) = recent[recent.count - 2],
            recent[recent.count - 1] == .symbol(UInt8(ascii: ",")),
            let target = Target([Value(String(decoding: service, as: UTF8.self)), Value(text)])
        else { return }
        calls.append(Redirect(word: word, target: target, declaration: declaration))
    }
}
