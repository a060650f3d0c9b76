// SPDX-License-Identifier: MIT

import LuaVM

/// A script whose calls of the Lua API are compared with annotations.
///
/// For each call, the function must exist, and the number of arguments and the keys and words of
/// literals must match.
struct AnnotatedScript {
    private let annotations: LuaAnnotations
    private let tokens: [(kind: LuaToken.Kind, text: String, line: Int)]
    /// The paths of functions by the local names that scripts give them, as in `local screen =
    /// router.screen`.
    private var names: [String: String] = [:]
    private(set) var problems: [String] = []
    /// The number of calls that were compared.
    private(set) var count = 0

    init(_ source: String, _ annotations: LuaAnnotations) {
        let bytes = Array(source.utf8)
        self.annotations = annotations
        tokens = LuaTokens(bytes).map { token in
            let text = String(decoding: bytes[token.content], as: UTF8.self)
            return (token.kind, text, token.lines.lowerBound)
        }
        readNames()
        for index in tokens.indices {
            guard let (path, next, isMethod) = function(at: index) else { continue }
            check(path, next, isMethod: isMethod)
        }
    }

    private func isSymbol(_ text: String, at index: Int) -> Bool {
        index < tokens.count && tokens[index].kind != .string && tokens[index].text == text
    }

    private mutating func report(_ text: String, at index: Int) {
        problems.append("\(tokens[index].line): \(text)")
    }

    // MARK: Names

    /// Reads `local a, b = router.a, router.b`.
    private mutating func readNames() {
        for start in tokens.indices where isSymbol("local", at: start) {
            var (index, own): (Int, [String]) = (start + 1, [])
            while index < tokens.count, tokens[index].kind == .name {
                own.append(tokens[index].text)
                guard isSymbol(",", at: index + 1) else { break }
                index += 2
            }
            guard isSymbol("=", at: index + 1) else { continue }
            index += 2
            for name in own {
                guard isSymbol("router", at: index), isSymbol(".", at: index + 1),
                    !["(", "{", ".", ":"].contains(where: { isSymbol($0, at: index + 3) }),
                    index + 3 >= tokens.count || tokens[index + 3].kind != .string
                else { break }
                names[name] = "router.\(tokens[index + 2].text)"
                guard isSymbol(",", at: index + 3) else { break }
                index += 4
            }
        }
    }

    /// Returns the function that is called at an index, and the index of the arguments; nil if
    /// there is no call.
    private func function(at index: Int) -> (path: String, next: Int, isMethod: Bool)? {
        guard tokens[index].kind == .name,
            index == 0
                || ![".", ":", "function", "local"].contains(where: { isSymbol($0, at: index - 1) })
        else { return nil }
        var path = names[tokens[index].text] ?? tokens[index].text
        var next = index + 1
        var isMethod = false
        while [".", ":"].contains(where: { isSymbol($0, at: next) }), next + 1 < tokens.count {
            isMethod = isSymbol(":", at: next)
            path += ".\(tokens[next + 1].text)"
            next += 2
            if isMethod { break }
        }
        let parts = path.split(separator: ".")
        let isAPI =
            parts[0] == "router" && (parts.count == 2 || parts.count == 3 && parts[1] == "log")
            || parts[0] == "nav" && parts.count == 2 && isMethod
        guard isAPI, next < tokens.count,
            tokens[next].kind == .string || isSymbol("(", at: next) || isSymbol("{", at: next)
        else { return nil }
        return (path, next, isMethod)
    }

    // MARK: Calls

    private mutating func check(_ path: String, _ next: Int, isMethod: Bool) {
        guard let function = annotations.functions[path] else {
            return report("there is no '\(path)'", at: next)
        }
        count += 1
        let arguments =
            isSymbol("(", at: next) ? list(from: next, until: ")").parts : [next..<end(of: next)]
        let required = function.parameters.prefix { !$0.isOptional }.count
        let isOpen = arguments.last.map { isOpenEnded($0) } ?? false
        if arguments.count > function.parameters.count || arguments.count < required && !isOpen {
            let range = "\(required) to \(function.parameters.count)"
            report("'\(path)' takes \(range) arguments, got \(arguments.count)", at: next)
        }
        let overload = function.overloads.first { parameters in
            zip(parameters, arguments).prefix(2).allSatisfy { parameter, argument in
                !parameter.type.hasPrefix("\"")
                    || argument.count == 1
                        && "\"\(tokens[argument.lowerBound].text)\"" == parameter.type
            }
        }
        for (parameter, argument) in zip(overload ?? function.parameters, arguments) {
            check(argument, parameter.type, "\(path), \(parameter.name)")
        }
    }

