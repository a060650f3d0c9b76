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

    /// The open parentheses and braces, each with the location of its declaration.
    private var open: [RouteError.Location?] = []
    private var word: String?
    private var call = ""
    /// The number of tokens read of `redirect` or `navigate`, `(`, a service, `,` and a task.
    private var matched = 0
    private var service = ""

    mutating func read(_ token: ScriptToken.Kind, at location: RouteError.Location) {
        match(token)
        switch token {
        case .symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: "{")):
            let isDeclaring = word.map(Self.declaring.contains) ?? false
            let outer = open.last.flatMap(\.self)
            open.append(outer ?? (isDeclaring ? location : nil))
        case .symbol(UInt8(ascii: ")")), .symbol(UInt8(ascii: "}")): _ = open.popLast()
        case .text(let bytes):
            if let declaration = open.last.flatMap(\.self) {
                let text = String(decoding: bytes, as: UTF8.self)
                texts[declaration, default: [:]][text, default: 0] += 1
            }
        default: break
        }
        word = if case .word(let word) = token { word } else { nil }
    }

    mutating func endFile() {
        open = []
        word = nil
        matched = 0
    }

    private mutating func match(_ token: ScriptToken.Kind) {
        switch (matched, token) {
        case (_, .word(let word)) where word == "redirect" || word == "navigate":
            (call, matched) = (word, 1)
        case (1, .symbol(UInt8(ascii: "("))), (3, .symbol(UInt8(ascii: ","))): matched += 1
        case (2, .text(let bytes)):
            service = String(decoding: bytes, as: UTF8.self)
            matched = 3
        case (4, .text(let bytes)):
            matched = 0
            let task = String(decoding: bytes, as: UTF8.self)
            guard let target = Target([Value(service), Value(task)]) else { return }
            let declaration = open.last.flatMap(\.self)
            calls.append(Redirect(word: call, target: target, declaration: declaration))
        default: matched = 0
        }
    }
}
