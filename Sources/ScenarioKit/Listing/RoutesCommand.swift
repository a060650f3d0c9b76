// SPDX-License-Identifier: MIT

internal import RouteCore

/// The command `luaroute routes`: loads scripts, and lists their registrations.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct RoutesCommand: Sendable {
    /// The output formats.
    package enum Format: Sendable {
        /// Human-readable columns.
        case text
        /// Tab-separated columns, without a heading.
        case plain
        /// A single JSON document.
        case json
    }

    /// The scripts: a file, or a folder with a `main.lua`.
    package var script: String
    /// The options for loading the scripts.
    package var options: RunOptions
    /// The older scripts to compare the routes with; `nil` to list the routes instead.
    package var other: String?
    /// The texts of the filter.
    ///
    /// A row is listed if it contains at least one of the texts, or if there are no texts.
    package var filter: [String] = []
    /// The column by which to sort; `nil` for the order of matching.
    package var order: RouteColumn?
    /// The output format.
    package var format = Format.text

    /// Creates a command.
    package init(script: String = ".", options: RunOptions = RunOptions()) {
        self.script = script
        self.options = options
    }

    /// Lists or compares the routes.
    ///
    /// - Returns: The exit code.
    package func run(_ console: Console) -> ExitCode {
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
        diagnostics.forEach(console.write)
        if other == nil {
            write(list, inventory: inventory, diagnostics: diagnostics, code: code, to: console)
        } else {
            write(difference, diagnostics: diagnostics, code: code, to: console)
        }
        return code
    }

    private func write(
        _ list: RouteList?,
        inventory: RouteInventory?,
        diagnostics: [Diagnostic],
        code: ExitCode,
        to console: Console
    ) {
        switch (format, list) {
        case (.text, let list?):
            if !list.rows.isEmpty { console.output(writer(console).text(of: list)) }
        case (.plain, let list?): console.output(writer(console).plainText(of: list))
        case (.json, let list):
            console.output(
                Self.document.text(
                    of: CommandResult(
                        (script, inventory, list?.rows ?? []),
                        diagnostics: diagnostics,
                        code: code
                    )
                )
            )
        case (_, nil): break
        }
    }

    private func write(
        _ difference: RouteDifference?,
        diagnostics: [Diagnostic],
        code: ExitCode,
        to console: Console
    ) {
        switch (format, difference) {
        case (.text, let difference?): console.output(writer(console).text(of: difference))
        case (.plain, let difference?): console.output(writer(console).plainText(of: difference))
        case (.json, let difference):
            console.output(
                Self.differences.text(
                    of: CommandResult(
                        (script, other ?? "", difference ?? RouteDifference(from: [], to: [])),
                        diagnostics: diagnostics,
                        code: code
                    )
                )
            )
        case (_, nil): break
        }
    }

    private func writer(_ console: Console) -> RouteListWriter {
        RouteListWriter(style: console.style, width: console.width)
    }

    // MARK: Fields

    typealias Listed = (script: String, inventory: RouteInventory?, rows: [RouteRow])

    static let document = DocumentFields<CommandResult<Listed>>.result("routes") {
        DocumentField<Listed>("script", \.script, help: "The path of the scripts.")
        DocumentField("routes", \.rows, help: "The routes, in the order in which URLs are matched.")
        DocumentField("classes", { $0.inventory?.classes ?? [] }, help: "The screen classes.")
        DocumentField("gates", { $0.inventory?.gates ?? [] }, help: "The gates.")
        DocumentField("exports", { $0.inventory?.exports ?? [] }, help: "The exported functions.")
    }

    typealias Compared = (script: String, other: String, difference: RouteDifference)

    static let differences = DocumentFields<CommandResult<Compared>>.result("routes-diff") {
        DocumentField<Compared>("script", \.script, help: "The path of the scripts.")
        DocumentField("other", \.other, help: "The path of the older scripts.")
        RouteDifference.document.within(\.difference)
    }
}

extension Diagnostic {
    static func noRoute(containing texts: [String]) -> Diagnostic {
        let list = texts.map { "'\($0)'" }.joined(separator: " or ")
        return Diagnostic(.nothingSelected, "no route has \(list) in any column")
    }
}
