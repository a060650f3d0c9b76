// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteURLs

/// Parses the types that scripts declare.
///
/// A type is written in one of these forms:
/// - a word, such as `"integer"`, or a list of a type, such as `"[integer]"`;
/// - a table with the names and types of fields, which accepts a table with these fields;
/// - a list of values, which accepts one of these values;
/// - a list that contains a single table, which declares the type of the elements of a list;
/// - a function that checks the value.
///
/// A `?` after a word, or `optional = true` in a table, makes the type optional.
extension InfoDeclaration {
    /// The words for types, each in its required and its optional form.
    private static let words = NameIndex(ValueType.words.flatMap { [$0.key, $0.key + "?"] })

    /// The key that makes a type optional if the type is written as a table.
    private static let optional = "optional"

    /// Reads a declaration, such as `{ trackId = "integer", title = "string?" }`.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - ignoresList: Whether the table may also contain a list, which is ignored.
    /// - Throws: `script` for an unknown type, `badInfo` for an invalid name.
    package init(_ table: Argument, ignoresList: Bool = false) throws(RouteError) {
        guard table.listCount == 0 || ignoresList else { throw .declarationIsAList() }
        var parameters: [Parameter] = []
        parameters.reserveCapacity(table.entryCount)
        var parts = table.parts
        parts.skip(table.listCount)
        for _ in 0..<table.entryCount {
            let (key, type) = (parts.take(), parts.take())
            guard let name = key.name else { throw .badParameterName(key.key) }
            if let word = Self.words.index(of: type) {
                let type = ValueType.words[word / 2].value
                let isOptional = !word.isMultiple(of: 2)
                parameters.append(Parameter(name: name, type: type, isOptional: isOptional))
            } else {
                parameters.append(try Parameter(name, type.value, path: name))
            }
        }
        self.init(parameters)
    }

    /// Reads the declared fields of a table inside another declaration.
    package init(_ table: InfoTable, path: String) throws(RouteError) {
        var parameters: [Parameter] = []
        for (key, type) in table.entries {
            guard case .string(let string) = key, let name = string.text, Name.isValid(name) else {
                throw .badParameterName(key)
            }
            if name == Self.optional, case .boolean = type { continue }
            let path = path.isEmpty ? name : "\(path).\(name)"
            parameters.append(try Parameter(name, type, path: path))
        }
        self.init(parameters)
    }
}

extension InfoDeclaration {
    /// Creates a declaration of the parameters in URL patterns.
    ///
    /// A parameter is optional unless every pattern requires it. Its type is `any` if its kind
    /// differs between patterns.
    ///
    /// Patterns that cannot be parsed are ignored, because compiling them reports the error.
    init(patterns texts: [String]) {
        let patterns = texts.compactMap { try? URLPattern($0, known: nil) }
        let named = Dictionary(grouping: patterns.flatMap(\.parameters), by: \.name)
        self.init(
            named.map { name, all in
                let isRequired = all.count == patterns.count && !all.contains(where: \.isOptional)
                let isOneType = all.allSatisfy {
                    ($0.kind, $0.isList) == (all[0].kind, all[0].isList)
                }
                let type = all[0].kind.type
                return Parameter(
                    name: name,
                    type: !isOneType ? .any : all[0].isList ? .list(type) : type,
                    isOptional: !isRequired
                )
            }
        )
    }
}

extension URLPattern.Kind {
    /// The type of the values that this kind of parameter has.
    fileprivate var type: ValueType {
        switch self {
        case .int, .uint: .integer
        case .number: .number
        case .bool: .boolean
        case .text, .uuid, .slug, .date: .string
        case .enumeration(let alternatives): .oneOf(alternatives.map(Value.string))
        case .custom: .any
        }
    }
}

extension InfoDeclaration.Parameter {
    /// Reads the declaration of one value.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - type: The type, as written in the script.
    ///   - path: The name of the parameter in messages.
    /// - Throws: `script` for an unknown type, `badInfo` for an invalid name.
    package init(_ name: String, _ type: Value, path: String) throws(RouteError) {
        var isOptional = false
        let read = try ValueType(type, path: path, isOptional: &isOptional)
        self.init(name: name, type: read, isOptional: isOptional)
    }
}

extension ValueType {
    fileprivate init(
        _ type: Value,
        path: String,
        isOptional: inout Bool
    ) throws(RouteError) {
        switch type {
        case .string(let string):
            guard let text = string.text else { throw .badParameterType(path, got: "string") }
            isOptional = text.hasSuffix("?")
            self = try Self.read(isOptional ? text.dropLast() : text[...], path)
        case .table(let table) where !table.isEmpty:
            if case .boolean(let boolean) = table["optional"] { isOptional = boolean }
            let isPlain = table.entries.count == (table["optional"].boolean == nil ? 0 : 1)
            switch table.list.first {
            case nil where !isPlain: self = .record(try InfoDeclaration(table, path: path))
            case .table? where table.list.count == 1 && isPlain:
                var isElementOptional = false
                let element = try Self(
                    table.list[0],
                    path: path,
                    isOptional: &isElementOptional
                )
                if isElementOptional { throw .optionalElement(path) }
                self = .list(element)
            case _? where isPlain:
                if let value = table.list.first(where: { !$0.canBeAlternative }) {
                    throw .badAlternative(path, value)
                }
                self = .oneOf(table.list)
            default: throw .badParameterType(path, got: "table")
            }
        default:
            guard let function = type.function else {
                throw .badParameterType(path, got: type.kindName)
            }
            self = .checked(function)
        }
    }

    /// Reads a type that is written as a word, or as a list such as `[integer]`.
    private static func read(_ text: Substring, _ path: String) throws(RouteError) -> ValueType {
        if let type = words.first(where: { $0.key == text })?.value { return type }
        guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count > 2 else {
            throw .badParameterType(path, RouteError.shortened(String(text)))
        }
        guard text.utf8.prefix(while: { $0 == UInt8(ascii: "[") }).count <= Value.depthLimit else {
            throw .typeTooDeep(path)
        }
        let element = text.dropFirst().dropLast()
        if element.hasSuffix("?") { throw .optionalElement(path) }
        return .list(try read(element, path))
    }
}

extension Value {
    /// Whether the value can be one of the listed values of a type.
    ///
    /// Such a value must equal itself, and must be representable in a contract.
    fileprivate var canBeAlternative: Bool {
        switch self {
        case .boolean, .integer, .string: true
        case .number(let number): !number.isNaN
        case .table(let table):
            table.list.allSatisfy(\.canBeAlternative)
                && table.entries.allSatisfy(\.value.canBeAlternative)
        case .nil, .screen, .function, .object: false
        }
    }
}

extension RouteError {
    fileprivate static func badAlternative(_ path: String, _ value: Value) -> RouteError {
        let got = if case .number = value { "NaN" } else { value.scriptKind }
        return RouteError(
            .script,
            "bad type of parameter '\(path)': a list of values may contain only strings, numbers, booleans and tables of these, got \(got)"
        )
    }

    fileprivate static func typeTooDeep(_ path: String) -> RouteError {
        RouteError(
            .script,
            "bad type of parameter '\(path)': at most \(Value.depthLimit) nested lists are allowed"
        )
    }

    fileprivate static func optionalElement(_ path: String) -> RouteError {
        RouteError(
            .script,
            "bad type of parameter '\(path)': the elements of a list cannot be optional (put the '?' after the list)"
        )
    }
}
