// SPDX-License-Identifier: MIT

package import LuaRouting
internal import RouteCore
internal import RouteEngine

/// The documentation of one word: a member of the Lua API, a key of an option table, a keyword of
/// scenario files, an event, an action or a code.
///
/// Entries are generated from the same tables that scripts and scenario files are checked against.
/// `luaroute doc` prints entries, and editors show them.
package struct ReferenceEntry: Sendable {
    /// The word, such as `router.register`, `expect` or `L0107`.
    package let name: String
    /// The title of the kind of entry, such as `step of a scenario`.
    package let kind: String
    /// The complete form of the word, with parameters.
    private let signature: String
    /// The description, in sentences.
    private let help: String
    /// The parameters of a function, the nested keys of a key, or the fields of an event.
    private var rows: [(name: String, help: String)] = []
    /// The keys of the tables that a function takes.
    private var keys: [(name: String, help: String)] = []
    /// The functions that accept the key in a table; empty unless the entry describes a key.
    private var functions: [String] = []
    /// The examples, each with the language of its code.
    private var examples: [(language: String, code: String)] = []
    /// The article of a code.
    private var article: CodeArticle?

    private init(_ name: String, _ kind: String, signature: String, help: String) {
        (self.name, self.kind, self.signature, self.help) = (name, kind, signature, help)
    }

    // MARK: Names

    /// All entries, in the order of the reference.
    package static let all: [ReferenceEntry] = functions + values + keys + words + others

    /// Returns the entries with the given name.
    ///
    /// If the name does not begin with an object, the result includes every object's member with
    /// that name. In a name such as `router.class.fields`, `router.class` is the function that
    /// accepts the key `fields`. Case is ignored.
    package static func named(_ name: String) -> [ReferenceEntry] {
        let name = name.lowercased()
        return all.filter { entry in
            let own = entry.name.lowercased()
            return own == name || own.member == name
                || entry.functions.contains { "\($0).\(own)".lowercased() == name }
        }
    }

    /// Returns the error for a name that has no entry.
    ///
    /// The error suggests a similar name.
    package static func unknown(_ name: String) -> UsageError {
        // Users may type numbered codes in lowercase.
        let word = name.contains(where: \.isNumber) ? name.uppercased() : name
        let names = all.map(\.name)
        let known = names + names.map { String($0.member) }
        return UsageError(
            "'luaroute doc' has no entry '\(name)'",
            word: word,
            known: known
        )
    }

    /// All names with their kinds, one per line.
    package static var list: PrintedText { TextTable.list(all.map { ($0.name, $0.kind) }) }

    private static let functions = APIChapter.all.flatMap { chapter in
        chapter.functions.map { ReferenceEntry($0, of: chapter.object) }
    }

    private static let values =
        APIValue.all.map { value in
            var entry = ReferenceEntry("router.\(value.name)", "Lua value", help: value.text)
            entry.add(value.example)
            return entry
        }
        + APIChapter.all.flatMap(\.members).map { member in
            ReferenceEntry(member.name, "Lua property", help: member.text)
        }
        + (APIFunction.navigationMembers + APIFunction.urlMembers).map { member in
            ReferenceEntry("nav.\(member.name)", "Lua property", help: member.text)
        }

    /// The keys of the tables that functions accept.
    ///
    /// Equal keys of several functions share an entry.
    private static let keys: [ReferenceEntry] = {
        var keys: [(key: APIParameter, functions: [String])] = []
        func add(_ parameters: [APIParameter], _ function: String) {
            for table in parameters.flatMap(\.type.tables) {
                for key in table.parameters {
                    let index = keys.firstIndex {
                        $0.key.name == key.name && $0.key.text == key.text
                    }
                    if let index, !keys[index].functions.contains(function) {
                        keys[index].functions.append(function)
                    } else if index == nil {
                        keys.append((key, [function]))
                    }
                }
                add(table.parameters, function)
            }
        }
        for chapter in APIChapter.all {
            for function in chapter.functions {
                add(function.parameters, function.name(of: chapter.object))
            }
        }
        return keys.map { key, functions in
            var entry = ReferenceEntry(
                key.name,
                "key of \(functions.joined(separator: ", "))",
                signature: "\(key.name) = \(key.type.title)\(key.isOptional ? ", optional" : "")",
                help: key.text.sentence
            )
            entry.rows = key.type.tables.flatMap(\.parameters).map { ($0.name, $0.text) }
            entry.functions = functions
            return entry
        }
    }()

    private static let words =
        Vocabulary.blocks.map { ReferenceEntry($0, "block of a scenario file") }
        + Vocabulary.structure.map { ReferenceEntry($0, "line of a scenario") }
        + Vocabulary.steps.map { ReferenceEntry($0, "step of a scenario") }
        + Vocabulary.conditions.map { ReferenceEntry($0, "condition of 'expect' and 'check'") }
        + Vocabulary.exploring.map { ReferenceEntry($0, "line of an 'explore' block") }

    private static let others =
        ScenarioSettings.Key.allCases.map { key in
            ReferenceEntry(
                key.rawValue,
                "setting of a scenario file",
                signature: "set \(key.rawValue) = VALUE",
                help: "\(key.rawValue) \(key.help)",
                example: ["set \(key.rawValue) = \(key.example)"]
            )
        }
        + Event.Kind.heard.map { kind in
            let reference = kind.reference
            var entry = ReferenceEntry(
                kind.rawValue,
                "event",
                help: "Reports that \(reference.help)".sentence
            )
            if !reference.fields.isEmpty {
                entry.rows = [("fields", reference.fields.joined(separator: ", "))]
            }
            return entry
        }
        + Action.forms.map { form in
            let name = form.action.name
            return ReferenceEntry(
                name,
                "action",
                signature: name,
                help: form.help,
                example: form.example
            )
        }
        + CodeArticle.all.map { article in
            var entry = ReferenceEntry(article.code, "code", help: article.explanation)
            entry.article = article
            return entry
        }

    private init(_ name: String, _ kind: String, help: String) {
        self.init(name, kind, signature: name, help: help)
    }

    private init(
        _ name: String,
        _ kind: String,
        signature: String,
        help: String,
        example: [String]
    ) {
        self.init(name, kind, signature: signature, help: help.sentence)
        examples = [("scenario", example.joined(separator: "\n"))]
    }

    private init<Parsed>(_ form: Vocabulary.Form<Parsed>, _ kind: String) {
        self.init(
            form.word,
            kind,
            signature: form.signature,
            help: form.help,
            example: form.example
        )
    }

    /// Creates the entry for a line of a scenario file from its signature, description and example.
    package init(_ form: (signature: String, help: String, example: [String])) {
        self.init("", "", signature: form.signature, help: form.help, example: form.example)
    }

    /// Creates the entry for a function of the given object.
    package init(_ function: APIFunction, of object: String) {
        let name = function.name(of: object)
        let call = name.dropLast(function.name.count) + function.signature
        self.init(
            name,
            "Lua function",
            signature: String(call),
            help: function.text + function.restriction
        )
        rows = function.parameters.map { ($0.name, $0.text) }
        keys = function.parameters.flatMap(\.type.tables).flatMap(\.parameters)
            .map { ($0.name, $0.text) }
        add(function.example)
    }

    private mutating func add(_ example: APIExample) {
        examples.append(("lua", example.lua))
        if !example.steps.isEmpty {
            examples.append(("scenario", example.steps.joined(separator: "\n")))
        }
    }

    // MARK: Text

    /// The entry as Markdown, for editors.
    package var markdown: String {
        if let article { return "**\(article.code)**: \(article.title)\n\n\(article.explanation)" }
        let list = rows.map { "\n- `\($0.name)`: \($0.help)" }.joined()
        let blocks = examples.map { "\n\n```\($0.language)\n\($0.code)\n```" }.joined()
        return "`\(signature)`\n\n\(help)" + (list.isEmpty ? "" : "\n\(list)") + blocks
    }

    /// The entry as plain text, wrapped at 80 columns.
    package var text: String {
        if let article { return article.text }
        let heads = [signature] + kind.wrapped() + [""]
        var text = (heads + help.wrapped() + [""]).joined(separator: "\n")
        for (title, rows) in [("", rows), ("keys of the table:\n", keys)] where !rows.isEmpty {
            let list = rows.flatMap { row in
                "\(row.name): \(row.help)".wrapped(to: 76).enumerated().map { index, line in
                    (index == 0 ? "  " : "    ") + line
                }
            }
            text += "\n\(title)\(list.joined(separator: "\n"))\n"
        }
        for example in examples { text += "\n\(CodeArticle.indented(example.code))\n" }
        return text
    }
}

extension String {
    /// The name without its object, such as `register` in `router.register`.
    fileprivate var member: Substring { split(whereSeparator: ".:".contains).last ?? self[...] }

    /// The text as a sentence, with a capital letter and a full stop.
    fileprivate var sentence: String {
        prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}
