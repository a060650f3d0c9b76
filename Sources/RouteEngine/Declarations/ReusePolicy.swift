// SPDX-License-Identifier: MIT

internal import RouteCore

/// The rule by which a route reuses an existing screen instead of building a new one.
package struct ReusePolicy: Sendable {
    package enum Kind: Sendable {
        case never
        /// A screen of the route's class.
        case sameClass
        /// The visible screen, if it has the route's class.
        case top
        /// A screen of the route's class whose fields equal the values in `info`.
        case fields([String])
        /// A screen that a script function accepts.
        case function(ScriptFunction)
    }

    package var kind: Kind
    /// Whether a found screen is moved to the top of its stack.
    ///
    /// If not, the stack is popped to the screen.
    package var moves = false
    /// The finder that searches for a screen; nil to search only the stack on which the action
    /// would push.
    package var search: Finder? { searchBox?.value }
    private var searchBox: Boxed<Finder>?

    /// Whether the policy searches only the stack on which the action would push.
    package var looksInStack: Bool {
        if case .never = kind { false } else { search == nil }
    }

    /// Whether the policy compares the classes of screens.
    ///
    /// If so, the class of the route's screen must be known.
    package var goesByClass: Bool {
        switch kind {
        case .sameClass, .top, .fields: true
        case .never, .function: false
        }
    }

    package static let never = ReusePolicy(kind: .never)

    /// Returns a finder that applies the policy to screens of the given classes; nil if the policy
    /// never accepts a screen.
    package func finder(among classes: [String]) -> Finder? {
        var finder = search ?? Finder(.nil)
        switch kind {
        case .never: return nil
        case .sameClass, .top: finder.classes = classes
        case .fields(let fields): (finder.classes, finder.fields) = (classes, fields)
        case .function(let predicate): finder.match = predicate
        }
        return finder
    }

    /// The keys of a policy that is written as a table.
    private enum Key: UInt8, CaseIterable {
        case by, move, search, start
    }

    private static let keys = NameIndex(Key.allCases.map { "\($0)" })

    private init(kind: Kind) { self.kind = kind }

    /// Reads the policy of a definition.
    init(_ argument: Argument) throws(RouteError) {
        if argument.kind == .table {
            try self.init(table: argument)
            return
        }
        switch argument.value {
        case .function(let function):
            self.init(kind: .function(function))
        case .string(let string):
            switch string.text {
            case "never": self = .never
            case "class": self.init(kind: .sameClass)
            case "top": self.init(kind: .top)
            default: throw .badReuse("'\(RouteError.shortened(string))'")
            }
        case let value:
            throw .badReuse(value.kindName)
        }
    }

    private init(table: Argument) throws(RouteError) {
        var (by, move): (Argument?, Argument?)
        var looksElsewhere = false
        var parts = table.parts
        parts.skip(table.listCount)
        for _ in 0..<table.entryCount {
            let (key, value) = (parts.take(), parts.take())
            switch Self.keys.index(of: key).flatMap({ Key(rawValue: UInt8($0)) }) {
            case .by: by = value
            case .move: move = value
            case .search, .start: looksElsewhere = true
            case nil:
                let name = String(key.key.pathComponent.drop { $0 == "." })
                throw .unknownParameter(name, among: Key.allCases.map { "\($0)" })
            }
        }
        if let move, move.kind != .boolean { throw .badReuse("'move' = \(move.value)") }
        var names: [String] = []
        try Self.read(table, to: &names)
        if let by, by.kind == .table, by.entryCount == 0 {
            try Self.read(by, to: &names)
        } else if let by {
            let name = try Self.name(by)
            names = names.isEmpty ? [name] : names + [name]
        }
        guard !names.isEmpty || table.entryCount > 0 else { throw .badReuse("{}") }
        self.init(kind: names.isEmpty ? .sameClass : .fields(names))
        moves = move?.value.boolean ?? false
        if looksElsewhere {
            try ArgumentCheck.check(table, Finder.search, of: "reuse")
            guard case .table(let table) = table.value else { return }
            var search = Finder(.nil)
            search.readSearch(table)
            search.isTopDown = true
            searchBox = Boxed(search)
        }
    }

    /// Appends the names in the list of a table to an array.
    private static func read(_ table: Argument, to names: inout [String]) throws(RouteError) {
        var parts = table.parts
        for _ in 0..<table.listCount { names.append(try name(parts.take())) }
    }

    private static func name(_ field: Argument) throws(RouteError) -> String {
        guard let name = field.name else { throw .badReuse("\(field.value)") }
        return name
    }
}
