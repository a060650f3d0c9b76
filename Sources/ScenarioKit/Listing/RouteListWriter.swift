// SPDX-License-Identifier: MIT

internal import LuaRouting
package import RouteCore

/// A type that writes lists of routes, and differences between lists, as human-readable text.
struct RouteListWriter {
    var style = TerminalStyle()
    /// The number of columns of the terminal; `nil` to write lines in full because there is no
    /// terminal.
    var width: Int?

    private static let names = RouteColumn.allCases.map { $0.rawValue.uppercased() }

    /// Returns a heading, and a line for each row.
    func text(of list: RouteList) -> PrintedText {
        var table = TextTable()
        table.kept = [0, RouteColumn.allCases.count - 1]
        table.add(Self.names)
        for row in list.rows { table.add(Self.cells(row)) }
        var lines = table.lines(width: width)
        lines[0] = style.bold(lines[0])
        return Self.joined(lines)
    }

    /// Returns a line with tab-separated columns for each row, without a heading.
    func plainText(of list: RouteList) -> PrintedText {
        Self.joined(list.rows.map { Self.plainLine(Self.cells($0)) })
    }

    /// Returns the lines for a difference, each beginning with `+`, `-` or `~`.
    ///
    /// A line with `~` is followed by a line for each changed column.
    func text(of difference: RouteDifference) -> PrintedText {
        var table = TextTable()
        table.kept = [1]
        for row in difference.added { table.add(["+"] + Self.cells(row)) }
        for row in difference.removed { table.add(["-"] + Self.cells(row)) }
        let count = difference.added.count
        var lines = table.lines(width: width).enumerated().map { index, line in
            index < count ? style.green(line) : style.red(line)
        }
        for change in difference.changed {
            let source = change.row[.source]
            lines.append(
                style.yellow("~  \(change.row.name)") + (source.isEmpty ? "" : "  \(source)")
            )
            var table = TextTable()
            table.indent = "     "
            for value in change.values {
                table.add([value.column, "\(value.before.orNone) → \(value.after.orNone)"])
            }
            lines += table.lines(width: width)
        }
        return Self.joined(lines)
    }

    /// Returns tab-separated lines for a difference.
    ///
    /// The columns are the sign and the columns of an added or removed route, or the sign, the
    /// name, a column, its old value and its new value.
    func plainText(of difference: RouteDifference) -> PrintedText {
        var lines = difference.added.map { Self.plainLine(["+"] + Self.cells($0)) }
        lines += difference.removed.map { Self.plainLine(["-"] + Self.cells($0)) }
        for change in difference.changed {
            for value in change.values {
                let cells = [value.column, value.before, value.after]
                lines.append(Self.plainLine(["~", change.row.name] + cells))
            }
        }
        return Self.joined(lines)
    }

    private static func cells(_ row: RouteRow) -> [String] { RouteColumn.allCases.map { row[$0] } }

    private static func plainLine(_ cells: [String]) -> PrintedText {
        cells.map { "\($0.replacing(part: "\t", with: " "))" }.joined(separator: "\t")
    }

    private static func joined(_ lines: [PrintedText]) -> PrintedText {
        lines.map { "\($0)\n" }.joined()
    }
}

extension String {
    fileprivate var orNone: String { isEmpty ? "nothing" : self }
}

// MARK: Fields

extension RouteRow: DocumentRecord {
    static let document = DocumentFields<Self>("route") {
        Field("name", \.name, help: "The target as 'Service/task', or 'routing'.")
        Field("kind", \.kind, help: "The kind of destination, such as 'screen'.")
        Field("pattern", \.pattern, help: "The pattern, without its omitted optional parts.")
        Field("declaredPattern", \.declaredPattern, help: "The pattern as declared.")
        Field("aliasOf", \.aliasOf, help: "The main pattern, if this pattern is an alias.")
        Field("screen", \.screen, help: "The class of the screen.")
        Field("reuse", \.reuse, help: "The rule by which a screen is reused.")
        Field("actions", \.actions, help: "The actions, with the presentation options.")
        Field(
            "interceptors",
            \.interceptors,
            help: "The interceptors, in the order in which they run."
        )
        Field("info", \.info, help: "The parameters; null if any parameters are accepted.")
        Field(
            "result",
            { $0.result.map { OptionalType($0.type, $0.isOptional) } },
            help: "The type of the result; null if any type is accepted."
        )
        Field("source", \.source, help: "The location of the declaration.")
    }
}

