// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteEngine

/// The names in the text of scripts.
///
/// A check runs no functions, so it derives the names that functions may use from the text.
/// Comments are ignored.
package struct ScriptText {
    /// The number of times that each name is quoted.
    private(set) var names: [String: Int] = [:]
    /// The names in parentheses within quoted texts, which may be kinds of parameters in URL
    /// patterns.
    private(set) var kinds: Set<String> = []
    /// The names that are passed as the first argument of a call, by the name of the called
    /// function.
    ///
    /// Each name has the location of the first such call.
    package private(set) var arguments: [String: [String: RouteError.Location]] = [:]
    /// The targets that calls to `register` and `registerTask` name with two quoted texts.
    private(set) var targets: Set<Target> = []
    /// All names, including names within quoted texts.
    private(set) var words: Set<String> = []
    /// The quoted texts that are joined with other texts.
    private(set) var joined = JoinedTexts()
    /// The locations of calls whose first argument is not a quoted text, by the name of the
    /// function.
    package private(set) var callsWithOther: [String: Set<RouteError.Location>] = [:]
    /// The locations of calls that register a task whose name is not a quoted text, by the name of
    /// the service.
    private(set) var openServices: [String: Set<RouteError.Location>] = [:]
    /// The words and texts that are assigned to the fields `force` and `via`, by field.
    ///
    /// Each word or text has the location of its first assignment.
    private(set) var values: [String: [String: RouteError.Location]] = [:]
    /// The first location of each name that follows a dot, such as `delay` in `router.delay`.
    private(set) var members: [String: RouteError.Location] = [:]
    /// The lines that contain the word `info`, by file.
    private(set) var infoLines: [String: Set<Int>] = [:]
    /// The lines that use a name as a field, after a dot or in brackets, by name and file.
    private(set) var memberLines: [String: [String: Set<Int>]] = [:]
    /// Whether scripts use a field `next`, such as `router.next`.
    var readsNext: Bool { memberLines["next"] != nil }
    /// The findings about the text that do not depend on the declarations of the scripts.
    package var findings: [Finding] = []
    /// The fields that the scripts write and read.
    private(set) var fieldText = FieldText()
    private var redirectText = RedirectText()
    /// The options with constant values in the arguments of calls.
    package private(set) var constants: [ConstantOption] = []
    /// The calls to `redirect` that name their target with two quoted texts.
    package var redirects: [Redirect] { redirectText.calls.filter { $0.word == "redirect" } }

    /// Returns the targets to which the functions of a declaration navigate or redirect.
    ///
    /// A target is left out if the functions also name its service elsewhere, for example in a
    /// comparison.
    func targets(of declaration: RouteError.Location) -> [Target] {
        let targets = redirectText.calls.filter { $0.declaration == declaration }.map(\.target)
        let texts = redirectText.texts[declaration] ?? [:]
        return targets.filter { target in
            texts[target.service] == targets.count { $0.service == target.service }
        }
    }

    private static let fields: Set<String> = ["force", "via"]

    /// The functions whose first argument is recorded in ``arguments``.
    private static let calls: Set<String> = [
        "provide", "ready", "register", "registerTask", "screen",
    ]

    /// Reads the names in scripts.
    ///
    /// - Parameter scripts: The file names and tokens, sorted by name.
    /// - Complexity: O(*n*) in the number of bytes.
    package init(_ scripts: [(file: String, tokens: [ScriptToken])]) {
        self.init(joining: scripts.map { ScriptText($0.tokens, of: $0.file) })
    }

    /// Reads the names in one file.
    package init(_ tokens: [ScriptToken], of file: String) {
        read(tokens, of: file)
    }

    /// Combines the names of several files, which must be sorted by name.
    package init(joining files: some Sequence<ScriptText>) {
        for file in files {
            names.merge(file.names, uniquingKeysWith: +)
            kinds.formUnion(file.kinds)
            arguments.merge(file.arguments) { $0.merging($1) { first, _ in first } }
            targets.formUnion(file.targets)
            words.formUnion(file.words)
            joined.formUnion(file.joined)
            callsWithOther.merge(file.callsWithOther) { $0.union($1) }
            openServices.merge(file.openServices) { $0.union($1) }
            values.merge(file.values) { $0.merging($1) { first, _ in first } }
            members.merge(file.members) { first, _ in first }
            infoLines.merge(file.infoLines) { $0.union($1) }
            memberLines.merge(file.memberLines) { $0.merging($1) { $0.union($1) } }
            fieldText.add(file.fieldText)
            redirectText.add(file.redirectText)
            constants += file.constants
            findings += file.findings
        }
        joined.readPatterns()
    }

    /// A partly read call to `register` or `registerTask`: so far, only the first argument, the
    /// name of the service, has been read.
    private struct Service {
        let name: String
        let location: RouteError.Location
    }

    private mutating func read(_ tokens: [ScriptToken], of file: String) {
        var before: (ScriptToken.Kind?, ScriptToken.Kind?) = (nil, nil)
        var nesting = ScriptNesting()
        var service: Service?
        var line = 0
        var last: ScriptToken?
        for (index, token) in tokens.enumerated() {
            // If an operator follows, the token is only part of the value.
            let isWhole = index + 1 == tokens.count || !tokens[index + 1].kind.isOperator
            let location = RouteError.Location(file: file, line: token.line)
            switch token.kind {
            case .word(let word):
                words.insert(word)
                if word == "format" { joined.formats = true }
                if word == "info" { infoLines[file, default: []].insert(token.line) }
                if before.1 == .symbol(UInt8(ascii: ".")) {
                    if members[word] == nil { members[word] = location }
                    memberLines[word, default: [:]][file, default: []].insert(token.line)
                }
                if isWhole { note(word, setTo: before, location) }
            case .text(let bytes):
                take(bytes)
                redirectText.read(bytes, in: nesting, isWhole: isWhole)
                if isWhole {
                    note(String(decoding: bytes, as: UTF8.self), setTo: before, location)
                }
                if before.1 == .symbol(UInt8(ascii: "[")), bytes.count <= 256 {
                    let name = String(decoding: bytes, as: UTF8.self)
                    memberLines[name, default: [:]][file, default: []].insert(token.line)
                }
            case .join, .numeral, .symbol: break
            }
            joined.read(before.0, middle: before.1, right: token.kind)
            if let constant = ConstantOption(before: token, in: nesting, last: last, file: file) {
                constants.append(constant)
            }
            nesting.read(token.kind, at: location)
            fieldText.read(token.kind, in: nesting, at: location)
            last = token
            // Lua reports a call at the line of its opening parenthesis.
            let isInParentheses = before.1 == .symbol(UInt8(ascii: "("))
            let callLocation = RouteError.Location(
                file: file,
                line: isInParentheses ? line : token.line
            )
            if let name = lookForCall(
                token.kind,
                before: before,
                isWhole: isWhole,
                at: location,
                callLocation: callLocation
            ) {
                service = Service(name: name, location: callLocation)
            } else if isWhole, case .text(let bytes) = token.kind, let current = service {
                targets.insert(Target(current.name, String(decoding: bytes, as: UTF8.self)))
                service = nil
            } else if token.kind != .symbol(UInt8(ascii: ",")) {
                if let service, before.1 == .symbol(UInt8(ascii: ",")) {
                    openServices[service.name, default: []].insert(service.location)
                }
                service = nil
            }
            before = (before.1, token.kind)
            line = token.line
        }
        joined.read(before.0, middle: before.1, right: nil)
    }

    /// Records a value if the preceding tokens assign the value to one of ``fields``.
    private mutating func note(
        _ value: String,
        setTo before: (ScriptToken.Kind?, ScriptToken.Kind?),
        _ location: RouteError.Location
    ) {
        guard case (.word(let field)?, .symbol(UInt8(ascii: "="))?) = before,
            Self.fields.contains(field), values[field]?[value] == nil
        else { return }
        values[field, default: [:]][value] = location
    }

    /// Records a call to one of the functions in ``calls``.
    ///
    /// - Returns: The name of the service, if the call registers a route or task.
    private mutating func lookForCall(
        _ token: ScriptToken.Kind,
        before: (ScriptToken.Kind?, ScriptToken.Kind?),
        isWhole: Bool,
        at location: RouteError.Location,
        callLocation: RouteError.Location
    ) -> String? {
        var text: ArraySlice<UInt8>? = if case .text(let bytes) = token { bytes } else { nil }
        let call: String
        switch before {
        case (.word(let word)?, .symbol(UInt8(ascii: "("))?):
            call = word
            if !isWhole { text = nil }
        case (_, .word(let word)?) where text != nil: call = word
        default: return nil
        }
        guard Self.calls.contains(call) else { return nil }
        if let bytes = text {
            let name = String(decoding: bytes, as: UTF8.self)
            if arguments[call]?[name] == nil { arguments[call, default: [:]][name] = location }
            return call.hasPrefix("register") ? name : nil
        }
        callsWithOther[call, default: []].insert(callLocation)
        return nil
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        if bytes.count <= 256 {
            let text = String(decoding: bytes, as: UTF8.self)
            if Name.isValid(text) {
                names[text, default: 0] += 1
                words.insert(text)
                return
            }
        }
        if bytes.contains(UInt8(ascii: "%")) { joined.addPattern(bytes) }
        let parts = bytes.split { !$0.isWord }
        for part in parts where part.count <= 256 {
            words.insert(String(decoding: part, as: UTF8.self))
        }
        for part in bytes.split(separator: UInt8(ascii: "(")).dropFirst() {
            guard let end = part.firstIndex(of: UInt8(ascii: ")")) else { continue }
            kinds.insert(String(decoding: part[..<end], as: UTF8.self))
        }
    }
}
