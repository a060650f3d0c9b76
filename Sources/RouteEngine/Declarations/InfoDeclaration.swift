// SPDX-License-Identifier: MIT

package import RouteCore

/// The parameters that a route or task declares.
package struct InfoDeclaration: Sendable {
    /// The type of a parameter.
    package enum Kind: Sendable {
        case integer, number, string, boolean, table, function, screen, any, host
        /// One of some values.
        case oneOf([Value])
        /// The result of a function of the script, which checks and converts the value.
        case checked(ScriptFunction)
    }

    package struct Parameter: Sendable {
        package let name: String
        package let kind: Kind
        package let isOptional: Bool
    }

    /// The parameters, sorted by name.
    package let parameters: [Parameter]

    private static let kinds: KeyValuePairs<String, Kind> = [
        "integer": .integer, "number": .number, "string": .string, "boolean": .boolean,
        "table": .table, "function": .function, "screen": .screen, "any": .any, "host": .host,
    ]

    /// The words for the kinds: each twice, for what is required and what is optional.
    private static let words = NameIndex(kinds.flatMap { [$0.key, $0.key + "?"] })

    /// Reads a declaration, such as `{ trackId = "integer", title = "string?" }`.
    ///
    /// - Throws: `script` for a type that there is not, `badInfo` for what should be a name.
    init(_ table: Argument) throws(RouteError) {
        guard table.listCount == 0 else { throw .declarationIsAList() }
        var parameters: [Parameter] = []
        parameters.reserveCapacity(table.entryCount)
        var parts = table.parts
        for _ in 0..<table.entryCount {
            let (key, type) = (parts.take(), parts.take())
            guard let name = key.name else { throw .badParameterName(key.key) }
            if let word = Self.words.index(of: type) {
                let kind = Self.kinds[word / 2].value
                let isOptional = !word.isMultiple(of: 2)
                parameters.append(Parameter(name: name, kind: kind, isOptional: isOptional))
            } else {
                parameters.append(try Self.parameter(name, type.value))
            }
        }
        self.parameters = parameters
    }

    /// Reads a type that is no word.
    private static func parameter(_ name: String, _ type: Value) throws(RouteError) -> Parameter {
        switch type {
        case .string(let string):
            let text = RouteError.shortened(string)
            let word = text.hasSuffix("?") ? String(text.dropLast()) : text
            throw .badParameterType(name, word, among: kinds.map(\.key).sorted())
        case .table(let table) where table.isList && !table.isEmpty:
            return Parameter(name: name, kind: .oneOf(table.list), isOptional: false)
        default:
            if let function = type.function {
                return Parameter(name: name, kind: .checked(function), isOptional: false)
            }
            throw .badParameterType(name, type.kindName, among: [])
        }
    }

    /// Whether a function of the script checks a parameter.
    package var callsScripts: Bool {
        parameters.contains { if case .checked = $0.kind { true } else { false } }
    }

    /// Whether a field of a screen takes the value of a parameter: functions, screens and host
    /// objects cannot be fields.
    package func declaresField(_ name: String) -> Bool {
        guard let parameter = parameters.first(where: { $0.name == name }) else { return false }
        switch parameter.kind {
        case .function, .screen, .host: return false
        default: return true
        }
    }

    /// Checks an info and converts what is to be converted.
    ///
    /// - Parameters:
    ///   - info: The parameters as they came.
    ///   - convert: Calls a function of the script with a value.
    /// - Returns: The info with what was converted.
    /// - Throws: `badInfo`, naming the first parameter that is wrong, or what `convert` throws.
    package func check(
        _ info: InfoTable,
        convert: (ScriptFunction, Value) throws(RouteError) -> Value
    ) throws(RouteError) -> InfoTable {
        if !info.list.isEmpty { throw .unknownParameter("[1]", among: []) }
        for (key, _) in info.entries {
            guard case .string(let string) = key, let name = string.text,
                parameters.contains(where: { $0.name == name })
            else {
                let name = key.pathComponent.drop { $0 == "." }
                throw .unknownParameter(String(name), among: parameters.map(\.name))
            }
        }
        var checked = info
        for parameter in parameters {
            let value = info[parameter.name]
            if value.isNil, parameter.isOptional { continue }
            checked[parameter.name] = try check(value, parameter, convert)
        }
        return checked
    }

    private func check(
        _ value: Value,
        _ parameter: Parameter,
        _ convert: (ScriptFunction, Value) throws(RouteError) -> Value
    ) throws(RouteError) -> Value {
        switch (parameter.kind, value) {
        case (.integer, .integer), (.number, .integer), (.number, .number), (.string, .string),
            (.boolean, .boolean), (.table, .table), (.function, .function), (.screen, .screen):
            return value
        case (.host, .object(let object)) where !(object.base is any Declaration): return value
        case (.integer, .number):
            if let integer = value.integer { return .integer(integer) }
            throw .badParameter(parameter.name, expected: "integer", got: "number")
        case (.any, let value) where !value.isNil:
            return value
        case (.oneOf(let values), _):
            if let match = values.first(where: { $0.isEqual(to: value) }) { return match }
            let printer = NotationPrinter()
            throw .badParameter(
                parameter.name,
                expected: values.map(printer.value).joined(separator: " or "),
                got: value.isNil ? "nil" : printer.value(value)
            )
        case (.checked(let function), _):
            let converted = try convert(function, value)
            if converted.isNil {
                throw .badParameter(
                    parameter.name,
                    expected: "a value that its check accepts",
                    got: value.kindName
                )
            }
            return converted
        default:
            throw .badParameter(
                parameter.name,
                expected: parameter.kind.title,
                got: value.scriptKind
            )
        }
    }

    /// The parameters that are declared, of all that come.
    package func part(of info: InfoTable) -> InfoTable {
        var part = InfoTable()
        for parameter in parameters {
            let value = info[parameter.name]
            if !value.isNil { part[parameter.name] = value }
        }
        return part
    }
}

extension InfoDeclaration.Kind {
    /// The kind as messages name it.
    package var title: String {
        switch self {
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .boolean: "boolean"
        case .table: "table"
        case .function: "function"
        case .screen: "screen"
        case .any, .oneOf, .checked: "value"
        case .host: "host object"
        }
    }
}
