// SPDX-License-Identifier: MIT

internal import LuaRouting
package import RouteCore

/// Writes lists of routes, and differences of two, for people.
struct RouteListWriter {
    var style = TerminalStyle()
    /// The number of columns of the terminal; nil if there is none: then nothing is cut.
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

    /// Returns lines that begin with `+`, `-` or `~`; a line for each changed column follows the
    /// latter.
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

    /// Returns tab-separated lines: the sign and the columns of an added or removed route; or the
    /// sign, the name, a column, its old and its new value.
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

extension JSONWriter {
    /// Writes a row, with null for missing values.
    mutating func write(_ row: RouteRow) {
        begin("{")
        member("name", row.name)
        member("kind", row.kind.rawValue)
        member("pattern", optional: row.pattern)
        member("declaredPattern", optional: row.declaredPattern)
        member("aliasOf", optional: row.aliasOf)
        member("screen", optional: row.screen)
        member("reuse", optional: row.reuse)
        list("actions", elements: row.actions) { $0.write(.string(ByteString($1))) }
        list("interceptors", elements: row.interceptors) { $0.write(.string(ByteString($1))) }
        if let info = row.info { member("info", info) } else { member("info", .nil) }
        if let result = row.result {
            name("result")
            write(result.type, isOptional: result.isOptional)
        } else {
            member("result", .nil)
        }
        member("source", row.source)
        end("}")
    }

    /// Writes a class of screens.
    mutating func write(_ screen: ScriptInterface.Class, _ source: RouteRow.Source?) {
        begin("{")
        member("name", screen.name)
        member("kind", screen.kind.rawValue)
        list("fields", elements: screen.fields) { json, field in
            json.begin("{")
            json.member("name", field.name)
            json.name("type")
            json.write(field.type, isOptional: field.isOptional)
            json.end("}")
        }
        member("source", source)
        end("}")
    }

    /// Writes declared parameters: an object of types by name.
    private mutating func member(_ name: String, _ info: InfoDeclaration) {
        self.name(name)
        begin("{")
        for parameter in info.parameters {
            self.name(parameter.name)
            write(parameter.type, isOptional: parameter.isOptional)
        }
        end("}")
    }

    /// Writes a type: a word as in scripts, or an object with `oneOf`, `list` or `fields`.
    private mutating func write(_ type: ValueType, isOptional: Bool) {
        if case .string(let word) = type.notation(isOptional: isOptional) {
            return write(.string(word))
        }
        begin("{")
        switch type {
        case .oneOf(let values): list("oneOf", elements: values) { $0.write($1) }
        case .list(let element):
            name("list")
            write(element, isOptional: false)
        case .record(let record): member("fields", record)
        default: break
        }
        if isOptional { member("optional", .boolean(true)) }
        end("}")
    }

    /// Writes the added, removed and changed routes.
    mutating func write(_ difference: RouteDifference) {
        list("added", elements: difference.added) { $0.write($1) }
        list("removed", elements: difference.removed) { $0.write($1) }
        list("changed", elements: difference.changed) { writer, change in
            writer.begin("{")
            writer.member("name", change.row.name)
            writer.list("changes", elements: change.values) { writer, value in
                writer.begin("{")
                writer.member("column", value.column)
                writer.member("before", value.before)
                writer.member("after", value.after)
                writer.end("}")
            }
            writer.member("source", change.row.source)
            writer.end("}")
        }
    }

    package mutating func member(_ name: String, optional text: String?) {
        member(name, text.map { .string(ByteString($0)) } ?? .nil)
    }

    mutating func member(_ name: String, _ source: RouteRow.Source?) {
        guard let source else { return member(name, .nil) }
        self.name(name)
        begin("{")
        member("file", source.file)
        member("line", source.line)
        end("}")
    }
}