extension RouteRow.Kind: DocumentValue {}

extension RouteRow.Source: DocumentRecord {
    static let document = DocumentFields<Self>("source") {
        Field("file", \.file, help: "The path of the file.")
        Field("line", \.line, help: "The line number, from 1.")
    }
}

/// A screen class, and the location of its declaration.
struct ListedClass: DocumentRecord {
    let declaration: ScriptInterface.Class
    let source: RouteRow.Source?

    static let document = DocumentFields<Self>("class") {
        Field("name", \.declaration.name, help: "The name of the class.")
        Field("kind", \.declaration.kind.rawValue, help: "The kind of screen, such as 'nav'.")
        Field("fields", listOf: field, \.declaration.fields, help: "The fields of the class.")
        Field("source", \.source, help: "The location of the declaration.")
    }

    private static let field = DocumentFields<InfoDeclaration.Parameter>("field") {
        DocumentField("name", \.name, help: "The name of the field.")
        DocumentField(
            "type",
            { OptionalType($0.type, $0.isOptional) },
            help: "The type of the field."
        )
    }
}

/// Declared parameters, written as an object with the type of each name.
extension InfoDeclaration: DocumentValue {
    static var shape: DocumentShape { .map(OptionalType.shape) }

    func write(to json: inout JSONWriter) {
        json.begin("{")
        for parameter in parameters {
            json.name(parameter.name)
            OptionalType(parameter.type, parameter.isOptional).write(to: &json)
        }
        json.end("}")
    }
}

/// A type, written as a word that scripts use, or as an object with `oneOf`, `list` or `fields`.
struct OptionalType: DocumentValue {
    private let type: ValueType
    private let isOptional: Bool

    init(_ type: ValueType, _ isOptional: Bool) {
        (self.type, self.isOptional) = (type, isOptional)
    }

    static var shape: DocumentShape { .either([.text, .map(.any)]) }

    func write(to json: inout JSONWriter) {
        if case .string(let word) = type.notation(isOptional: isOptional) {
            return json.write(.string(word))
        }
        json.begin("{")
        switch type {
        case .oneOf(let values): json.list("oneOf", elements: values) { $0.write($1) }
        case .list(let element):
            json.name("list")
            OptionalType(element, false).write(to: &json)
        case .record(let record):
            json.name("fields")
            record.write(to: &json)
        default: break
        }
        if isOptional { json.member("optional", .boolean(true)) }
        json.end("}")
    }
}

extension RouteDifference {
    static let document = DocumentFields<Self>("difference") {
        DocumentField("added", \.added, help: "The routes that only the newer scripts declare.")
        DocumentField("removed", \.removed, help: "The routes that only the older scripts declare.")
        DocumentField("changed", \.changed, help: "The routes whose declarations changed.")
    }
}

extension RouteDifference.Change: DocumentRecord {
    static let document = DocumentFields<Self>("changed") {
        Field("name", \.row.name, help: "The target of the route.")
        Field("changes", \.values, help: "The columns that changed.")
        Field("source", \.row.source, help: "The location of the declaration.")
    }
}

extension RouteDifference.Change.Value: DocumentRecord {
    static let document = DocumentFields<Self>("change") {
        Field("column", \.column, help: "The name of the column.")
        Field("before", \.before, help: "The text in the older scripts.")
        Field("after", \.after, help: "The text in the newer scripts.")
    }
}
