// SPDX-License-Identifier: MIT

internal import LuaVM

/// A way to a screen.
final class Definition {
    /// What makes the screen.
    enum Build {
        case function(LuaFunction)
        /// What answers where nothing is registered.
        case fallback(LuaFunction)
        /// A tree that was written once, and is copied each time.
        case template(ScreenTemplate)
    }

    let target: Target
    /// The line that registered it.
    let place: RouteError.Location?
    let info: InfoDeclaration?
    let build: Build
    let reuse: ReusePolicy
    let update: LuaFunction?
    let via: Via?
    let after: LuaFunction?
    let closed: LuaFunction?
    let examples: [Table]

    /// The classes of its screens, as far as they are known: that of the template or else the
    /// one of the service's name, and those that it has led to.
    var screenClasses: Set<String>

    /// Makes a definition of nothing but a provider.
    init(
        _ target: Target,
        at place: RouteError.Location?,
        provider: LuaFunction,
        isFallback: Bool = false
    ) {
        self.target = target
        self.place = place
        info = nil
        build = isFallback ? .fallback(provider) : .function(provider)
        reuse = .never
        update = nil
        via = nil
        after = nil
        closed = nil
        examples = []
        screenClasses = [target.service]
    }

    /// Reads the table of a definition, whose keys are checked already.
    ///
    /// - Parameters:
    ///   - target: What it is registered as.
    ///   - place: The line that registers it.
    ///   - table: The table.
    ///   - tree: Where a tree that the table holds was made.
    /// - Throws: `script` or `badInfo` for what a definition cannot say.
    init(
        _ target: Target,
        at place: RouteError.Location?,
        _ table: Table,
        in tree: ScreenTree
    ) throws(RouteError) {
        self.target = target
        self.place = place
        if case .table(let declaration) = table["info"] {
            info = try InfoDeclaration(declaration)
        } else {
            info = nil
        }
        screenClasses = [target.service]
        switch table["build"] {
        case .function(let function as LuaFunction):
            build = .function(function)
        case .screen(let screen):
            let template = try ScreenTemplate(of: screen, in: tree)
            build = .template(template)
            screenClasses = [template.class.name]
        case .nil:
            throw .nothingBuilds(target)
        case let other:
            throw .badBuild(other.kindName)
        }
        reuse = try ReusePolicy(table["reuse"])
        update = table["update"].luaFunction
        via = table["via"].text.flatMap { Via(rawValue: $0) }
        after = table["after"].luaFunction
        closed = table["closed"].luaFunction
        if case .table(let list) = table["examples"] {
            examples = list.list.compactMap {
                if case .table(let table) = $0 { table } else { nil }
            }
        } else {
            examples = []
        }
    }
}

/// A piece of work without a screen.
final class Worker {
    let target: Target
    /// The line that registered it.
    let place: RouteError.Location?
    let function: LuaFunction
    /// Whether it answers where nothing is registered; then it gets the target too.
    let isFallback: Bool

    init(
        _ target: Target,
        at place: RouteError.Location?,
        function: LuaFunction,
        isFallback: Bool = false
    ) {
        self.target = target
        self.place = place
        self.function = function
        self.isFallback = isFallback
    }
}

/// Which screen of the stack a route goes back to instead of building one.
struct ReusePolicy {
    enum Kind {
        case never
        /// One of the route's class.
        case sameClass
        /// The visible one, if it is of the route's class.
        case top
        /// One of the route's class whose fields are those of the info.
        case fields([String])
        /// One that a function of the script accepts.
        case function(LuaFunction)
    }

    let kind: Kind
    /// Whether it is brought to the top, instead of popping to it.
    let moves: Bool

    static let never = ReusePolicy(kind: .never, moves: false)

    private init(kind: Kind, moves: Bool) {
        self.kind = kind
        self.moves = moves
    }

    /// Reads what a definition says.
    init(_ value: Value) throws(RouteError) {
        switch value {
        case .nil:
            self = .never
        case .function(let function as LuaFunction):
            self.init(kind: .function(function), moves: false)
        case .string(let string):
            switch string.text {
            case "never": self = .never
            case "class": self.init(kind: .sameClass, moves: false)
            case "top": self.init(kind: .top, moves: false)
            default: throw .badReuse("'\(string.displayText)'")
            }
        case .table(let table):
            for (key, _) in table.entries where key != "by" && key != "move" {
                let name = String(key.pathComponent.drop { $0 == "." })
                throw .unknownParameter(name, among: ["by", "move"])
            }
            var fields = table.list
            switch table["by"] {
            case .nil: break
            case .table(let by) where by.isList: fields += by.list
            case let by: fields.append(by)
            }
            guard table["move"].isNil || table["move"].boolean != nil else {
                throw .badReuse("'move' = \(table["move"])")
            }
            let names = try fields.map { (field) throws(RouteError) in
                guard let name = field.text, Name.isValid(name) else { throw .badReuse("\(field)") }
                return name
            }
            guard !names.isEmpty || !table["move"].isNil else { throw .badReuse("{}") }
            self.init(
                kind: names.isEmpty ? .sameClass : .fields(names),
                moves: table["move"].boolean ?? false
            )
        default:
            throw .badReuse(value.kindName)
        }
    }
}

extension Value {
    /// The function of a script, if it is one.
    var luaFunction: LuaFunction? {
        if case .function(let function as LuaFunction) = self { function } else { nil }
    }
}
