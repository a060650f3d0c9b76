// SPDX-License-Identifier: MIT

internal import RouteCore

/// The command `luaroute routes`: loads scripts, and lists their registrations.
///
/// It does everything except parsing the command line and ending the process, so tests call it in
/// process.
package struct RoutesCommand: Sendable {
    /// The forms of results.
    package enum Format: Sendable {
        /// Columns for people.
        case text
        /// Tab-separated columns, without a heading.
        case plain
        /// One JSON document.
        case json
    }

    /// The scripts: a file, or a folder with a `main.lua`.
    package var script: String
    /// The options for loading them.
    package var options: RunOptions
    /// The scripts to compare with; nil to list the routes.
    package var other: String?
    /// The texts, one of which a row must contain; empty for all rows.
    package var filter: [String] = []
    /// The column to sort by; nil for the order of matching.
    package var order: RouteColumn?
    /// The form of the results.
    package var format = Format.text
    /// The number of columns of the terminal that shows the results; nil if there is none.
    package var width: Int?
    /// Whether results are coloured.
    package var isOutputColored = false
    /// Whether messages are coloured.
    package var isErrorsColored = false

    /// Creates a command.
    package init(script: String = ".", options: RunOptions = RunOptions()) {
        self.script = script
        self.options = options
    }

    /// Lists the routes.
    ///
    /// - Parameters:
    ///   - output: Called with results, in pieces that end with a line break.
    ///   - errors: Called with each message.
    /// - Returns: The exit code.
    package func run(output: (PrintedText) -> Void, errors: (PrintedText) -> Void) -> ExitCode {
        var diagnostics: [Diagnostic] = []
        var code = ExitCode.success
        func load(_ path: String) -> RouteInventory? {
            do throws(LoadedScripts.Failure) {
                return try LoadedScripts(path, options).inventory
            } catch {
                diagnostics += error.diagnostics
                code = max(code, error.code)
                return nil
            }
        }
        let inventory = load(script)
        var list = inventory?.list
        var difference: RouteDifference?
        if let other {
            let old = load(other)?.list
            if let old, let list { difference = RouteDifference(from: old.rows, to: list.rows) }
            if !filter.isEmpty { difference?.keep(containing: filter) }
        } else {
            if !filter.isEmpty { list?.keep(containing: filter) }
            if let order { list?.sort(by: order) }
            if !filter.isEmpty, list?.rows.isEmpty == true {
                diagnostics.append(.noRoute(containing: filter))
                code = max(code, .nothingSelected)
            }
        }
        let console = ConsoleReport(style: TerminalStyle(isColored: isErrorsColored))
        for diagnostic in diagnostics { errors(console.text(of: diagnostic)) }
        if other == nil {
            write(list, inventory: inventory, diagnostics: diagnostics, code: code, to: output)
        } else {
            write(difference, diagnostics: diagnostics, code: code, to: output)
        }
        return code
    }

    private func write(
        _ list: RouteList?,
        inventory: RouteInventory?,
        diagnostics: [Diagnostic],
        code: ExitCode,
        to output: (PrintedText) -> Void
    ) {
        switch (format, list) {
        case (.text, let list?): if !list.rows.isEmpty { output(writer.text(of: list)) }
        case (.plain, let list?): output(writer.plainText(of: list))
        case (.json, let list):
            output(
                document("luaroute.routes/1", diagnostics: diagnostics, code: code) { json in
                    json.list("routes", elements: list?.rows ?? []) { $0.write($1) }
                    json.list("classes", elements: inventory?.classes ?? []) {
                        $0.write($1.declaration, $1.source)
                    }
                    json.list("gates", elements: inventory?.gates ?? []) { $0.write(Value($1)) }
                    json.list("exports", elements: inventory?.exports ?? []) { $0.write(Value($1)) }
                }
            )
        case (_, nil): break
        }
    }

    private func write(
        _ difference: RouteDifference?,
        diagnostics: [Diagnostic],
        code: ExitCode,
        to output: (PrintedText) -> Void
    ) {
        switch (format, difference) {
        case (.text, let difference?): output(writer.text(of: difference))
        case (.plain, let difference?): output(writer.plainText(of: difference))
        case (.json, let difference):
            output(
                document("luaroute.routes-diff/1", diagnostics: diagnostics, code: code) { json in
                    json.member("other", optional: other)
                    json.write(difference ?? RouteDifference(from: [], to: []))
                }
            )
        case (_, nil): break
        }
    }

    private var writer: RouteListWriter {
        RouteListWriter(style: TerminalStyle(isColored: isOutputColored), width: width)
    }

    private func document(
        _ schema: String,
        diagnostics: [Diagnostic],
        code: ExitCode,
        content: (inout JSONWriter) -> Void
    ) -> PrintedText {
        var json = JSONWriter()
        json.begin("{")
        json.member("schema", schema)
        json.member("script", script)
        content(&json)
        json.list("diagnostics", elements: diagnostics) { $0.write($1) }
        json.member("exitCode", Int(code.rawValue))
        json.end("}")
        return json.document
    }
}

extension Diagnostic {
    static func noRoute(containing texts: [String]) -> Diagnostic {
        let list = texts.map { "'\($0)'" }.joined(separator: " or ")
        return Diagnostic(.nothingSelected, "no route has \(list) in a column")
    }
}
