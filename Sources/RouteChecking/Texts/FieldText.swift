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

    /// The last tokens, the newest last.
    private var last: [ScriptToken.Kind] = []
    /// The class of the call whose table is read, and the number of open brackets and blocks in it.
    private var call: (screenClass: String, depth: Int)?

    mutating func read(_ token: ScriptToken.Kind, at location: RouteError.Location) {
        defer {
            last.append(token)
            if last.count > 5 { last.removeFirst() }
        }
        let symbol = { (character: Unicode.Scalar) in
            ScriptToken.Kind.symbol(UInt8(ascii: character))
        }
        if token == symbol("="), case .word(let field) = last.last {
            if let call, call.depth == 1, let before = last.dropLast().last,
                [symbol("{"), symbol(","), symbol(";")].contains(before)
            {
                fields.append(
                    Field(screenClass: call.screenClass, name: field, location: location)
                )
            } else if last.count > 2, last[last.count - 2] == symbol("."),
                case .word(let variable) = last[last.count - 3]
            {
                assignments[location.file, default: [:]][location.line, default: []]
                    .append((variable, field))
            }
        }
        if let depth = call?.depth {
            switch token {
            case symbol("{"), symbol("("), .word("function"), .word("do"), .word("if"),
                .word("repeat"):
                call?.depth += 1
            case symbol("}"), symbol(")"), .word("end"), .word("until"):
                if depth == 1 { call = nil } else { call?.depth -= 1 }
            default: break
            }
        } else if token == symbol("{"), last.count >= 4, last[last.count - 1] == symbol(","),
            case .text(let name) = last[last.count - 2], last[last.count - 3] == symbol("("),
            last[last.count - 4] == .word("screen")
        {
            call = (String(decoding: name, as: UTF8.self), 1)
        }
    }

    mutating func endFile() { (last, call) = ([], nil) }
}
