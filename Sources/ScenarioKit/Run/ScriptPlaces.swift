// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Finds the lines of scripts that errors refer to.
struct ScriptPlaces {
    private let scripts: ScriptBundle
    private let texts = Texts()

    /// A cache of the texts of scripts and of the identifiers of lines.
    ///
    /// Many findings may concern the same file.
    private final class Texts {
        var byFile: [String: SourceText] = [:]
        var identities: [RouteError.Location: String] = [:]
    }

    init(_ scripts: ScriptBundle) { self.scripts = scripts }

    /// Returns the location of a finding in its script; `nil` if the finding has no location in a
    /// readable script.
    ///
    /// A finding reports the line on which a call begins. If the message quotes a name that occurs
    /// in the call, the returned location is the location of the name, which may be on a later
    /// line.
    func span(of finding: Finding) -> Span? {
        guard let location = finding.location, let (source, line) = line(at: location) else {
            return nil
        }
        let message = String(finding.message.prefix(upTo: finding.message.hintStart))
        let words = ScriptCall.words(of: source.bytes, from: line.lowerBound)
        for name in Self.quotedNames(in: message) {
            let isParameter = message[..<name.startIndex].hasSuffix("parameter '")
            if let word = words.first(named: name, isParameter: isParameter, in: source.bytes) {
                return Span(source, word)
            }
        }
        return span(of: location, message)
    }

    /// Returns the location of an error in its script; `nil` if the error has no location in a
    /// readable script.
    func span(of error: RouteError) -> Span? {
        error.location.flatMap { span(of: $0, error.message) }
    }

    /// Returns the location of a line in its script; `nil` if the script cannot be read.
    ///
    /// Lua reports only the line. If a name that the message quotes is on the line, the location is
    /// that name; otherwise it is the whole line.
    func span(of location: RouteError.Location, _ message: String) -> Span? {
        guard let (source, line) = line(at: location) else { return nil }
        let text = source.bytes[line]
        for name in Self.quotedNames(in: message) {
            if let word = Self.firstWord(Array(name.utf8), in: text) { return Span(source, word) }
        }
        let start = text.firstIndex { !$0.isBlank } ?? line.lowerBound
        let end = text.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? line.upperBound
        return Span(source, start..<end)
    }

    /// Returns an identifier of a line that does not change when other lines are inserted.
    ///
    /// The identifier consists of the file, the text of the line and, if the line repeats earlier
    /// lines, a number.
    ///
    /// - Complexity: O(*n*) in the length of the file for the first call with a line.
    func identity(of location: RouteError.Location) -> String {
        if let known = texts.identities[location] { return known }
        var text = location.file
        if let source = self.text(of: location.file), let span = span(of: location, "") {
            let line = source.text(span.range)
            let count = (1..<span.line).count { number in
                let other = RouteError.Location(file: location.file, line: number)
                return self.span(of: other, "").map { source.text($0.range) } == line
            }
            text += ": \(line)" + (count > 0 ? " #\(count + 1)" : "")
        }
        texts.identities[location] = text
        return text
    }

    private func line(at location: RouteError.Location) -> (SourceText, Range<Int>)? {
        guard let source = text(of: location.file) else { return nil }
        guard location.line >= 1 else { return nil }
        // If something is missing at the end of a file, Lua reports a line after the last one.
        var number = min(location.line, source.lineCount)
        while number > 1, location.line > number, source.line(number).isEmpty { number -= 1 }
        return (source, source.line(number))
    }

    private func text(of file: String) -> SourceText? {
        if let known = texts.byFile[file] { return known }
        guard let bytes = try? scripts.source(of: file) else { return nil }
        let text = SourceText(name: scripts.displayPath(of: file), content: bytes)
        texts.byFile[file] = text
        return text
    }

    /// Returns the range of a name in a line.
    ///
    /// Occurrences inside longer names are skipped.
    private static func firstWord(_ name: [UInt8], in text: ArraySlice<UInt8>) -> Range<Int>? {
        let isPart = { (index: Int) in text.indices.contains(index) && text[index].isWord }
        var rest = text
        while let range = rest.firstRange(ofPart: name), !range.isEmpty {
            if !isPart(range.lowerBound - 1), !isPart(range.upperBound) { return range }
            rest = text[range.upperBound...]
        }
        return nil
    }

    private static func quotedNames(in message: String) -> [Substring] {
        message.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && !$0.element.isEmpty }.map(\.element)
    }
}

extension String {
    /// The start of the hint at the end of the message.
    var hintStart: String.Index {
        firstRange(ofPart: ", did you mean")?.lowerBound ?? endIndex
    }
}
