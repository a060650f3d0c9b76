// SPDX-License-Identifier: MIT

/// The style of text in terminals.
///
/// Colours are optional: signs and words carry the same meaning without them.
package struct TerminalStyle {
    package var isColored: Bool

    package init(isColored: Bool = false) { self.isColored = isColored }

    package func bold(_ text: PrintedText) -> PrintedText { styled(text, 1) }
    package func red(_ text: PrintedText) -> PrintedText { styled(text, 31) }
    package func green(_ text: PrintedText) -> PrintedText { styled(text, 32) }
    package func yellow(_ text: PrintedText) -> PrintedText { styled(text, 33) }

    private func styled(_ text: PrintedText, _ code: Int) -> PrintedText {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
