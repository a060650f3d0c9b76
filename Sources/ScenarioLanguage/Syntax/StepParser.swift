// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteEngine

/// A parser of the words of one line.
///
/// The parser works on bytes, and creates strings only for the parts that a step stores. A file of
/// steps is therefore parsed as fast as a script of the same length is compiled.
package struct StepParser {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int
    /// Whether a value may be a matcher, as in conditions.
    var allowsMatchers = false
    /// The names that preceding steps have introduced.
    package let names: NameScope

    /// The names of routes, tasks and classes that were parsed in steps, or nil if names are not
    /// collected.
    package var references: [NameReference]?

    /// The ranges of the line that have special rules for white space, or nil if ranges are not
    /// collected.
    var spacing: Spacing?

    /// The ranges of a line that have special rules for white space.
    struct Spacing {
        /// Paths and unquoted text, in which every byte is significant.
        var verbatim: [Range<Int>] = []
        /// Trees, values and options, in which white space between tokens is insignificant.
        var notations: [Range<Int>] = []
    }

    package init(_ bytes: [UInt8], at range: Range<Int>, names: NameScope) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.names = names
    }

    // MARK: Bytes

    /// The next byte, or 0 at the end.
    private var next: UInt8 { position < end ? bytes[position] : 0 }

    var isAtEnd: Bool { position >= end }

    package mutating func skipSpace() {
        while position < end, bytes[position].isSpace { position += 1 }
    }

    package func text(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
    }

    // MARK: Words

    /// Returns the range of the next word, which ends before white space, a bracket, a quote, a
    /// comma or `=`.
    func wordAhead() -> Range<Int> {
        bytes.withUnsafeBufferPointer { bytes in
            var index = position
            while index < end, !Self.endsWord(bytes[index]) { index += 1 }
            return position..<index
        }
    }

    @inline(__always)
    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Returns the range of the next word, or of the next character if there is no word.
    ///
    /// The result is used in messages, and is empty at the end.
    func found() -> Range<Int> {
        let word = wordAhead()
        guard word.isEmpty, position < end else { return word }
        var index = position + 1
        while index < end, bytes[index] & 0xC0 == 0x80 { index += 1 }
        return position..<index
    }

    /// Parses the given word and the space after it.
    ///
    /// If another word comes next, returns `false` and does not move.
    package mutating func take(_ word: StaticString) -> Bool {
        let start = position
        guard take(prefix: word) else { return false }
        guard position == end || Self.endsWord(bytes[position]) else {
            position = start
            return false
        }
        skipSpace()
        return true
    }

    /// Parses the given start of a word.
    ///
    /// If another word comes next, returns `false` and does not move.
    package mutating func take(prefix: StaticString) -> Bool {
        guard position + prefix.utf8CodeUnitCount <= end else { return false }
        for offset in 0..<prefix.utf8CodeUnitCount
        where bytes[position + offset] != prefix.utf8Start[offset] {
            return false
        }
        position += prefix.utf8CodeUnitCount
        return true
    }

    /// Parses the given byte, or returns `false` and does not move if another byte comes next.
    package mutating func take(byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Parses a known word and the space after it.
    ///
    /// Returns the index of the word, or nil if the word is unknown.
    package mutating func take(from table: NameIndex) -> Int? {
        let ahead = wordAhead()
        guard let index = table.index(of: ahead, in: bytes) else { return nil }
        position = ahead.upperBound
        skipSpace()
        return index
    }

    /// Parses the first word of a step and the space after it.
    ///
    /// If the step begins with a subject, the first two words are parsed.
    ///
    /// Returns the index of the step in the vocabulary, or nil if the words are unknown.
    mutating func takeStep() -> Int? {
        if let index = take(from: Vocabulary.stepWords) { return index }
        guard let (subject, act) = subjectAndAct() else { return nil }
        let words = "\(text(subject)) \(text(act))"
        guard let index = Vocabulary.steps.firstIndex(where: { $0.word == words }) else {
            return nil
        }
        skip(to: act.upperBound)
        return index
    }

    /// Returns the next two words if the first one is the subject of a step.
    func subjectAndAct() -> (subject: Range<Int>, act: Range<Int>)? {
        let subject = wordAhead()
        guard Vocabulary.acts[text(subject)] != nil else { return nil }
        var ahead = self
        ahead.skip(to: subject.upperBound)
        return (subject, ahead.wordAhead())
    }

    mutating func skip(to offset: Int) {
        position = offset
        skipSpace()
    }

    // MARK: Names

    /// Parses a name as defined by ``RouteCore/Name``, without the space after it.
    mutating func name(
        _ what: @autoclosure () -> String,
        after previous: @autoclosure () -> String? = nil
    ) throws(SyntaxError) -> String {
        guard let range = takeName() else { throw expected(what(), after: previous()) }
        return text(range)
    }

    private mutating func takeName() -> Range<Int>? {
        guard let nameEnd = Name.end(in: bytes, from: position, to: end) else { return nil }
        defer { position = nameEnd }
        return position..<nameEnd
    }

    /// Parses one of the words of an enumeration and the space after it.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ what: String,
        as type: Word.Type,
        among words: [Word] = Array(Word.allCases)
    ) throws(SyntaxError) -> Word where Word.RawValue == String {
        let ahead = wordAhead()
        guard !ahead.isEmpty else { throw expected(what.withArticle) }
        guard let word = words.first(where: { $0.rawValue == text(ahead) }) else {
            throw .unknown(what, word: text(ahead), at: ahead, among: words.map(\.rawValue))
        }
        skip(to: ahead.upperBound)
        return word
    }

    // MARK: The objects of steps

    /// Parses `Service/task`, and parameters in parentheses if there are any.
    mutating func target(
        _ meaning: (Target) -> NameReference.Meaning
    ) throws(SyntaxError) -> (Target, [FieldNotation]) {
        let target = try plainTarget(meaning)
        return (target, try fields())
    }

    /// Parses `Service/task`, without the space after it.
    mutating func plainTarget(
        _ meaning: (Target) -> NameReference.Meaning
    ) throws(SyntaxError) -> Target {
        let start = position
        let target = try plainTarget()
        note(meaning(target), start..<position)
        return target
    }

    private mutating func plainTarget() throws(SyntaxError) -> Target {
        let form = "a target of the form 'Service/task'"
        let service = try name(form)
        guard take(byte: "/") else {
            throw expected("'/' and a task", after: "'\(service)'")
        }
        let task = try name("a task", after: "'\(service)/'")
        return Target(service, task)
    }

    /// Parses fields in parentheses, if there are any.
    mutating func fields() throws(SyntaxError) -> [FieldNotation] {
        guard next == UInt8(ascii: "(") else {
            skipSpace()
            return []
        }
        let fields = try notation { parser throws(NotationError) in try parser.parseFields() }
        note(fields)
        return fields
    }

    /// Whether a field comes next: a name, followed by `=` or a comparison.
    var isAtField: Bool {
        var ahead = self
        guard ahead.takeName() != nil else { return false }
        ahead.skipSpace()
        return ahead.next == UInt8(ascii: "=") || (try? ahead.comparison()) != nil
    }

    /// Parses fields up to the closing parenthesis, and the space after it.
    mutating func restOfFields() throws(SyntaxError) -> [FieldNotation] {
        let fields = try notation { parser throws(NotationError) in try parser.parseRestOfFields() }
        note(fields)
        return fields
    }

    /// Parses a tree.
    ///
    /// Unless the tree is a pattern, the step introduces the screens in it.
    mutating func tree(_ mode: NotationParser.Mode) throws(SyntaxError) -> TreeNotation {
        try checkPresence("a tree")
        let isExact = takeExactly()
        var tree = try notation { parser throws(NotationError) in try parser.parseTree(mode) }
        tree.isExact = isExact
        note(tree.levels, areGiven: mode == .tree)
        return tree
    }

    mutating func screen() throws(SyntaxError) -> ScreenNotation {
        try checkPresence("a screen")
        let isExact = takeExactly()
        var screen = try notation { parser throws(NotationError) in
            try parser.parseScreen(.pattern)
        }
        screen.isExact = isExact
        note([screen], areGiven: false)
        return screen
    }

    /// Parses `exactly` if a screen follows.
    private mutating func takeExactly() -> Bool {
        var ahead = self
        guard allowsMatchers, ahead.take("exactly"), ahead.next.isWord else { return false }
        self = ahead
        return true
    }

    mutating func value() throws(SyntaxError) -> ValueNotation {
        try checkPresence("a value")
        let start = position
        let value = try notation { parser throws(NotationError) in
            if let comparison = try parser.parseComparison() { return comparison }
            return try parser.parseNotation()
        }
        note(value.value { _ in .nil }, start..<position)
        return value
    }

    /// Parses a comparison, which replaces `=` and a value.
    ///
    /// Returns nil if there is none.
    mutating func comparison() throws(SyntaxError) -> ValueNotation? {
        let start = position
        let value = try notation { parser throws(NotationError) in try parser.parseComparison() }
        if let value { note(value.value { _ in .nil }, start..<position) }
        return value
    }

    /// Parses a value.
    ///
    /// A bare word is text here, even if a `let` step has introduced it as a name.
    package mutating func plainValue() throws(SyntaxError) -> Value {
        try checkPresence("a value")
        return try notation { parser throws(NotationError) in
            parser.names = []
            return try parser.parseValue()
        }
    }

    /// Parses a quoted text.
    mutating func quoted(_ what: String) throws(SyntaxError) -> String {
        guard isAtQuote else { throw expected("\(what) in quotes") }
        let start = position
        guard let text = try plainValue().text else {
            throw .expected(what, got: text(start..<position), start..<position)
        }
        note(.text(text), start..<position)
        return text
    }

    /// Parses text that is quoted or ends before white space, and the space after it.
    ///
    /// Outside of quotes, a bar can be written as `\|`. In the cell of a table, a bar must be
    /// written this way.
    mutating func plainText(_ what: String) throws(SyntaxError) -> ByteString {
        try checkPresence(what)
        let start = position
        guard isAtQuote else {
            position = endOfPlainText()
            spacing?.verbatim.append(start..<position)
            defer { skipSpace() }
            let text = text(start..<position).replacing(part: "\\|", with: "|")
            note(.text(text), start..<position)
            return ByteString(text)
        }
        let value = try plainValue()
        guard case .string(let text) = value else {
            throw .expected(what, got: self.text(start..<position), start..<position)
        }
        note(value, start..<position)
        return text
    }

    /// Returns the end of an unquoted text.
    ///
    /// The text ends before white space, except that an object or a list in a route string may
    /// contain white space.
    private func endOfPlainText() -> Int {
        var index = position
        var isBehindBar = false
        var isInString = false
        var depth = 0
        while index < end, depth > 0 || !bytes[index].isSpace {
            switch bytes[index] {
            case UInt8(ascii: "|"): isBehindBar = true
            case UInt8(ascii: "\\") where isInString: index += 1
            case UInt8(ascii: "\"") where depth > 0: isInString.toggle()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if isBehindBar, !isInString { depth += 1 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth > 0, !isInString { depth -= 1 }
            default: break
            }
            index += 1
        }
        return min(index, end)
    }

    /// Parses `state.` and the keys after it.
    ///
    /// If another word comes next, returns nil and does not move.
    mutating func statePath() throws(SyntaxError) -> [String]? {
        guard take(prefix: "state.") else { return nil }
        return try keyPath("a key", after: "'state.'")
    }

    /// Parses a path of keys, such as `user.name`, and the space after it.
    package mutating func keyPath(
        _ what: String,
        after previous: String? = nil
    ) throws(SyntaxError) -> [String] {
        let path = try name(what, after: previous)
        skipSpace()
        return path.split(separator: ".").map(String.init)
    }

    /// Whether the line ends here, or continues with `with (…)` or `as NAME`.
    ///
    /// Both clauses can follow every request.
    var isAtRequestEnd: Bool {
        var ahead = self
        return isAtEnd || ahead.take("with") || ahead.take("as")
    }

    var isAtParenthesis: Bool { next == UInt8(ascii: "(") }

    var isAtDigit: Bool { next.isDigit }

    var isAtQuote: Bool { next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") }

    /// Parses a whole number that is not less than a minimum.
    mutating func count<Count: FixedWidthInteger>(
        _ what: String,
        from least: Count
    ) throws(SyntaxError) -> Count {
        let ahead = wordAhead()
        guard let count = Count(text(ahead)), count >= least else {
            throw .expected("\(what) of \(least) or more", got: foundText, found())
        }
        skip(to: ahead.upperBound)
        return count
    }

    private mutating func notation<Result>(
        _ parse: (inout NotationParser) throws(NotationError) -> Result
    ) throws(SyntaxError) -> Result {
        var parser = NotationParser(bytes, from: position, to: end)
        parser.names = names.bindings
        parser.allowsMatchers = allowsMatchers
        do throws(NotationError) {
            let result = try parse(&parser)
            spacing?.notations.append(position..<parser.position)
            skip(to: parser.position)
            return result
        } catch {
            throw .notation(error)
        }
    }

    // MARK: Errors

    var foundText: String? { isAtEnd ? nil : text(found()) }

    package func expected(_ what: String, after previous: String? = nil) -> SyntaxError {
        .expected(what, after: previous, got: foundText, found())
    }

    private func checkPresence(_ what: String) throws(SyntaxError) {
        if isAtEnd { throw expected(what) }
    }

    /// Checks that the line ends at this position.
    package func checkEnd(of form: String) throws(SyntaxError) {
        guard isAtEnd else { throw .leftOver(text(position..<end), position..<end, after: form) }
    }
}
