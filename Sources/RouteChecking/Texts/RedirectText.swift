// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// A call to `redirect` or `navigate` in the text of a script.
package struct Redirect: Sendable {
    /// The name of the called function: `redirect` or `navigate`.
    let word: String
    /// The target that the first two arguments name.
    package let target: Target
    /// The location of the declaration whose arguments contain the call; nil if the call is outside
    /// of any declaration.
    package let declaration: RouteError.Location?
}

/// A type that finds the calls to `redirect` and `navigate` that name their target with two quoted
/// texts.
struct RedirectText {
    private(set) var calls: [Redirect] = []
    /// The number of occurrences of each quoted text in the arguments of a declaration, by the
    /// location of the declaration and by text.
    private(set) var texts: [RouteError.Location: [String: Int]] = [:]

    /// The names of the API functions whose arguments may contain functions that redirect.
    private static let declaring: Set<String> = [
        "interceptor", "link", "newNav", "newSplit", "newTabs", "register",
    ]

    /// Adds the calls that were found in another file.
    mutating func add(_ other: RedirectText) {
        calls += other.calls
        texts.merge(other.texts) { first, _ in first }
    }

    /// Reads a quoted text.
    ///
    /// Call this method before `nesting` reads the same token.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - nesting: The calls and tables around the text.
    ///   - isWhole: Whether the text is a complete argument, which means that no operator follows
    ///     the text.
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
