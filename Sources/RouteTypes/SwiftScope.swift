// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A Swift scope that contains generated declarations: a namespace, a structure or the file.
struct SwiftScope {
    /// The path to the type, such as `Routes.Order`.
    let path: String
    /// The access level of the type, with a trailing space; empty for `internal`.
    let access: String
    /// The declarations, without indentation.
    private(set) var lines: [String] = []
    private var names: SwiftNames

    /// The names that generated types use in their own scope.
    private static let used: Set<String> = [
        "AllCases", "Any", "Bool", "CaseIterable", "Double", "Equatable", "Int", "LuaRouting",
        "Sendable", "String", "Swift", "allCases", "className", "routeValue",
    ]

    init(path: String, access: String, reserved: Set<String> = []) {
        self.path = path
        self.access = access
        // No nested type may have the name of the root type, because paths to types begin with that
        // name.
        let root = path.split(separator: ".").prefix(1).map(String.init)
        names = SwiftNames(reserved: Self.used.union(reserved).union(root))
    }

    mutating func give(_ name: String) -> String { names.give(name) }

    mutating func add(_ lines: [String]) {
        if !self.lines.isEmpty { self.lines.append("") }
        self.lines += lines
    }

    /// Returns the Swift type for a declared type.
    ///
    /// Adds the declarations of any new types that are needed.
    ///
    /// - Parameters:
    ///   - type: The declared type.
    ///   - name: The name from which the names of new types are derived.
    /// - Returns: The qualified name of the type.
    mutating func type(of type: ValueType, named name: String) -> String {
        switch type {
        // The name is qualified, because the app may have its own type `Int`.
        case .integer: "Swift.Int"
        case .number: "Swift.Double"
        case .string: "Swift.String"
        case .boolean: "Swift.Bool"
        case .table: "LuaRouting.InfoTable"
        case .screen: "LuaRouting.ScreenID"
        case .function, .any, .host, .checked: "LuaRouting.Value"
        case .list(let element): "[\(self.type(of: element, named: name))]"
        case .record(let record):
            declareRecord(record.parameters, named: SwiftNames.upperCamel(name))
        case .oneOf(let values):
            declareEnumeration(values, named: SwiftNames.upperCamel(name)) ?? "LuaRouting.Value"
        }
    }

    /// Returns the Swift type of a parameter.
    ///
    /// An optional parameter has an optional type, unless the parameter accepts any value, because
    /// that type includes nil.
    mutating func type(of parameter: InfoDeclaration.Parameter) -> (name: String, isOptional: Bool)
    {
        let name = type(of: parameter.type, named: parameter.name)
        if name == "LuaRouting.Value" { return (name, !parameter.isRequired) }
        return (parameter.isRequired ? name : name + "?", !parameter.isRequired)
    }

    // MARK: Declarations

    /// Declares an enumeration with a case for each value.
    ///
    /// - Returns: The path of the enumeration; nil if a value is a table or a reference.
    private mutating func declareEnumeration(_ values: [Value], named name: String) -> String? {
        var cases: [(name: String, value: Value)] = []
        var names = SwiftNames(reserved: Self.used)
        var known: Set<String> = []
        for value in values {
            guard let literal = value.caseName else { return nil }
            // A float without a fraction equals the corresponding integer.
            let same = value.integer.map { Value.integer($0) } ?? value
            guard known.insert(same.swiftLiteral).inserted else { continue }
            cases.append((names.give(literal), value))
        }
        let name = give(name)
        var lines = [
            "\(access)nonisolated enum \(name): LuaRouting.ValueEnumeration, Swift.Sendable {"
        ]
        lines += cases.map { "    case \($0.name)" }
        lines += ["", "    \(access)var routeValue: LuaRouting.Value {", "        switch self {"]
        lines += cases.map { "        case .\($0.name): \($0.value.swiftLiteral)" }
        lines += ["        }", "    }", "}"]
        add(lines)
        return "\(path).\(name)"
    }

