// SPDX-License-Identifier: MIT

/// The declared type of a value in scripts, such as a parameter, a result or a field.
package enum ValueType: Sendable {
    case integer, number, string, boolean, table, function, screen, any, host
    /// One of the listed values.
    case oneOf([Value])
    /// A list in which all elements have the same type.
    indirect case list(ValueType)
    /// A table with declared fields.
    case record(InfoDeclaration)
    /// A value that a script function checks and converts.
    case checked(any FunctionReference)

    /// The types that scripts write as a single word, with the words as keys.
    package static let words: KeyValuePairs<String, ValueType> = [
        "integer": .integer, "number": .number, "string": .string, "boolean": .boolean,
        "table": .table, "function": .function, "screen": .screen, "any": .any, "host": .host,
    ]

    /// The forms in which Lua scripts declare types, each with a description, a value that the type
    /// accepts and a value that the type rejects.
    ///
    /// The values are in tree notation. A value is nil if no such value has a notation.
    package static let forms: [(form: String, help: String, accepted: String?, rejected: String?)] =
        [
            ("\"integer\"", "an integer, or a float with an integer value", "7", "2.5"),
            ("\"number\"", "an integer or a float", "2.5", "\"7\""),
            ("\"string\"", "a string", "\"seven\"", "7"),
            ("\"boolean\"", "`true` or `false`", "true", "1"),
            ("\"table\"", "any table", "{1, 2}", "1"),
            ("\"function\"", "a function from a script", nil, "1"),
            ("\"screen\"", "a screen", nil, "1"),
            ("\"any\"", "any value except nil", "{a=1}", nil),
            ("\"host\"", "an opaque value from the host", nil, "1"),
            ("\"string?\"", "an optional parameter: any type followed by `?`", "nil", "7"),
            ("\"[integer]\"", "a list of values of one type", "{1, 2}", "{1, \"b\"}"),
            ("{ \"new\", \"old\" }", "one of the listed values", "new", "other"),
            (
                "{ street = \"string\", zip = \"string?\" }", "a table with declared fields",
                "{street=\"Main\"}", "{zip=\"1\"}"
            ),
            (
                "{ { id = \"integer\" } }", "a list of tables with declared fields",
                "{{id=1}, {id=2}}",
                "{{id=true}}"
            ),
            (
                "function(value) if value > 0 then return value end end",
                "a function that returns the converted value, or nil to reject it", "7",
                "-7"
            ),
        ]

    /// A closure that calls a script function with a value, and returns the function's result.
    package typealias Convert = (any FunctionReference, Value) throws(RouteError) -> Value

    /// The name of the type, for messages.
    package var title: String {
        switch self {
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .boolean: "boolean"
        case .table, .record: "table"
        case .function: "function"
        case .screen: "screen"
        case .any, .oneOf, .checked: "value"
        case .host: "host object"
        case .list: "list"
        }
    }

    /// Whether checking a value of the type calls a script function.
    package var callsScripts: Bool {
        switch self {
        case .checked: true
        case .list(let element): element.callsScripts
        case .record(let record): record.callsScripts
        default: false
        }
    }

    /// Whether a field of a screen can have this type.
    ///
    /// Functions, screens and host objects cannot be fields.
    package var canBeField: Bool {
        switch self {
        case .function, .screen, .host: false
        case .list(let element): element.canBeField
        case .record(let record): record.parameters.allSatisfy(\.type.canBeField)
        default: true
        }
    }

    /// Whether a check may convert the value.
    private var converts: Bool {
        switch self {
        case .integer, .checked: true
        case .list(let element): element.converts
        case .record(let record): record.parameters.contains(where: \.type.converts)
        default: false
        }
    }

    /// Checks a value, and converts it if necessary.
    ///
    /// - Throws: A ``ValueMismatch`` for the first part of the value that does not match.
    /// - Complexity: O(*n*) in the number of values inside the value.
    func check(_ value: Value, _ convert: Convert) throws(ValueMismatch) -> Value {
        switch (self, value) {
        case (.integer, .integer), (.number, .integer), (.number, .number), (.string, .string),
            (.boolean, .boolean), (.table, .table), (.function, .function), (.screen, .screen):
            return value
        case (.host, .object(let object)) where !(object.base is any Declaration): return value
        case (.integer, .number):
            if let integer = value.integer { return .integer(integer) }
            throw ValueMismatch(expected: title, got: value)
        case (.any, let value) where !value.isNil:
            return value
        case (.oneOf(let values), _):
            if let match = values.first(where: { $0.isEqual(to: value) }) { return match }
            throw ValueMismatch(alternatives: values, got: value)
        case (.list(let element), .table(let table)) where table.isList:
            var checked: [Value] = []
            for (index, value) in table.list.enumerated() {
                do throws(ValueMismatch) {
                    let value = try element.check(value, convert)
                    if converts { checked.append(value) }
                } catch {
                    throw error.inside("[\(index + 1)]")
                }
            }
            return converts ? .table(InfoTable(list: checked)) : value
        case (.record(let record), .table(let table)):
            return .table(try record.checked(table, convert))
        case (.checked(let function), _):
            let converted: Value
            do throws(RouteError) { converted = try convert(function, value) } catch {
                throw ValueMismatch(raised: error)
            }
            if !converted.isNil { return converted }
            throw ValueMismatch(
                expected: "another value",
                got: "\(value.kindName), which the declared function rejects"
            )
        default:
            throw ValueMismatch(expected: title, got: value)
        }
    }
}