    /// Returns whether a range is a call or `...`, which may have any number of values.
    private func isOpenEnded(_ range: Range<Int>) -> Bool {
        guard let last = range.last else { return false }
        return isSymbol("...", at: last) || range.count > 1 && isSymbol(")", at: last)
    }

    /// Returns the index after a string or a table that is an argument without parentheses.
    private func end(of index: Int) -> Int {
        tokens[index].kind == .string ? index + 1 : list(from: index, until: "}").end
    }

    /// Returns the elements of a list in brackets, and the index after the list.
    private func list(from open: Int, until close: String) -> (parts: [Range<Int>], end: Int) {
        var (parts, depth, index, start): ([Range<Int>], Int, Int, Int) = (
            [], 0, open + 1, open + 1
        )
        while index < tokens.count {
            let text = tokens[index].kind == .string ? "" : tokens[index].text
            if depth == 0, text == close { break }
            switch text {
            case "(", "{", "[", "function", "if", "do", "repeat": depth += 1
            case ")", "}", "]", "end", "until": depth -= 1
            case ",", ";":
                guard depth == 0 else { break }
                parts.append(start..<index)
                start = index + 1
            default: break
            }
            index += 1
        }
        if start < index { parts.append(start..<index) }
        return (parts, index + 1)
    }

    // MARK: Values

    /// Checks a literal against a type.
    ///
    /// Any other expression is accepted.
    private mutating func check(_ range: Range<Int>, _ type: String, _ place: String) {
        let types = alternatives(of: type)
        guard let first = range.first, !types.contains("any") else { return }
        if range.count == 1, tokens[first].kind == .string {
            let text = tokens[first].text
            if !types.contains("string"), !types.contains("\"\(text)\"") {
                report("\(place): '\(text)' is none of \(type)", at: first)
            }
        } else if isSymbol("{", at: first), list(from: first, until: "}").end == range.upperBound {
            check(table: first, types, "\(place)")
        } else if isSymbol("function", at: first), !types.contains(where: { $0.hasPrefix("fun") }) {
            report("\(place): a function is no \(type)", at: first)
        }
    }

    private mutating func check(table start: Int, _ types: [String], _ place: String) {
        guard !types.contains("table") else { return }
        let classes = types.compactMap { annotations.classes[$0] }
        let records = types.filter { $0.hasPrefix("{") }.compactMap(LuaAnnotations.arguments)
        let lists =
            classes.compactMap(\.element)
            + types.filter { $0.hasSuffix("[]") }.map { String($0.dropLast(2)) }
        if classes.isEmpty, records.isEmpty, lists.isEmpty {
            return report("\(place): a table is none of \(types)", at: start)
        }
        for part in list(from: start, until: "}").parts {
            let isBracketed = isSymbol("[", at: part.lowerBound)
            let key = tokens[part.lowerBound + (isBracketed ? 1 : 0)]
            guard isSymbol("=", at: part.lowerBound + (isBracketed ? 3 : 1)) else {
                if lists.isEmpty { report("\(place): elements", at: part.lowerBound) }
                if !lists.isEmpty { check(part, lists.joined(separator: "|"), "\(place)[]") }
                continue
            }
            let found =
                classes.compactMap { $0.fields[key.text] ?? $0.others }
                + records.compactMap { $0.first { $0.name == key.text }?.type }
            guard !found.isEmpty else {
                report("\(place): unknown key '\(key.text)'", at: part.lowerBound)
                continue
            }
            let value = part.dropFirst(isBracketed ? 4 : 2)
            check(value, found.joined(separator: "|"), "\(place).\(key.text)")
        }
        for record in records where classes.isEmpty && lists.isEmpty {
            let keys = list(from: start, until: "}").parts.map { tokens[$0.lowerBound].text }
            for field in record where !field.isOptional && !keys.contains(field.name) {
                report("\(place): '\(field.name)' is missing", at: start)
            }
        }
    }

    /// Returns the alternatives of a type, with aliases resolved.
    private func alternatives(of type: String) -> [String] {
        LuaAnnotations.parts(type, separator: "|").flatMap { part -> [String] in
            if part.hasSuffix("?") { return alternatives(of: String(part.dropLast())) }
            if let words = annotations.aliases[part] { return words }
            guard part.hasPrefix("("), part.hasSuffix(")") else { return [part] }
            return alternatives(of: String(part.dropFirst().dropLast()))
        }
    }
}
