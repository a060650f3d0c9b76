// SPDX-License-Identifier: MIT

internal import RouteCore

/// A reader of the fields that scripts write: in `screen("Page", { title = … })` and in assignments
/// `page.title = …`; also of the fields of variables that scripts read.
struct FieldText {
    /// A field of a variable: `info.id`, or `nav.info.id`, whose variable is `nav.info`.
    typealias Access = (variable: String, field: String)

    /// A field in a call of `screen`.
    struct Field {
        let screenClass: String
        let name: String
        let location: RouteError.Location
    }

    /// The fields in calls of `screen`.
    private(set) var fields: [Field] = []
    /// The assigned fields, each with the name of the variable, by file and line.
    private(set) var assignments: [String: [Int: [Access]]] = [:]
    /// The fields after a dot, including assigned ones, by file and line.
    private(set) var accesses: [String: [Int: [Access]]] = [:]
    /// The names that `local`, `for` and the parameters of functions declare, by file and line.
    private(set) var declared: [String: [Int: [String]]] = [:]
    /// Whether the next name is one that is declared.
    private var declares = false

    /// Adds the fields of another file.
    mutating func add(_ other: FieldText) {
        fields += other.fields
        assignments.merge(other.assignments) { first, _ in first }
        accesses.merge(other.accesses) { first, _ in first }
        declared.merge(other.declared) { first, _ in first }
    }

    /// Reads a token that the nesting has already.
    mutating func read(
        _ token: ScriptToken.Kind,
        in nesting: ScriptNesting,
        at location: RouteError.Location
    ) {
        let recent = nesting.recent
        if case .word(let word) = token {
            read(word, after: recent.dropLast(), at: location)
        } else {
            // Those of names, lists of names and parameters.
            declares = declares && ",(.:".utf8.contains { token == .symbol($0) }
        }
        guard token == .symbol(UInt8(ascii: "=")), recent.count > 1,
            case .word(let field) = recent[recent.count - 2]
        else { return }
        if nesting.levels.last?.key == field {
            guard let call = nesting.argument(), call.function == "screen", call.index == 1,
                call.path == [.key(field)], let text = call.firstText
            else { return }
            let name = String(decoding: text, as: UTF8.self)
            fields.append(Field(screenClass: name, name: field, location: location))
        } else if recent.count > 3, recent[recent.count - 3] == .symbol(UInt8(ascii: ".")),
            case .word(let variable) = recent[recent.count - 4]
        {
            assignments[location.file, default: [:]][location.line, default: []]
                .append((variable, field))
        }
    }

    private mutating func read(
        _ word: String,
        after before: ArraySlice<ScriptToken.Kind>,
        at location: RouteError.Location
    ) {
        if ["local", "for", "function"].contains(word) {
            declares = true
            return
        }
        let before = Array(before.suffix(4))
        if declares {
            switch before.last {
            case .word(let last) where !["local", "for", "function"].contains(last):
                // A statement follows the names.
                declares = false
            default:
                declared[location.file, default: [:]][location.line, default: []].append(word)
                return
            }
        }
        let dot = ScriptToken.Kind.symbol(UInt8(ascii: "."))
        guard before.count > 1, before.last == dot,
            case .word(var variable) = before.dropLast().last
        else { return }
        if before.count == 4, before[1] == dot {
            guard case .word(let object) = before[0] else { return }
            variable = "\(object).\(variable)"
        }
        accesses[location.file, default: [:]][location.line, default: []].append((variable, word))
    }
}