/// The declared parameters of a route or task, or the declared fields of a table.
package struct InfoDeclaration: Sendable {
    package struct Parameter: Sendable {
        package let name: String
        package let type: ValueType
        package let isOptional: Bool

        package init(name: String, type: ValueType, isOptional: Bool = false) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
        }
    }

    /// The parameters, sorted by name.
    package let parameters: [Parameter]

    /// Creates a declaration from parameters in any order.
    package init(_ parameters: [Parameter]) {
        let isSorted = zip(parameters, parameters.dropFirst()).allSatisfy { $0.name < $1.name }
        self.parameters = isSorted ? parameters : parameters.sorted { $0.name < $1.name }
    }

    /// The parameter with the given name.
    ///
    /// - Complexity: O(log *n*) in the number of parameters.
    package subscript(name: String) -> Parameter? {
        var range = parameters.startIndex..<parameters.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let parameter = parameters[middle]
            if parameter.name == name { return parameter }
            range =
                parameter.name < name
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Whether checking the parameters calls a script function.
    package var callsScripts: Bool { parameters.contains(where: \.type.callsScripts) }

    /// Checks parameters, and converts their values if their types require it.
    ///
    /// - Parameters:
    ///   - info: The parameters that were passed.
    ///   - privateNames: The names whose values are hidden in messages.
    ///   - convert: A closure that calls a script function with a value.
    /// - Returns: The parameters with their converted values.
    /// - Throws: `badInfo`, naming the first parameter that does not match, or the error that
    ///   `convert` throws.
    package func check(
        _ info: InfoTable,
        hiding privateNames: Set<String>,
        convert: ValueType.Convert
    ) throws(RouteError) -> InfoTable {
        do throws(ValueMismatch) { return try checked(info, convert) } catch {
            throw error.routeError(hiding: privateNames)
        }
    }

    fileprivate func checked(
        _ info: InfoTable,
        _ convert: ValueType.Convert
    ) throws(ValueMismatch) -> InfoTable {
        if !info.list.isEmpty { throw ValueMismatch(unknown: "[1]", among: []) }
        for (key, _) in info.entries {
            guard case .string(let string) = key, let name = string.text, self[name] != nil else {
                throw ValueMismatch(unknown: key.pathComponent, among: parameters.map(\.name))
            }
        }
        var checked = info
        for parameter in parameters {
            let value = info[parameter.name]
            if value.isNil, parameter.isOptional { continue }
            do throws(ValueMismatch) {
                checked[parameter.name] = try parameter.type.check(value, convert)
            } catch {
                throw error.inside(field: parameter.name)
            }
        }
        return checked
    }

    /// Returns the given parameters, leaving out undeclared parameters.
    package func part(of info: InfoTable) -> InfoTable {
        var part = InfoTable()
        for parameter in parameters {
            let value = info[parameter.name]
            if !value.isNil { part[parameter.name] = value }
        }
        return part
    }
}

extension InfoDeclaration.Parameter {
    /// Checks the value of the parameter.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - privateNames: The names whose values are hidden in messages.
    ///   - acceptsNil: Whether nil is accepted for any type.
    ///   - convert: A closure that calls a script function with a value. The default closure
    ///     returns the value unchanged, without calling the function.
    /// - Returns: The converted value.
    /// - Throws: `badInfo`, naming the parameter and the part of the value that does not match.
    package func check(
        _ value: Value,
        hiding privateNames: Set<String>,
        acceptsNil: Bool = true,
        convert: ValueType.Convert = { _, value in value }
    ) throws(RouteError) -> Value {
        if value.isNil, acceptsNil { return value }
        do throws(ValueMismatch) {
            return try type.check(value, convert)
        } catch {
            throw error.inside(field: name).routeError(hiding: privateNames)
        }
    }
}
