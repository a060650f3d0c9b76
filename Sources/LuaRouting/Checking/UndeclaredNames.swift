// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

/// A search for members that `router` does not have, and for names that are not declared.
///
/// The search reads the text of the scripts, and so includes functions that have not run.
struct UndeclaredNames {
    /// A script.
    struct Script {
        let file: String
        let bytes: [UInt8]
        let tokens: [ScriptToken]
        let names: ScriptNames
        /// The members of `router` that the script reads, except for names that are also functions
        /// of the script.
        let members: Set<String>

        init(_ file: String, _ bytes: [UInt8]) {
            (self.file, self.bytes) = (file, bytes)
            tokens = ScriptNames.tokens(of: bytes)
            names = ScriptNames(tokens)
            let own = zip(tokens, tokens.dropFirst()).compactMap { token, next -> String? in
                guard token.kind == .word("function"), case .word(let name) = next.kind else {
                    return nil
                }
                return name
            }
            members = Set(Self.members(in: tokens).filter { $0.object == "router" }.map(\.name))
                .subtracting(own)
        }
    }

    private let known: KnownNames
    private let text: ScriptText
    private let classes: Set<String>
    private let scripts: [Script]
    /// The names that calls declare.
    private var declared: [NameSubject: Set<String>] = [:]
    /// The string literals that are not arguments of API functions.
    ///
    /// A script function may declare these strings as names.
    private let others: Set<String>
    /// The tasks of each service, including tasks of the host.
    private let tasks: [String: [String]]
    private lazy var services = tasks.keys.sorted()
    private lazy var interceptors = known.interceptors.sorted()
    private var hints = Hints()

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - texts: The scripts.
    ///   - known: The names that the scripts and their host define.
    init(_ texts: ScriptTexts, known: KnownNames) {
        (self.known, text) = (known, texts.text)
        classes = known.classes.union((text.arguments["screen"] ?? [:]).keys)
        let all = texts.scripts
        scripts = all.filter { !$0.declaresRouter }
        tasks = Dictionary(grouping: known.targets.union(known.hostTasks), by: \.service)
            .mapValues { $0.map(\.task).sorted() }
        others = Set(all.flatMap { $0.names.others.map(\.text) })
        for name in all.flatMap(\.names.names) where name.isNew {
            declared[name.subject, default: []].insert(name.text)
        }
    }

    /// Returns the findings about unknown members and undeclared names.
    ///
    /// - Complexity: O(*n*) in the length of the scripts.
    mutating func findings() -> [Finding] {
        scripts.flatMap { script in
            script.unknownMembers
                + script.names.names.compactMap { name in
                    guard !name.isNew, script.isOfRouter(name) else { return nil }
                    return error(about: name).map { error in
                        Finding(.undeclaredName, error.at(script.location(of: name.range)))
                    }
                }
        }
    }

    /// Returns the error about a name that is not declared; nil if the name is declared, or if a
    /// function may declare it.
    private mutating func error(about name: ScriptNames.Name) -> RouteError? {
        let text = name.text
        guard isUnknown(name), !others.contains(text),
            !known.joined.makes(text, of: known.quotedNames), !known.joined.mayMake(text)
        else { return nil }
        switch name.subject {
        case .service: return .noService(text, among: hints.among(services))
        case .task:
            let owner = name.owner ?? ""
            return .noSuchTask(Target(owner, text), among: hints.among(tasks[owner] ?? []))
        case .interceptor: return .noInterceptor(text, among: hints.among(interceptors))
        case .class: return nearly(text, "class", among: classes)
        case .gate: return nearly(text, "gate", among: known.gates)
        case .field, .action, .dependency, .export, .target: return nil
        }
    }

    /// Returns whether a name of a route, an interceptor, a class or a gate is not declared.
    private func isUnknown(_ name: ScriptNames.Name) -> Bool {
        let text = name.text
        guard declared[name.subject]?.contains(text) != true else { return false }
        switch name.subject {
        case .service: return !isOpen && tasks[text] == nil && !text.contains("/")
        case .task:
            // If the service is unknown, the error is reported for the service.
            guard let owner = name.owner, let known = tasks[owner] else { return false }
            return !isOpen && !self.known.openServices.contains(owner) && !known.contains(text)
        case .interceptor: return !known.interceptors.contains(text)
        // The host may show other classes.
        case .class:
            return self.text.callsWithOther["screen"] == nil && !classes.contains(text)
        // Another check compares `ready` with the gates that routes name.
        case .gate: return name.function != "ready" && !known.gates.contains(text)
        case .field, .action, .dependency, .export, .target: return false
        }
    }

