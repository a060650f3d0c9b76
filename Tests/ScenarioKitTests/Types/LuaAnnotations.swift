// SPDX-License-Identifier: MIT

import LuaVM

/// The annotations in a definition file, as a Lua language server reads them.
struct LuaAnnotations {
    struct Parameter {
        let name: String
        let type: String
        let isOptional: Bool
    }

    struct Function {
        let parameters: [Parameter]
        var overloads: [[Parameter]] = []
    }

    /// A class, with the types of its keys, of its elements, and of all other keys.
    struct Class {
        var parent: String?
        var fields: [String: String] = [:]
        var element: String?
        var others: String?
    }

    private(set) var functions: [String: Function] = [:]
    private(set) var classes: [String: Class] = [:]
    private(set) var aliases: [String: [String]] = [:]
    /// The lines that are not known annotations, or that contradict other lines.
    private(set) var problems: [String] = []

    init(_ text: String) {
        var (parameters, overloads, name): ([Parameter], [[Parameter]], String?) = ([], [], nil)
        for line in text.split(separator: "\n").map(String.init) {
            let body = line.firstRange(of: " # ").map { String(line[..<$0.lowerBound]) } ?? line
            let words = body.split(separator: " ", maxSplits: 2).map(String.init)
            switch words[0] {
            case "---@class":
                let key = words[1].hasSuffix(":") ? String(words[1].dropLast()) : words[1]
                if classes[key] != nil { problems.append(line) }
                classes[key] = Class(parent: words.count > 2 ? words[2] : nil)
                name = key
            case "---@alias":
                (name, aliases[words[1]]) = (words[1], [])
            case "---|": name.map { aliases[$0]?.append(String(body.dropFirst(5))) }
            case "---@field" where body.hasPrefix("---@field [integer] "):
                name.map { classes[$0]?.element = words[2] }
            case "---@field" where body.hasPrefix("---@field [string] "):
                name.map { classes[$0]?.others = words[2] }
            case "---@field":
                let field = Self.parameter(words[1], words[2])
                let key =
                    field.name.hasPrefix("[\"")
                    ? field.name.dropFirst(2).dropLast(2) : field.name[...]
                name.map { classes[$0]?.fields[String(key)] = field.type }
            case "---@param": parameters.append(Self.parameter(words[1], words[2]))
            case "---@overload":
                let list = Self.arguments(of: String(body.dropFirst("---@overload ".count)))
                overloads.append(list ?? [])
                if list == nil { problems.append(line) }
            case "function":
                let parts = body.dropFirst(9).split { "() ".contains($0) }.map(String.init)
                let names = parts.dropFirst().dropLast().map { $0.filter { $0 != "," } }
                if names != parameters.map(\.name) { problems.append(line) }
                let path = parts[0].replacing(":", with: ".")
                if functions[path] != nil { problems.append(line) }
                functions[path] = Function(parameters: parameters, overloads: overloads)
                (parameters, overloads) = ([], [])
            case "---@meta", "---@return", "--", "local", "router", "router.log": break
            default: if !line.hasPrefix("---") || line.hasPrefix("---@") { problems.append(line) }
            }
        }
        let known = Set(classes.keys).union(aliases.keys)
        let types =
            functions.values.flatMap { ([$0.parameters] + $0.overloads).joined().map(\.type) }
            + classes.values.flatMap {
                $0.fields.values + [$0.element, $0.parent].compactMap(\.self)
            }
        for type in types {
            for name in type.matches(of: /luaroute(\.\w+)+/).map({ String($0.output.0) })
            where !known.contains(name) { problems.append("unknown \(name)") }
        }
    }

    private static func parameter(_ name: String, _ type: String) -> Parameter {
        let isOptional = name.hasSuffix("?")
        return Parameter(
            name: isOptional ? String(name.dropLast()) : name,
            type: type,
            isOptional: isOptional
        )
    }

    /// Returns the parts of a type or a list, divided at separators outside of brackets and quotes.
    static func parts(_ text: some StringProtocol, separator: Character) -> [String] {
        var (parts, depth, isQuoted) = ([""], 0, false)
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, "([{<".contains(character) { depth += 1 }
            if !isQuoted, ")]}>".contains(character) { depth -= 1 }
            if character == separator, depth == 0, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { $0.trimmingPrefix(" ") }.map(String.init).filter { !$0.isEmpty }
    }

    /// Returns the parameters of `fun(name: type, …)`, or the fields of `{ name: type, … }`.
    static func arguments(of type: String) -> [Parameter]? {
        guard let open = type.firstIndex(where: { "({".contains($0) }) else { return nil }
        var depth = 0
        let end = type[open...].firstIndex { character in
            depth += "({".contains(character) ? 1 : ")}".contains(character) ? -1 : 0
            return depth == 0
        }
        guard let end else { return nil }
        return parts(type[type.index(after: open)..<end], separator: ",").compactMap { part in
            part.firstRange(of: ": ").map { colon in
                let name = String(part[..<colon.lowerBound])
                return parameter(name, String(part[colon.upperBound...]))
            }
        }
    }
}
