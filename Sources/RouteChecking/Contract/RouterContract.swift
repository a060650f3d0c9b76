// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

/// The declarations of scripts that an app was compiled against.
///
/// The file that `luaroute types --swift` writes contains a contract. A router with a contract
/// accepts only scripts that fit the app's typed calls: every route, task and exported function of
/// the contract exists, accepts the values that the app passes, and returns values that the app
/// accepts. Scripts that break the contract are rejected with the finding `L0236`.
///
/// ```swift
/// var configuration = Router.Configuration()
/// configuration.contract = Routes.contract
/// ```
public struct RouterContract: Sendable {
    /// The first line of each contract, which identifies the format.
    package static let header = "luaroute.contract/1"

    /// The declarations, one per line.
    package let text: String
    /// The source location of the first line of the text.
    let location: RouteError.Location

    /// Creates a contract from text that was written by `luaroute types --swift`.
    ///
    /// - Parameters:
    ///   - text: The text of the contract: a multi-line string literal that begins on the line of
    ///     the call.
    ///   - file: The file that contains the text, for messages.
    ///   - line: The line of the call, for messages.
    public init(_ text: String, file: String = #fileID, line: Int = #line) {
        self.text = text
        location = RouteError.Location(file: file, line: line + 1)
    }

    /// Creates a contract from the text of a Swift file; nil if the file contains no contract.
    ///
    /// - Parameters:
    ///   - source: The text of the file.
    ///   - file: The path of the file, for messages.
    package init?(inSwift source: String, file: String) {
        let lines = source.contractLines
        guard let first = lines.firstIndex(where: { $0.trimmed == Self.header }) else { return nil }
        let text = lines[first...].prefix { !$0.trimmed.hasPrefix("\"\"\"") }
        self.text = text.map(\.trimmed).joined(separator: "\n")
        location = RouteError.Location(file: file, line: first + 1)
    }
}

extension String {
    /// The lines of the text.
    ///
    /// A line ends with LF or CR LF.
    fileprivate var contractLines: [Substring] {
        // CR LF is a single `Character`. Other line separators may occur within Lua strings.
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        while let last = text.last, last == " " || last == "\t" || last == "\r" {
            text.removeLast()
        }
        return String(text)
    }
}

extension ScriptInterface {
    /// The text of a contract, one declaration per line.
    package var contract: String {
        let printer = NotationPrinter()
        func line(_ word: String, _ call: Call) -> String {
            var line = "\(word) \(call.target)"
            if let info = call.info { line += " " + printer.value(.table(info.notation)) }
            if let result = call.result {
                let type = result.type.notation(isOptional: result.isOptional)
                line += " -> " + printer.value(type)
            }
            return line
        }
        var lines = [RouterContract.header]
        lines += routes.filter(\.admitsHost).map { line("route", $0) }
        lines += tasks.map { line("task", $0) }
        lines += classes.map { screen in
            let fields = InfoDeclaration(screen.fields)
            return "screen \(screen.name):\(screen.kind.rawValue) "
                + printer.value(.table(fields.notation))
        }
        lines += exports.map { "export \($0)" }
        return lines.joined(separator: "\n")
    }
}

/// A declaration of a contract, with its location.
struct ContractEntry {
    enum Content {
        case route(ScriptInterface.Call)
        case task(ScriptInterface.Call)
        case screen(String, Screen.Kind, InfoDeclaration)
        case export(String)
    }

    let content: Content
    let location: RouteError.Location
}

extension RouterContract {
    /// Parses the text and returns its declarations.
    ///
    /// - Throws: `parse` with the location of the first line that cannot be read.
    func entries() throws(RouteError) -> [ContractEntry] {
        let lines = text.contractLines.map(\.trimmed)
        guard lines.first == Self.header else {
            throw .badContract("'\(Self.header)' expected", at: location)
        }
        var entries: [ContractEntry] = []
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            let place = RouteError.Location(file: location.file, line: location.line + index)
            let content: ContractEntry.Content?
            do throws(RouteError) {
                content = try Self.content(of: line[...], at: place)
            } catch {
                throw error.location == nil ? .badContract(error.message, at: place) : error
            }
            guard let content else {
                throw .badContract(
                    "a route, task, screen or export expected, got '\(RouteError.shortened(line))'",
                    at: place
                )
            }
            entries.append(ContractEntry(content: content, location: place))
        }
        return entries
    }

    private static func content(
        of line: Substring,
        at location: RouteError.Location
    ) throws(RouteError) -> ContractEntry.Content? {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2 else { return nil }
        let name = String(words[1])
        var rest = words.count == 3 ? words[2] : ""
        switch words[0] {
        case "export": return rest.isEmpty ? .export(name) : nil
        case "screen":
            let parts = name.split(separator: ":")
            guard parts.count == 2, let kind = Screen.Kind(rawValue: String(parts[1])),
                let fields = try info(&rest, at: location), rest.isEmpty
            else { return nil }
            return .screen(String(parts[0]), kind, fields)
        case "route", "task":
            guard let target = try? Target(checking: name) else { return nil }
            let info = try info(&rest, at: location)
            let call = ScriptInterface.Call(
                target: target,
                info: info,
                result: try result(&rest, at: location),
                location: location
            )
            guard rest.isEmpty else { return nil }
            return words[0] == "route" ? .route(call) : .task(call)
        default: return nil
        }
    }

    private static func info(
        _ rest: inout Substring,
        at location: RouteError.Location
    ) throws(RouteError) -> InfoDeclaration? {
        guard rest.hasPrefix("{"), case .table(let table) = try value(&rest, at: location) else {
            return nil
        }
        return try InfoDeclaration(table, path: "")
    }

    private static func result(
        _ rest: inout Substring,
        at location: RouteError.Location
    ) throws(RouteError) -> InfoDeclaration.Parameter? {
        guard rest.hasPrefix("-> ") else { return nil }
        rest = rest.dropFirst(3)
        let type = try value(&rest, at: location)
        return try InfoDeclaration.Parameter("result", type, path: "result")
    }

    /// Parses a value at the start of a text, and removes it from the text.
    private static func value(
        _ rest: inout Substring,
        at location: RouteError.Location
    ) throws(RouteError) -> Value {
        let bytes = Array(rest.utf8)
        var parser = NotationParser(bytes)
        do throws(NotationError) {
            let value = try parser.parseValue()
            let end = bytes[parser.position...].drop { $0 == UInt8(ascii: " ") }
            rest = Substring(String(decoding: end, as: UTF8.self))
            return value
        } catch {
            throw .badContract(error.message, at: location)
        }
    }
}

extension RouteError {
    fileprivate static func badContract(_ what: String, at location: Location) -> RouteError {
        RouteError(
            .parse,
            "bad contract (\(what)); generate the contract again with 'luaroute types --swift'",
            at: location
        )
    }
}
