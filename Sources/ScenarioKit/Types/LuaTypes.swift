// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes types as annotations for the Lua language server.
///
/// Option tables to which the annotations refer are collected, and each of them becomes a class.
struct LuaTypes {
    private var tables: [(name: String, isList: Bool, keys: APIKeys)] = []
    private var written = 0

    /// The words for objects in the documentation that are also names of types.
    private static let objects: Set<String> = [
        "action", "finder", "group", "link", "navigation", "routing", "screen", "switch", "task",
        "ticket",
        "timer", "tree",
    ]

    // MARK: Parameters

    /// Returns the type of a parameter of the API.
    ///
    /// Option tables in the type become classes.
    mutating func type(of parameter: APIParameter, in path: String) -> String {
        type(of: parameter.type, parameter, "\(path).\(parameter.name)")
    }

    private mutating func type(
        of type: APIType,
        _ parameter: APIParameter,
        _ path: String
    ) -> String {
        switch type {
        case .any: return "any"
        case .boolean, .integer, .number, .string, .table: return type.title
        case .name: return "string"
        case .reference(let subject, _): return Self.alias(subject)
        case .function: return Self.signature(in: parameter.text)
        case .screen: return "luaroute.Screen"
        case .word(let words): return words.map(Self.literal).joined(separator: "|")
        case .declaration(let names):
            return names.map { "luaroute.\(Self.capitalized($0))" }.joined(separator: "|")
        case .keyed(let keys): return table(path, keys: keys)
        case .listed(let element, let keys):
            let list = Self.list(self.type(of: element, parameter, path))
            if keys.isOpen { return "\(list)|table" }
            if keys.parameters.isEmpty, keys.title == nil { return list }
            // For a table with elements and keys, EmmyLua accepts a class only after the list type,
            // and only if the class allows elements of any type.
            return "\(list)|\(table(path, isList: true, keys: keys))"
        case .either(let types):
            var all: [String] = []
            for type in types {
                let text = self.type(of: type, parameter, path)
                if !all.contains(text) { all.append(text) }
            }
            return all.joined(separator: "|")
        }
    }

    /// Returns the alias for the names of the given kind.
    private static func alias(_ subject: NameSubject) -> String {
        switch subject {
        case .service: "luaroute.Service"
        case .task: "luaroute.TaskName"
        case .target: "luaroute.Service|luaroute.TaskName"
        case .class: "luaroute.Class"
        case .gate: "luaroute.Gate"
        case .interceptor: "luaroute.Interceptor"
        case .action: "luaroute.ActionName"
        case .field, .dependency, .export: "string"
        }
    }

    private mutating func table(
        _ path: String,
        isList: Bool = false,
        keys: APIKeys
    ) -> String {
        let title = keys.title?.split(separator: " ").map { Self.capitalized(String($0)) }.joined()
        let name = "luaroute.\(title ?? path)" + (isList && title == nil ? ".list" : "")
        if !tables.contains(where: { $0.name == name }) { tables.append((name, isList, keys)) }
        return name
    }

    /// Returns the lines that declare the class for the next option table; nil if there are no more
    /// tables.
    mutating func nextTable() -> [String]? {
        guard written < tables.count else { return nil }
        let (name, isList, keys) = tables[written]
        written += 1
        let path = String(name.dropFirst("luaroute.".count))
        var lines = ["---@class \(name)"]
        for key in keys.parameters {
            let mark = key.isOptional ? "?" : ""
            lines.append(
                "---@field \(Self.key(key.name))\(mark) \(type(of: key, in: path)) # \(key.text)"
            )
        }
        if isList { lines.append("---@field [integer] any") }
        return lines
    }

    /// Returns the type of a function, with the parameters from a text such as "`(info, nav)` →
    /// screen".
    ///
    /// If the text has several lists of parameters, the longest is used.
    ///
    /// The results have the type `any`, so the function may also return none.
    private static func signature(in text: String) -> String {
        var longest: [Substring] = []
        for part in text.split(separator: "`") where part.hasPrefix("(") && part.hasSuffix(")") {
            let names = part.dropFirst().dropLast().split { $0 == "," || $0 == " " }
            if names.count > longest.count { longest = names }
        }
        guard !longest.isEmpty else { return "function" }
        let parameters = longest.map { name in
            let type =
                switch name {
                case "nav": "luaroute.Navigation"
                case "screen", "place": "luaroute.Screen"
                case "info", "fields", "state", "table", "event", "request", "route": "table"
                case "service", "task", "text", "window": "string"
                case "done", "proceed": "function"
                default: "any"
                }
            return "\(name): \(type)"
        }
        return "(fun(\(parameters.joined(separator: ", "))): any, any, any)"
    }

