// SPDX-License-Identifier: MIT

internal import RouteCore

/// A reader of the fields that scripts write: those of `screen("Page", { title = … })`, and those
/// of assignments `page.title = …`.
struct FieldText {
    /// A field in a call of `screen`.
    struct Field {
        let screenClass: String
        let name: String
        let location: RouteError.Location
    }

    /// The fields in calls of `screen`.
    private(set) var fields: [Field] = []
    /// The assigned fields, each with the name of the variable, by file and line.
    private(set) var assignments: [String: [Int: [(variable: String, field: String)]]] = [:]

    /// Adds the fields of another file.
    mutating func add(_ other: FieldText) {
        fields += other.fields
        assignments.merge(other.assignments) { first, _ in first }
    }

    /// Reads a token that the nesting has already.
    mutating func read(
        _ token: ScriptToken.Kind,
        in nesting: ScriptNesting,
        at location: RouteError.Location
    ) {
        let recent = nesting.recent
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
}
