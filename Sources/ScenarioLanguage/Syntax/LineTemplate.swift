// SPDX-License-Identifier: MIT

internal import RouteCore

/// A line that contains parameters, such as `navigate <target>`.
struct LineTemplate {
    private enum Segment {
        case words(Range<Int>)
        case parameter(Int, Range<Int>, isQuoted: Bool)
    }

    /// The range of the line in its text.
    let line: Range<Int>
    private var segments: [Segment]

    /// The indices of the parameters that the line uses.
    private(set) var used: Set<Int>

    /// Finds the parameters in a line.
    ///
    /// Returns nil if there are none.
    ///
    /// If no parameters are declared, `<name>` in quotes is plain text.
    ///
    /// - Throws: An error at a parameter that is not declared.
    init?(_ line: Range<Int>, of bytes: [UInt8], _ parameters: [String]) throws(SyntaxError) {
        guard Self.mayHaveParameters(line, of: bytes) else { return nil }
        self.line = line
        segments = []
        used = []
        var scanner = TokenScanner(bytes, line)
        var wordsStart = line.lowerBound
        var tokenStart = scanner.position
        while let token = scanner.next() {
            let isQuoted = if case .quoted = token { true } else { false }
            var index = isQuoted && parameters.isEmpty ? scanner.position : tokenStart
            while index < scanner.position {
                guard let name = Self.name(at: index, in: bytes, end: line.upperBound) else {
                    index += 1
                    continue
                }
                let text = String(decoding: bytes[name], as: UTF8.self)
                let range = index..<name.upperBound + 1
                guard let number = parameters.firstIndex(of: text) else {
                    throw .unknownParameter(text, range, among: parameters)
                }
                segments.append(.words(wordsStart..<index))
                segments.append(.parameter(number, range, isQuoted: isQuoted))
                used.insert(number)
                index = range.upperBound
                wordsStart = index
            }
            tokenStart = max(index, scanner.position)
        }
        guard !used.isEmpty else { return nil }
        segments.append(.words(wordsStart..<line.upperBound))
    }

    /// Checks that a line contains no parameters.
    ///
    /// Call this function if no parameters are declared.
    static func checkAbsence(in line: Range<Int>, of bytes: [UInt8]) throws(SyntaxError) {
        guard mayHaveParameters(line, of: bytes) else { return }
        _ = try LineTemplate(line, of: bytes, [])
    }

    private static func mayHaveParameters(_ line: Range<Int>, of bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { $0.offset(of: UInt8(ascii: "<"), in: line) } != nil
    }

    private static func name(at offset: Int, in bytes: [UInt8], end: Int) -> Range<Int>? {
        guard bytes[offset] == UInt8(ascii: "<") else { return nil }
        var rest = bytes[offset + 1..<end]
        guard Name.scan(&rest), rest.first == UInt8(ascii: ">") else { return nil }
        return offset + 1..<rest.startIndex
    }

    /// Returns the line, with its parameters replaced by the given arguments.
    ///
    /// - Throws: An error if the result is too long, or if the expanded lines of the file are too
    ///   large in total.
    func filled(
        with arguments: [StepArgument],
        in text: StepText,
        _ state: ParseState
    ) throws(SyntaxError) -> StepText {
        var quotedArguments: [Int: StepArgument] = [:]
        func argument(_ number: Int, isQuoted: Bool) -> StepArgument {
            guard isQuoted else { return arguments[number] }
            if let argument = quotedArguments[number] { return argument }
            let argument = arguments[number].quoted
            quotedArguments[number] = argument
            return argument
        }
        // Determine the size before allocating any memory for the result.
        var (size, count) = (0, 0)
        for segment in segments {
            switch segment {
            case .words(let range): size += range.count
            case .parameter(let number, _, let isQuoted):
                size += argument(number, isQuoted: isQuoted).bytes.count
                count += 1
            }
        }
        if size > ScenarioFile.lineLimit {
            let breaks = text.source.bytes[line].count { $0 == UInt8(ascii: "\n") }
            guard size <= ScenarioFile.lineLimit * (breaks + 1) else {
                throw .filledLineTooLong(size, line, lineCount: breaks + 1)
            }
        }
        try state.countExpansion(size, parameterCount: count, at: line)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var pieces: [StepText.Piece] = []
        for segment in segments {
            switch segment {
            case .words(let range) where range.isEmpty: continue
            case .words(let range):
                pieces.append(.init(start: bytes.count, origin: .words(range.lowerBound)))
                bytes += text.bytes[range]
            case .parameter(let number, let range, let isQuoted):
                let argument = argument(number, isQuoted: isQuoted)
                pieces.append(.init(start: bytes.count, origin: .argument(argument, range)))
                bytes += argument.bytes
            }
        }
        return StepText(bytes, pieces, for: line, of: text)
    }
}

extension SyntaxError {
    static func unknownParameter(
        _ name: String,
        _ range: Range<Int>,
        among known: [String]
    ) -> SyntaxError {
        SyntaxError(
            code: .unknownParameter,
            message: "parameter '<\(name)>' is not declared"
                + Suggestion.hint(for: name, among: known),
            range: range,
            help: known.isEmpty
                ? "declare the parameter as a column of a table after 'each', or in the heading of a macro, such as 'macro NAME <\(name)>'"
                : "the parameters are \(known.map { "'<\($0)>'" }.joined(separator: ", "))"
        )
    }
}
