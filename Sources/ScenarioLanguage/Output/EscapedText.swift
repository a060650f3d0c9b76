// SPDX-License-Identifier: MIT

internal import RouteCore

/// A format of output.
///
/// The format determines how untrusted text is escaped.
package protocol TextFormat: Sendable {
    /// Returns untrusted text in a form that has no effects other than being displayed.
    static func escaped(_ text: String) -> String
}

/// Text for an output, made up of trusted literals and escaped untrusted text.
///
/// Literals are written unchanged. Interpolated values may come from scripts, files and options, so
/// the format escapes them. There is no other conversion from `String`, so no value can be printed
/// without being escaped.
package struct EscapedText<Format: TextFormat>: Sendable {
    /// The escaped text, in which workflow commands are not yet escaped; see ``text``.
    private var content: String
    /// Whether the text may contain workflow commands of GitHub that must not be escaped.
    private let hasCommands: Bool

    /// Creates a text from a string in which all untrusted text is already escaped.
    package init(escaped content: String, hasCommands: Bool = false) {
        (self.content, self.hasCommands) = (content, hasCommands)
    }

    /// Creates a text from a document in another format.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - hasCommands: Whether the lines of the document are workflow commands of GitHub.
    package init(_ document: EscapedText<some TextFormat>, hasCommands: Bool = false) {
        self.init(escaped: document.characters, hasCommands: hasCommands)
    }

    /// The text to print.
    ///
    /// Workflow commands of GitHub are escaped, unless the text is a report that consists of such
    /// commands.
    package var text: String { WorkflowCommand.escaped(content, isReport: hasCommands) }

    /// Whether the text is empty.
    package var isEmpty: Bool { content.isEmpty }

    /// The width of the text in terminal columns.
    package var width: Int { DisplayWidth.of(content.unicodeScalars) }

    /// The escaped text, in which workflow commands are not yet escaped; see ``text``.
    package var characters: String { content }

    /// Returns the text that results from passing the escaped text to a function.
    ///
    /// The function must not add untrusted text.
    package func mapped(_ body: (String) -> String) -> Self { Self(escaped: body(content)) }

    /// Returns the text padded with spaces to a width.
    ///
    /// The spaces are added at the end, or at the start if `atStart` is true.
    package func padded(to width: Int, atStart: Bool = false) -> Self {
        let space = String(repeating: " ", count: max(0, width - self.width))
        return Self(escaped: atStart ? space + content : content + space)
    }

    package static func + (left: Self, right: Self) -> Self {
        Self(escaped: left.content + right.content)
    }

    package static func += (left: inout Self, right: Self) { left.content += right.content }

    /// Appends the printable form of an escaped text to a string.
    package static func += (text: inout String, printed: Self) { text += printed.text }
}

extension EscapedText: ExpressibleByStringInterpolation {
    /// An interpolation that adds literals unchanged and escapes interpolated values.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var content: String

        /// Creates an empty text.
        package init(literalCapacity: Int, interpolationCount: Int) {
            content = ""
            content.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends a trusted literal.
        package mutating func appendLiteral(_ literal: String) { content += literal }

        /// Appends untrusted text in escaped form.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            content += Format.escaped(value.description)
        }

        /// Appends text that is already escaped.
        package mutating func appendInterpolation(_ text: EscapedText) { content += text.content }
    }

    /// Creates a text from a trusted literal.
    package init(stringLiteral literal: String) { self.init(escaped: literal) }

    /// Creates a text from trusted literals and escaped interpolated values.
    package init(stringInterpolation: StringInterpolation) {
        self.init(escaped: stringInterpolation.content)
    }
}

extension Sequence {
    /// Returns the concatenated texts, with the given separator between adjacent texts.
    package func joined<Format>(
        separator: EscapedText<Format> = ""
    ) -> EscapedText<Format> where Element == EscapedText<Format> {
        // A closure, because a key path of a generic type is created anew at each call.
        EscapedText(escaped: map { $0.characters }.joined(separator: separator.characters))
    }
}

/// The lines that GitHub's runner interprets as workflow commands.
///
/// The rules are those of `ActionCommand` in https://github.com/actions/runner: a command is a line
/// that begins with `::` after white space, or that contains `##[`.
package enum WorkflowCommand {
    /// Returns the text, with one character of each workflow command escaped.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isReport: Whether the text is a report, in which lines that begin with `::` are not
    ///     escaped.
    ///   - escape: Returns the escape of a character.
    /// - Returns: The text without workflow commands.
    package static func escaped(
        _ text: String,
        isReport: Bool = false,
        _ escape: (Unicode.Scalar) -> String = \.escape
    ) -> String {
        guard mayHaveCommand(text, isReport) else { return text }
        return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                let line = String(Substring(line))
                return mayHaveCommand(line, isReport) ? escaped(line: line, isReport, escape) : line
            }
            .joined(separator: "\n")
    }

    private static func escaped(
        line: String,
        _ isReport: Bool,
        _ escape: (Unicode.Scalar) -> String
    ) -> String {
        var result = ""
        var isBlank = !isReport
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case ":" where isBlank && rest.first == ":": result += escape(scalar)
            case "#" where rest.starts(with: "#[".unicodeScalars): result += escape(scalar)
            default: result.unicodeScalars.append(scalar)
            }
            isBlank = isBlank && scalar.properties.isWhitespace
        }
        return result
    }

    /// Whether the text may contain a workflow command.
    ///
    /// This is the case if the text contains `##[`, or if it is not a report and one of its lines
    /// has `::` with nothing but white space, control characters or non-ASCII characters before it.
    private static func mayHaveCommand(_ text: String, _ isReport: Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            while let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
                rest = rest[(mark + 1)...]
                if rest.starts(with: "#[".utf8) { return true }
            }
            if isReport { return false }
            rest = bytes[...]
            while let mark = rest.firstIndex(of: UInt8(ascii: ":")) {
                rest = rest[(mark + 1)...]
                guard rest.first == UInt8(ascii: ":") else { continue }
                let end = UInt8(ascii: "\n")
                let last = bytes[..<mark].last { $0 == end || (0x21..<0x7F).contains($0) }
                if last == nil || last == end { return true }
            }
            return false
        }
    }
}

extension String {
    /// Whether the text contains only printable ASCII characters, which is nearly always the case.
    var isPlain: Bool {
        var text = self
        return text.withUTF8 { $0.allSatisfy { (0x20..<0x7F).contains($0) } }
    }

    /// Returns the text with each character replaced by the result of the closure.
    ///
    /// Characters for which the closure returns nil are kept.
    package func replacing(_ replacement: (Unicode.Scalar) -> String?) -> String {
        guard unicodeScalars.contains(where: { replacement($0) != nil }) else { return self }
        var result = ""
        result.reserveCapacity(utf8.count + 16)
        for scalar in unicodeScalars {
            if let text = replacement(scalar) {
                result += text
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
