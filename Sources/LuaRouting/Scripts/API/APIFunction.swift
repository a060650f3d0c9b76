// SPDX-License-Identifier: MIT

internal import LuaVM

/// A function that scripts call: its name, what it takes and gives, what it is for, and what
/// it does.
///
/// These descriptions are the one source of the Lua API. They drive the registration and the
/// checks of arguments.
final class APIFunction: Sendable {
    /// When a function may be called.
    enum Use: Sendable {
        case always
        /// Not while the way of a navigation is planned: it has an effect.
        case declaring
        /// Not while the scripts load.
        case running
        /// Neither while the scripts load nor while a way is planned.
        case acting
        /// Only in a function that may wait.
        case waiting

        var isRefusedWhileLoading: Bool { self == .running || self == .acting }
        var isRefusedWhilePlanning: Bool { self == .declaring || self == .acting }
    }

    let name: String
    let text: String
    let parameters: [APIParameter]
    /// The results, as documentation has them: `screen?`, `value, task`.
    let results: String
    let use: Use
    let body: @Sendable (Generation, Arguments) throws -> [ScriptValue]

    init(
        _ name: String,
        _ text: String,
        _ parameters: [APIParameter] = [],
        results: String = "",
        use: Use = .always,
        body: @escaping @Sendable (Generation, Arguments) throws -> [ScriptValue]
    ) {
        self.name = name
        self.text = text
        self.parameters = parameters
        self.results = results
        self.use = use
        self.body = body
    }
}

/// A parameter of a function, or a key of a table of options.
final class APIParameter: Sendable {
    let name: String
    let type: APIType
    let isOptional: Bool
    let text: String

    private init(name: String, type: APIType, isOptional: Bool, text: String) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.text = text
    }

    static func required(_ name: String, _ type: APIType, _ text: String) -> APIParameter {
        APIParameter(name: name, type: type, isOptional: false, text: text)
    }

    static func optional(_ name: String, _ type: APIType, _ text: String) -> APIParameter {
        APIParameter(name: name, type: type, isOptional: true, text: text)
    }
}

/// The keys that a table of options may have.
final class APIKeys: Sendable {
    /// In the order of documentation.
    let parameters: [APIParameter]
    /// Those that a table must have.
    let required: [APIParameter]
    private let index: NameIndex

    init(_ parameters: [APIParameter]) {
        self.parameters = parameters
        required = parameters.filter { !$0.isOptional }
        index = NameIndex(parameters.map(\.name))
    }

    /// The key of a name, if there is one.
    subscript(name: String) -> APIParameter? { index.index(of: name).map { parameters[$0] } }
}

/// What a parameter takes.
indirect enum APIType: Sendable {
    case any
    case boolean
    case integer
    case number
    case string
    /// A string that is a name.
    case name
    case table
    case function
    case screen
    /// One of some words.
    case word([String])
    /// Something that a function of `router` made: one of some kinds of declarations.
    case declaration([String])
    /// A table with known keys and nothing else.
    case keyed(APIKeys)
    /// A list of values of a type, and known keys beside it.
    case listed(APIType, APIKeys)
    /// A value of one of some types.
    case either([APIType])

    /// A table with known keys and nothing else.
    static func options(_ keys: [APIParameter]) -> APIType { .keyed(APIKeys(keys)) }

    /// A list of values of a type, and known keys beside it.
    static func list(_ element: APIType, _ keys: [APIParameter]) -> APIType {
        .listed(element, APIKeys(keys))
    }

    /// The type as messages and documentation name it.
    var title: String {
        switch self {
        case .any: "value"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .name: "name"
        case .table, .keyed: "table"
        case .function: "function"
        case .screen: "screen"
        case .word(let words): words.map { "'\($0)'" }.joined(separator: " or ")
        case .declaration(let names): names.joined(separator: " or ")
        case .listed(let element, _): "list of \(element.title)s"
        case .either(let types): types.map(\.title).joined(separator: " or ")
        }
    }
}

/// The checked arguments of one call.
struct Arguments {
    let values: [Value]
    /// The line of the script that calls.
    let place: RouteError.Location?
    /// The object whose function is called, if it is one of an object.
    var owner: Owner?
    /// The activity that may wait in a call of a function that waits; nil for other functions.
    var waiter: Activity?

    /// An object that has functions.
    enum Owner {
        case navigation(Navigation)
        case task(RouteTask)
        /// The number of a timer.
        case timer(Int)
        case routing(Routing)
        case link(DeferredLink)
    }

    var navigation: Navigation? {
        if case .navigation(let navigation)? = owner { navigation } else { nil }
    }

    var task: RouteTask? {
        if case .task(let task)? = owner { task } else { nil }
    }

    var timer: Int? {
        if case .timer(let timer)? = owner { timer } else { nil }
    }

    /// The number of bytes that the arguments take, roughly.
    var size: Int { values.reduce(0) { $0 + $1.size } }

    subscript(index: Int) -> Value { index < values.count ? values[index] : .nil }

    func text(_ index: Int) -> String { self[index].text ?? "" }

    func table(_ index: Int) -> Table {
        if case .table(let table) = self[index] { table } else { Table() }
    }

    func screen(_ index: Int) -> ScreenID? { self[index].screen }

    func target() -> Target { Target(text(0), text(1)) }

    /// The first function from a position on, for functions whose options come before it.
    func function(from index: Int) -> LuaFunction? {
        values.dropFirst(index).lazy.compactMap(\.luaFunction).first
    }
}

extension Value {
    var screen: ScreenID? {
        if case .screen(let id) = self { id } else { nil }
    }

    /// Whether a script's condition takes the value for true.
    var isTrue: Bool {
        switch self {
        case .nil, .boolean(false): false
        default: true
        }
    }

    var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }

    /// The number, integer or not.
    var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The integer, also where it comes as a float with an integer value.
    var integer: Int64? {
        switch self {
        case .integer(let integer): integer
        case .number(let number): Int64(exactly: number)
        default: nil
        }
    }
}
