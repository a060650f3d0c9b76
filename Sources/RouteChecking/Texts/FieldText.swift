// SPDX-License-Identifier: MIT

internal import RouteCore

/// The fields that scripts write and read, collected token by token.
///
/// Scripts write fields in calls such as `screen("Page", { title = … })`, and in assignments such
/// as `page.title = …`.
struct FieldText {
    /// An access to a field of a variable.
    ///
    /// For `info.id` the variable is `info`; for `nav.info.id` the variable is `nav.info`.
    typealias Access = (variable: String, field: String)

    /// A field in a call to `screen`.
    struct Field {
        let screenClass: String
        let name: String
        let location: RouteError.Location
    }

    /// The fields that calls to `screen` set.
    private(set) var fields: [Field] = []
    /// The fields that are assigned, by file and line.
    private(set) var assignments: [String: [Int: [Access]]] = [:]
    /// All fields after a dot, including assigned fields, by file and line.
    private(set) var accesses: [String: [Int: [Access]]] = [:]
    /// The names declared by `local`, by `for` or as parameters of functions, by file and line.
    private(set) var declared: [String: [Int: [String]]] = [:]
    /// Whether the next name is a declaration.
    private var declares = false

    /// Adds the fields that were read from another file.
    mutating func add(_ other: FieldText) {
        fields += other.fields
        assignments.merge(other.assignments) { first, _ in first }
        accesses.merge(other.accesses) { first, _ in first }
        declared.merge(other.declared) { first, _ in first }
    }

    /// Reads a token.
    ///
    /// Call this method after `nesting` has read the same token.
    mutating func read(
        _ token: ScriptToken.Kind,
        in nesting: ScriptNesting,
        at location: RouteError.Location
    ) {
        let recent = nesting.recent
        if case .word(let word) = token {
            read(word, after: recent.dropLast(), at: location)
        } else {
            // These symbols separate declared names, or introduce a list of parameters.
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
                // The list of names has ended; this word begins a statement or an expression.
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
