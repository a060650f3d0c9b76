// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// The entity to which a name in scripts or scenario files refers.
struct Symbol: Hashable {
    enum Kind: Hashable {
        /// A name that scripts use, such as a class or a task.
        case script(NameSubject)
        /// A macro of scenario files.
        case macro

        var title: String {
            switch self {
            case .script(let subject): subject.rawValue
            case .macro: "macro"
            }
        }
    }

    let kind: Kind
    let name: String
    /// The service of a task, or the class of a field; nil for other symbols.
    var owner: String?

    init(_ kind: Kind, _ name: String, of owner: String? = nil) {
        (self.kind, self.name, self.owner) = (kind, name, owner)
    }

    /// The name as shown to users, such as `Show/open`, `Show.title` or `login`.
    var title: String {
        guard let owner else { return name }
        return kind == .script(.task) ? "\(owner)/\(name)" : "\(owner).\(name)"
    }
}

/// An occurrence of a name in a file.
struct Occurrence {
    let symbol: Symbol
    let path: String
    /// The byte range in the file.
    let range: Range<Int>
    /// Whether this occurrence is the declaration of the name.
    let isNew: Bool
}

/// The names in all files of a project.
///
/// The names of a file are read when they are first needed, and cached until the file changes.
struct ProjectNames {
    /// The names in a file.
    struct File {
        var occurrences: [Occurrence] = []
        /// The quoted texts of a script that are not arguments of API calls.
        var others: [ScriptNames.Other] = []
        /// The lines of a scenario file.
        var lines: [LineOutline] = []
        /// The keys in the state of the scripts that the file uses, as paths such as
        /// `state.user.name`.
        var states: Set<String> = []
    }

    private var files: [String: File] = [:]

    /// Discards the cached names of a file, or of all files if the path is nil.
    mutating func forget(_ path: String?) {
        if let path { files[path] = nil } else { files = [:] }
    }

    /// Returns the names in a file.
    ///
    /// If they are not cached, reads them from the given text.
    mutating func file(_ path: String, _ text: () -> SourceText?) -> File {
        if let known = files[path] { return known }
        var file = File()
        if let text = text() {
            file.states = Self.states(in: text.bytes)
            if path.hasSuffix(".lua") {
                file.read(ScriptNames(text.bytes), path)
            } else {
                file.lines = LineOutline.all(in: text)
                file.readLines(path, text)
            }
        }
        files[path] = file
        return file
    }

    /// Returns the keys in the state of the scripts that a text uses, as paths such as
    /// `state.user.name`.
    static func states(in bytes: [UInt8]) -> Set<String> {
        let name = Array("state.".utf8)
        var states: Set<String> = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: name[0]) {
            index = start + 1
            guard bytes[start...].starts(with: name), start == 0 || !bytes[start - 1].isWord else {
                continue
            }
            while bytes[index...].first.map({ $0.isWord || $0 == UInt8(ascii: ".") }) == true {
                index += 1
            }
            if bytes[index - 1].isWord {
                states.insert(String(decoding: bytes[start..<index], as: UTF8.self))
            }
        }
        return states
    }
}

extension ProjectNames.File {
    fileprivate mutating func read(_ names: ScriptNames, _ path: String) {
        others = names.others
        for name in names.names where !Symbol.isReserved(name.text, name.subject) {
            let symbol = Symbol(.script(name.subject), name.text, of: name.owner)
            occurrences.append(
                Occurrence(symbol: symbol, path: path, range: name.range, isNew: name.isNew)
            )
        }
    }

    fileprivate mutating func readLines(_ path: String, _ source: SourceText) {
        for name in lines.lazy.flatMap(\.names) {
            switch name.meaning {
            case .macro:
                let symbol = Symbol(.macro, source.text(name.range))
                occurrences.append(
                    Occurrence(symbol: symbol, path: path, range: name.range, isNew: name.isNew)
                )
            case .script(let meaning): add(meaning, at: name.range, path: path, in: source)
            case .local, .path: break
            }
        }
    }

    private mutating func add(
        _ meaning: NameReference.Meaning,
        at range: Range<Int>,
        path: String,
        in source: SourceText
    ) {
        func add(
            _ subject: NameSubject,
            name: String,
            of owner: String? = nil,
            at range: Range<Int>
        ) {
            // The source text differs from a name that is quoted or contains a parameter. Such
            // names are ignored.
            guard range.upperBound <= source.bytes.count, source.text(range) == name,
                !Symbol.isReserved(name, subject)
            else { return }
            let symbol = Symbol(.script(subject), name, of: owner)
            occurrences.append(Occurrence(symbol: symbol, path: path, range: range, isNew: false))
        }
        switch meaning {
        case .route(let target), .task(let target), .hostTask(let target), .stub(let target),
            .registration(let target):
            add(target)
        case .service(let name): add(.service, name: name, at: range)
        case .screen(let screen), .givenScreen(let screen):
            guard !screen.isAnyClass else { break }
            add(.class, name: screen.name, at: range)
            for field in screen.fields ?? [] {
                let start = field.range.lowerBound
                add(
                    .field,
                    name: field.name,
                    of: screen.name,
                    at: start..<start + field.name.utf8.count
                )
            }
        case .screenClass(let name): add(.class, name: name, at: range)
        case .gate(let name): add(.gate, name: name, at: range)
        case .interceptor(let name): add(.interceptor, name: name, at: range)
        case .action(let name): add(.action, name: name, at: range)
        case .export(let name): add(.export, name: name, at: range)
        case .wait(let name):
            guard let slash = name.firstIndex(of: "/") else {
                add(.gate, name: name, at: range)
                add(.interceptor, name: name, at: range)
                break
            }
            add(Target(String(name[..<slash]), String(name[name.index(after: slash)...])))
        case .parameter, .text: break
        }
        func add(_ target: Target) {
            let slash = range.lowerBound + target.service.utf8.count
            add(.service, name: target.service, at: range.lowerBound..<slash)
            let end = slash + 1 + target.task.utf8.count
            add(.task, name: target.task, of: target.service, at: slash + 1..<end)
        }
    }
}

extension Symbol {
    /// Whether the router reserves the given name, so that scripts cannot declare it.
    static func isReserved(_ name: String, _ subject: NameSubject) -> Bool {
        switch subject {
        case .class: Screen.Kind(rawValue: name) != nil || name == "current" || name == "root"
        case .action: Action.words.contains(name)
        default: name.isEmpty
        }
    }
}