    /// Declares a structure with the given fields.
    ///
    /// - Parameters:
    ///   - fields: The fields, in the order of the properties.
    ///   - name: The name from which the structure's name is derived.
    ///   - className: The name of the class if the fields belong to a screen.
    /// - Returns: The path of the structure.
    @discardableResult
    mutating func declareRecord(
        _ fields: [InfoDeclaration.Parameter],
        named name: String,
        className: String? = nil
    ) -> String {
        let name = give(name)
        var scope = SwiftScope(path: "\(path).\(name)", access: access)
        let properties = fields.map { scope.property($0) }
        let kind = className == nil ? "ValueRepresentable" : "TypedScreen"
        var lines = [
            "\(access)nonisolated struct \(name): LuaRouting.\(kind), Swift.Equatable, Swift.Sendable {"
        ]
        if let className {
            let text = Value(className).swiftLiteral
            lines += ["    \(access)static let className = \(text)", ""]
        }
        lines += properties.map { "    \(access)var \($0.name): \($0.type)" }
        if !properties.isEmpty { lines.append("") }
        lines += Self.wrapped(
            "    \(access)init(",
            parts: properties.map(\.parameter),
            end: ") {"
        )
        lines += properties.map { "        self.\($0.name) = \($0.name)" }
        lines += ["    }", ""]
        lines.append(
            "    \(access)init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {"
        )
        lines.append(
            properties.isEmpty
                ? "        _ = try LuaRouting.InfoTable(routeValue: value)"
                : "        let table = try LuaRouting.InfoTable(routeValue: value)"
        )
        lines += properties.map { "        self.\($0.name) = try table.read(\($0.key))" }
        lines += ["    }", "", "    \(access)var routeValue: LuaRouting.Value {"]
        lines += Self.wrapped(
            "        LuaRouting.Value.table(LuaRouting.InfoTable([",
            parts: properties.isEmpty ? [":"] : properties.map { "\($0.key): self.\($0.name)" },
            end: "]))"
        )
        lines.append("    }")
        if !scope.lines.isEmpty { lines += [""] + scope.lines.map(\.indented) }
        lines.append("}")
        add(lines)
        return "\(path).\(name)"
    }

    /// A property or parameter in Swift.
    struct Property {
        let name: String
        let type: String
        /// The name in scripts, as a literal.
        let key: String
        let isOptional: Bool

        /// The property as a parameter of a function.
        var parameter: String {
            guard isOptional else { return "\(name): \(type)" }
            return "\(name): \(type) = \(type.hasSuffix("?") ? "nil" : ".nil")"
        }
    }

    mutating func property(_ parameter: InfoDeclaration.Parameter) -> Property {
        let name = give(SwiftNames.member(parameter.name))
        let (type, isOptional) = type(of: parameter)
        return Property(
            name: name,
            type: type,
            key: Value(parameter.name).swiftLiteral,
            isOptional: isOptional
        )
    }

    /// Returns a list on one line, or with one line per element if a single line would exceed 100
    /// characters.
    static func wrapped(_ start: String, parts: [String], end: String) -> [String] {
        let line = start + parts.joined(separator: ", ") + end
        guard line.count > 100, parts.count > 0 else { return [line] }
        let indent = String(start.prefix { $0 == " " })
        var lines = [start]
        for (index, part) in parts.enumerated() {
            lines.append("\(indent)    \(part)\(index == parts.count - 1 ? "" : ",")")
        }
        return lines + [indent + end]
    }
}

extension String {
    /// The line, indented one level deeper.
    var indented: String { isEmpty ? self : "    " + self }
}

extension Value {
    /// The text from which the name of an enumeration case for the value is derived; nil for nil, a
    /// table or a reference.
    fileprivate var caseName: String? {
        switch self {
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .integer, .number:
            let text = NotationPrinter().value(self)
            let name = text.map {
                $0 == "-" ? "minus" : $0.isLetter || $0.isNumber ? String($0) : "_"
            }.joined()
            return name.first?.isNumber == true ? "_" + name : name
        case .string(let string): return SwiftNames.lowerCamel(string.text ?? "bytes")
        case .nil, .table, .screen, .function, .object: return nil
        }
    }

    /// The value as a Swift literal.
    var swiftLiteral: String {
        switch self {
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .integer(let integer): return "LuaRouting.Value.integer(\(integer))"
        case .number(let number):
            return "LuaRouting.Value.number(Swift.Double(bitPattern: \(number.bitPattern)))"
        case .string(let string):
            guard let text = string.text else {
                let bytes = string.withBytes { $0.map { "\($0)" } }.joined(separator: ", ")
                return "LuaRouting.Value.string(LuaRouting.ByteString(bytes: [\(bytes)]))"
            }
            let escaped = text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case "\n": "\\n"
                case _
                where scalar.value < 0x20 || scalar.properties.generalCategory == .format
                    || scalar.properties.generalCategory == .control
                    || scalar.properties.generalCategory == .lineSeparator
                    || scalar.properties.generalCategory == .paragraphSeparator:
                    "\\u{\(String(scalar.value, radix: 16))}"
                default: String(scalar)
                }
            }
            return "\"\(escaped.joined())\""
        case .nil, .table, .screen, .function, .object: return "nil"
        }
    }
}
