// SPDX-License-Identifier: MIT

/// Colours for terminals, if enabled; signs and words carry the same meaning without them.
struct TerminalStyle {
    var isColored = false

    func bold(_ text: String) -> String { styled(text, 1) }
    func red(_ text: String) -> String { styled(text, 31) }
    func green(_ text: String) -> String { styled(text, 32) }
    func yellow(_ text: String) -> String { styled(text, 33) }

    private func styled(_ text: String, _ code: Int) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
