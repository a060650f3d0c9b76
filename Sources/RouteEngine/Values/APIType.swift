// SPDX-License-Identifier: MIT

internal import RouteCore

/// A parameter of a function, or a key of a table of options.
package final class APIParameter: Sendable {
    package let name: String
    package let type: APIType
    package let isOptional: Bool
    package let text: String
    private let plainKinds: APIType.Kinds
    /// Whether a string must be a valid name.
    private let takesNames: Bool
    /// The keys of the table that the parameter accepts; nil if the parameter accepts no table with
    /// a fixed set of keys.
    private let keys: APIKeys?

    /// Whether an argument is accepted.
    ///
    /// `ArgumentCheck` determines the reason for a rejection.
    package func accepts(_ argument: Argument) -> Bool {
        if plainKinds.contains(argument.kind) { return true }
        switch argument.kind {
        case .string where takesNames: return Name.isValid(argument.bytes)
        case .table: return keys?.accept(argument) ?? type.accepts(argument)
        default: return type.accepts(argument)
        }
    }

    private init(name: String, type: APIType, isOptional: Bool, text: String) {
        plainKinds = type.plainKinds
        takesNames =
            switch type.first(of: .string) {
            case .name, .reference: true
            default: false
            }
        keys = if case .keyed(let keys)? = type.first(of: .table) { keys } else { nil }
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.text = text
    }

    package static func required(_ name: String, _ type: APIType, text: String) -> APIParameter {
        APIParameter(name: name, type: type, isOptional: false, text: text)
    }

    package static func optional(_ name: String, _ type: APIType, text: String) -> APIParameter {
        APIParameter(name: name, type: type, isOptional: true, text: text)
    }
}

/// The keys that a table of options may have.
package final class APIKeys: Sendable {
    /// The keys, in the order of the documentation.
    package let parameters: [APIParameter]
    /// The required keys.
    package let required: [APIParameter]
    private let index: NameIndex
    /// Whether a table may have other keys, which the called function checks itself.
    package let isOpen: Bool
    /// The name of the table in the documentation, if several functions accept the same table.
    package let title: String?

    package init(_ parameters: [APIParameter], isOpen: Bool = false, title: String? = nil) {
        self.parameters = parameters
        self.title = title
        self.isOpen = isOpen
        required = parameters.filter { !$0.isOptional }
        index = NameIndex(parameters.map(\.name))
    }

    /// The parameter of a key, if there is one.
    subscript(key: Argument) -> APIParameter? { index.index(of: key).map { parameters[$0] } }
}

/// The kind of object to which a name in a script refers.
package enum NameSubject: String, Sendable {
    case service, task, `class`, field, gate, interceptor, action, dependency, export
    /// An element of `{ service, task }`. The position of the element determines whether it names
    /// the service or the task.
    case target
}

/// The type of a parameter.
package indirect enum APIType: Sendable {
    case any
    case boolean
    case integer
    case number
    case string
    /// A string that is a valid name.
    case name
    /// A string that names a declared object. If `isNew` is true, the call itself declares the
    /// object.
    case reference(NameSubject, isNew: Bool)
    case table
    case function
    case screen
    /// One of the listed words.
    case word([String])
    /// An object that a function of `router` created: a declaration of one of the listed kinds.
    case declaration([String])
    /// A table with a fixed set of keys.
    case keyed(APIKeys)
    /// A list whose elements have the given type. The table may also have the given keys.
    case listed(APIType, APIKeys)
    /// A value of one of the listed types.
    case either([APIType])

    /// The name of an object that is declared elsewhere.
    package static func name(of subject: NameSubject) -> APIType {
        .reference(subject, isNew: false)
    }

    /// The name of an object that the call declares.
    package static func newName(of subject: NameSubject) -> APIType {
        .reference(subject, isNew: true)
    }

    /// A table with a fixed set of keys.
    package static func options(_ keys: [APIParameter], title: String? = nil) -> APIType {
        .keyed(APIKeys(keys, title: title))
    }

    /// A list whose elements have the given type.
    ///
    /// The table may also have the given keys.
    package static func list(_ element: APIType, _ keys: [APIParameter]) -> APIType {
        .listed(element, APIKeys(keys))
    }

    /// A list of names of new fields.
    ///
    /// The table may also have other keys, which the called function checks itself.
    package static let fieldNames = APIType.listed(
        .newName(of: .field),
        APIKeys([], isOpen: true)
    )

    /// A list of texts in the form `Service/task`.
    ///
    /// The table may also have keys in this form. The called function checks the values of these
    /// keys itself.
    package static let targetNames = APIType.listed(.string, APIKeys([], isOpen: true))

    /// A set of kinds of values.
    struct Kinds: OptionSet {
        let rawValue: UInt16

        init(rawValue: UInt16) { self.rawValue = rawValue }
        private init(_ kind: Argument.Kind) { rawValue = 1 << kind.rawValue }

        static let boolean = Kinds(.boolean)
        static let integer = Kinds(.integer)
        static let number = Kinds(.number)
        static let string = Kinds(.string)
        static let table = Kinds(.table)
        static let function = Kinds(.function)
        static let screen = Kinds(.screen)
        static let object = Kinds(.object)
        /// All kinds except nil.
        static let all: Kinds = [
            .boolean, .integer, .number, .string, .table, .function, .screen, .object,
        ]

        @inline(__always)
        func contains(_ kind: Argument.Kind) -> Bool { rawValue & 1 << kind.rawValue != 0 }
    }

    /// The name of the type, for messages and documentation.
    package var title: String {
        switch self {
        case .any: "value"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .name, .reference: "name"
        case .table, .keyed: "table"
        case .function: "function"
        case .screen: "screen"
        case .word(let words): words.map { "'\($0)'" }.joined(separator: " or ")
        case .declaration(let names): names.joined(separator: " or ")
        case .listed(let element, _): "list of \(element.title)s"
        case .either(let types): types.map(\.title).joined(separator: " or ")
        }
    }

    /// The tables of options that the type accepts.
    package var tables: [APIKeys] {
        switch self {
        case .keyed(let keys): [keys]
        case .listed(let element, let keys): [keys] + element.tables
        case .either(let types): types.flatMap(\.tables)
        default: []
        }
    }
}
