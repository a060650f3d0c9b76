// SPDX-License-Identifier: MIT

package import RouteCore

/// The rule for the existing screen of the stack that a route goes back to instead of building one.
package struct ReusePolicy: Sendable {
    package enum Kind: Sendable {
        case never
        /// One of the route's class.
        case sameClass
        /// The visible one, if it is of the route's class.
        case top
        /// One of the route's class whose fields are those of the info.
        case fields([String])
        /// One that a function of the script accepts.
        case function(ScriptFunction)
    }

    package var kind: Kind
    /// Whether it is brought to the top, instead of popping to it.
    package var moves = false
    /// Where it looks, where that is not the stack on which the action would push.
    package var search: Finder? { searchBox?.value }
    private var searchBox: Boxed<Finder>?

    /// Whether it looks in the stack on which the action would push.
    package var looksInStack: Bool {
        if case .never = kind { false } else { search == nil }
    }

    /// Whether it looks at the class of screens: which one is the route's must be known.
    package var goesByClass: Bool {
        switch kind {
        case .sameClass, .top, .fields: true
        case .never, .function: false
        }
    }

    package static let never = ReusePolicy(kind: .never)

    /// Returns the finder of the policy among screens of some classes; nil if it accepts none.
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

    /// The keys of a policy that is a table.
    private enum Key: UInt8, CaseIterable {
        case by, move, search, start
    }

    private static let keys = NameIndex(Key.allCases.map { "\($0)" })

    private init(kind: Kind) { self.kind = kind }

    /// Reads what a definition says.
    package init(_ value: Value) throws(RouteError) {
        if let function = value.function {
            self.init(kind: .function(function))
            return
        }
        switch value {
        case .nil:
            self = .never
        case .string(let string):
            switch string.text {
            case "never": self = .never
            case "class": self.init(kind: .sameClass)
            case "top": self.init(kind: .top)
            default: throw .badReuse("'\(RouteError.shortened(string))'")
            }
        case .table(let table):
            try self.init(table)
        default:
            throw .badReuse(value.kindName)
        }
    }

    private init(_ table: Table) throws(RouteError) {
        var (by, move, looksElsewhere) = (Value.nil, Value.nil, false)
        for (key, value) in table.entries {
            switch Self.keys.index(of: key).flatMap({ Key(rawValue: UInt8($0)) }) {
            case .by: by = value
            case .move: move = value
            case .search, .start: looksElsewhere = true
            case nil:
                let name = String(key.pathComponent.drop { $0 == "." })
                throw .unknownParameter(name, among: Key.allCases.map { "\($0)" })
            }
        }
        guard move.isNil || move.boolean != nil else { throw .badReuse("'move' = \(move)") }
        var names: [String] = []
        for field in table.list { names.append(try Self.name(field)) }
        switch by {
        case .nil: break
        case .table(let by) where by.isList:
            for field in by.list { names.append(try Self.name(field)) }
        case let by: names.append(try Self.name(by))
        }
        guard !names.isEmpty || !table.entries.isEmpty else { throw .badReuse("{}") }
        self.init(kind: names.isEmpty ? .sameClass : .fields(names))
        moves = move.boolean ?? false
        if looksElsewhere {
            try ArgumentCheck.check(table, Finder.search, of: "reuse")
            var search = Finder(.nil)
            search.readSearch(table)
            search.isTopDown = true
            searchBox = Boxed(search)
        }
    }
    private static func name(_ field: Value) throws(RouteError) -> String {
        guard let name = field.text, Name.isValid(name) else { throw .badReuse("\(field)") }
        return name
    }
}
