// SPDX-License-Identifier: MIT

internal import RouteCore

/// A format of outputs, which determines how untrusted text is escaped.
package protocol TextFormat: Sendable {
    /// Returns untrusted text in a form that can only be displayed, without other effects.
    static func escaped(_ text: String) -> String
}

/// Text for an output: the project's own words, and escaped untrusted text.
///
/// Literals are trusted and written unchanged. Interpolated values come from scripts, files and
/// options, and are escaped by the format. There is no other conversion from `String`, so no writer
/// can forget to escape one.
package struct EscapedText<Format: TextFormat>: Sendable {
    /// The text before ``text`` escapes commands in its lines.
    private var content: String
    /// Whether lines may be commands of GitHub's workflows.
    private let hasCommands: Bool

    /// Creates text in which all untrusted text is already escaped.
    package init(escaped content: String, hasCommands: Bool = false) {
        (self.content, self.hasCommands) = (content, hasCommands)
    }

    /// Creates the text of a document in another format.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - hasCommands: Whether its lines are commands of GitHub's workflows.
    package init(_ document: EscapedText<some TextFormat>, hasCommands: Bool = false) {
        self.init(escaped: document.characters, hasCommands: hasCommands)
    }

    /// The text, in which no line is a GitHub workflow command, unless the text is a report of such
    /// commands.
    package var text: String { WorkflowCommand.escaped(content, isReport: hasCommands) }

    /// Whether there is nothing to print.
    package var isEmpty: Bool { content.isEmpty }

    /// The number of terminal columns.
    package var width: Int { DisplayWidth.of(content.unicodeScalars) }

    /// The characters, all of which can be printed.
    package var characters: String { content }

    /// Returns the characters of the text that a function selects.
    package func mapped(_ body: (String) -> String) -> Self { Self(escaped: body(content)) }

    /// Returns the text padded with spaces at the end, or at the start if `atStart` is true.
    package func padded(to width: Int, atStart: Bool = false) -> Self {
        let space = String(repeating: " ", count: max(0, width - self.width))
        return Self(escaped: atStart ? space + content : content + space)
    }

    package static func + (left: Self, right: Self) -> Self {
        Self(escaped: left.content + right.content)
    }

    package static func += (left: inout Self, right: Self) { left.content += right.content }

    /// Appends printed text to a string.
    package static func += (text: inout String, printed: Self) { text += printed.text }
}

extension EscapedText: ExpressibleByStringInterpolation {
    /// Collects literals unchanged, and untrusted text in escaped form.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var content: String

        /// Creates an empty text.
        package init(literalCapacity: Int, interpolationCount: Int) {
            content = ""
            content.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends text of the project.
        package mutating func appendLiteral(_ literal: String) { content += literal }

        /// Appends untrusted text.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            content += Format.escaped(value.description)
        }

        /// Appends text that is escaped already.
        package mutating func appendInterpolation(_ text: EscapedText) { content += text.content }
    }

    /// Creates text of the project.
    package init(stringLiteral literal: String) { self.init(escaped: literal) }

    /// Creates text of the project that contains untrusted text.
    package init(stringInterpolation: StringInterpolation) {
        self.init(escaped: stringInterpolation.content)
    }
}

extension Sequence {
    /// Returns the concatenation of the texts, with a separator between them.
    package func joined<Format>(
        separator: EscapedText<Format> = ""
    ) -> EscapedText<Format> where Element == EscapedText<Format> {
        // A key path of a generic type is created anew at each call.
        EscapedText(escaped: map { $0.characters }.joined(separator: separator.characters))
    }
}

/// Lines that GitHub's runner interprets as commands.
///
/// Source: `ActionCommand` of https://github.com/actions/runner: a line that begins with `::` after
/// white space, and one that contains `##[`.
package enum WorkflowCommand {
    /// Returns a text without such lines, in which one character of each is escaped.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isReport: Whether the lines that begin with `::` belong to a report.
    ///   - escape: Returns the escape of a character.
    /// - Returns: The text.
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

    /// Whether a text contains `##[`, or, unless it is a report, a line that begins with two colons
    /// after white space or other characters than those of ASCII.
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
    /// Whether all characters are printable ones of ASCII, as nearly always.
    var isPlain: Bool {
        var text = self
        return text.withUTF8 { $0.allSatisfy { (0x20..<0x7F).contains($0) } }
    }

    /// Returns the text with some characters replaced: those for which a closure returns other
    /// text.
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