    // MARK: Results

    /// Parses the types of results from the notation of the documentation, such as `ticket, or nil,
    /// reason`.
    static func results(_ text: String) -> [(type: String, name: String?)] {
        var results: [(type: String, name: String?)] = []
        for part in text.split(separator: ",") {
            let words = part.split(separator: " ")
            let type = words.filter { $0 != "or" }.map { result(String($0)) }.joined(separator: "|")
            if words.first == "or", let last = results.popLast() {
                results.append(("\(last.type)|\(type)", last.name))
            } else {
                let isNamed = words.count == 1 && (type == "any" || words[0] == "finished")
                results.append((type, isNamed ? String(words[0]) : nil))
            }
        }
        return results
    }

    /// Returns the type of one result.
    static func result(_ word: String) -> String {
        if word.hasSuffix("?") { return result(String(word.dropLast())) + "?" }
        switch word {
        case "boolean", "integer", "number", "string", "table", "nil": return word
        case "finished": return "boolean"
        case "url": return "string"
        case "screens": return "luaroute.Screen[]"
        default: return objects.contains(word) ? "luaroute.\(capitalized(word))" : "any"
        }
    }

    /// Returns the type of a property from its description.
    ///
    /// If the description begins with a word in backticks, the type allows all words in backticks.
    /// Otherwise, the type is `any`.
    static func property(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard text.hasPrefix("`"), !parts.count.isMultiple(of: 2) else { return "any" }
        let words = stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
        return words.map(literal).joined(separator: "|")
    }

    // MARK: Declared types

    /// Returns the type of a value that scripts declare.
    static func type(of type: ValueType) -> String {
        switch type {
        case .integer, .number, .string, .boolean, .table, .function: type.title
        case .screen: "luaroute.Screen"
        case .any, .host, .checked: "any"
        case .list(let element): list(self.type(of: element))
        case .record(let info): record(info.parameters)
        case .oneOf(let values): values.map(literal).joined(separator: "|")
        }
    }

    /// Returns the type of a table with declared fields.
    static func record(_ parameters: [InfoDeclaration.Parameter]) -> String {
        guard !parameters.isEmpty else { return "table" }
        let fields = parameters.map {
            "\(key($0.name))\($0.isOptional ? "?" : ""): \(type(of: $0.type))"
        }
        return "{ \(fields.joined(separator: ", ")) }"
    }

    private static func list(_ element: String) -> String {
        element.contains("|") ? "(\(element))[]" : "\(element)[]"
    }

    /// Returns the name of the Lua class for screens of the given class.
    static func screen(_ name: String) -> String { "luaroute.screen.\(name)" }

    /// Returns the name of a field.
    ///
    /// A name that is not a valid Lua name, or is a visibility keyword such as `private`, becomes a
    /// string literal in brackets.
    static func key(_ name: String) -> String {
        let isName = name.utf8.allSatisfy { $0.isWord }
        return isName && !["package", "private", "protected", "public"].contains(name)
            ? name : "[\(literal(name))]"
    }

    /// Returns the name of a variable.
    ///
    /// A Lua keyword gets an underscore.
    static func variable(_ name: String) -> String {
        keywords.contains(name)
            ? name + "_" : name
    }

    private static let keywords: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
        "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]

    static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Returns a string literal on one line.
    static func literal(_ text: String) -> String { literal(ByteString(text)) }

    private static func literal(_ string: ByteString) -> String {
        var text = "\""
        if let string = string.text, Terminal.escaped(string) == string {
            for character in string.unicodeScalars {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
        } else {
            for byte in string.withBytes({ Array($0) }) {
                if byte.isWord || byte == UInt8(ascii: " ") {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    let digits = String(byte)
                    text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
            }
        }
        return text + "\""
    }

    private static func literal(_ value: Value) -> String {
        switch value {
        case .boolean(let boolean): boolean ? "true" : "false"
        case .integer(let integer): "\(integer)"
        case .string(let string): literal(string)
        case .number: "number"
        case .table: "table"
        case .nil, .screen, .function, .object: "any"
        }
    }
}