    /// Whether functions may register any route, or a fallback handles unknown routes.
    private var isOpen: Bool {
        known.registersAnything || known.hasRouteFallback || known.hasTaskFallback
    }

    private mutating func nearly(
        _ name: String,
        _ what: String,
        among names: Set<String>
    ) -> RouteError? {
        guard let near = Suggestion.nearest(to: name, among: hints.among(names.sorted())),
            near.filter({ !$0.isNumber }) != name.filter({ !$0.isNumber })
        else { return nil }
        return RouteError(.notFound, "no \(what) '\(name)', did you mean '\(near)'?")
    }
}

extension UndeclaredNames.Script {
    /// The API libraries whose complete list of members is known, by the expression that refers to
    /// the library.
    private static let libraries = ["router": APILibrary.router, "router.log": .log]

    /// Returns the members of `router` and `router.log` that are used in tokens, each with the
    /// index of its token.
    private static func members(
        in tokens: [ScriptToken]
    ) -> [(object: String, name: String, index: Int)] {
        var members: [(object: String, name: String, index: Int)] = []
        for index in tokens.indices where tokens[index].kind == .word("router") {
            let before = index > 0 ? tokens[index - 1].kind : nil
            guard before?.isAccess != true, let (name, next) = member(of: tokens, at: index + 1)
            else { continue }
            members.append(("router", name, next - 1))
            if name == "log", let (name, next) = member(of: tokens, at: next) {
                members.append(("router.log", name, next - 1))
            }
        }
        return members
    }

    /// Returns the member that is read at an index, as `.name` or `["name"]`, and the index after
    /// the name.
    private static func member(of tokens: [ScriptToken], at index: Int) -> (String, Int)? {
        guard index + 1 < tokens.count else { return nil }
        switch (tokens[index].kind, tokens[index + 1].kind) {
        case (let access, .word(let name)) where access.isAccess: return (name, index + 2)
        case (.symbol(UInt8(ascii: "[")), .text(let bytes)):
            guard index + 2 < tokens.count, tokens[index + 2].kind == .symbol(UInt8(ascii: "]"))
            else { return nil }
            return (String(decoding: bytes, as: UTF8.self), index + 2)
        default: return nil
        }
    }

    /// The findings about members that the API does not have.
    var unknownMembers: [Finding] {
        Self.members(in: tokens).compactMap { object, name, index in
            guard let members = Self.libraries[object]?.members, !members.contains(name) else {
                return nil
            }
            let hint = Suggestion.hint(for: name, among: members)
            return Finding(
                .unknownMember,
                "there is no '\(name)' in \(object)\(hint)",
                at: RouteError.Location(file: file, line: tokens[index].line)
            )
        }
    }

    /// Whether a local variable or a parameter is named `router`.
    var declaresRouter: Bool {
        var isDeclaring = false
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .word("local"), .word("for"), .word("function"): isDeclaring = true
            case .word where index > 0 && tokens[index - 1].kind.isName:
                // The list of names has ended, and a statement follows.
                isDeclaring = false
            case .word("router") where isDeclaring: return true
            case .symbol(UInt8(ascii: "=")), .symbol(UInt8(ascii: ")")), .word("in"):
                isDeclaring = false
            default: break
            }
        }
        return false
    }

    /// Returns whether the function that uses a name is a function of `router`, called directly or
    /// through a variable.
    func isOfRouter(_ name: ScriptNames.Name) -> Bool {
        name.isMember ? name.object == "router" : members.contains(name.function)
    }

    func location(of range: Range<Int>) -> RouteError.Location {
        let line = bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
        return RouteError.Location(file: file, line: line)
    }
}

extension ScriptToken.Kind {
    /// Whether the token is `.` or `:`.
    fileprivate var isAccess: Bool {
        self == .symbol(UInt8(ascii: ".")) || self == .symbol(UInt8(ascii: ":"))
    }

    /// Whether the token is a word, and not a keyword of a declaration.
    fileprivate var isName: Bool {
        switch self {
        case .word("local"), .word("for"), .word("function"): false
        case .word: true
        default: false
        }
    }
}
