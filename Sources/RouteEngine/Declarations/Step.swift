// SPDX-License-Identifier: MIT

package import RouteCore
internal import Synchronization

/// One step of the way to a screen: how it is found, or else built, and put on what stands
/// behind it.
///
/// A step that is registered has a target; the links behind it have none.
package final class Step: Sendable {
    /// The source of the screen.
    package enum Build: Sendable {
        case function(ScriptFunction)
        /// The fallback for targets that are not registered.
        case fallback(ScriptFunction)
        /// A tree that was written once, and is copied each time.
        // Behind references: most steps build by a function.
        indirect case template(ScreenTemplate)
        /// A tree some of whose leaves are routes.
        indirect case blueprint(Blueprint)
        /// An empty container.
        indirect case container(ScreenClass)
    }

    /// The keys that few definitions have, behind one reference.
    private struct RareKeys: Sendable {
        var find: Finder?
        var prepare: ScriptFunction?
        var closed: ScriptFunction?
        var adapt: ScriptFunction?
        var enabled: ScriptFunction?
        var fallback: Target?
        var needs: [String] = []
        var origins: Set<Origin>?
        var ready: [String] = []
        var examples: [InfoTable] = []
        var result: InfoDeclaration.Parameter?

        static let keys = Definition.Keys([
            .find, .prepare, .closed, .adapt, .enabled, .fallback, .needs, .origin, .ready,
            .examples, .result,
        ])

        /// Whether any of them has a say in a navigation.
        var decides: Bool {
            find != nil || prepare != nil || closed != nil || adapt != nil || enabled != nil
                || !needs.isEmpty || origins != nil || !ready.isEmpty || result != nil
        }

        init(_ definition: Definition) throws(RouteError) {
            find = definition[.find].isNil ? nil : Finder(definition[.find])
            prepare = definition[.prepare].function
            closed = definition[.closed].function
            adapt = definition[.adapt].function
            enabled = definition[.enabled].function
            if case .table(let names) = definition[.fallback] {
                guard let target = Target(names.list) else { throw .badTargetList(names.list) }
                fallback = target
            }
            needs = definition[.needs].names
            let origins = definition[.origin].names
            self.origins =
                origins.isEmpty || origins == ["any"] ? nil : Set(origins.compactMap(Origin.init))
            ready = definition[.ready].names
            result = try definition.result()
            if case .table(let list) = definition[.examples] {
                examples = list.list.compactMap {
                    if case .table(let table) = $0 { table } else { nil }
                }
            }
        }
    }

    package let target: Target?
    /// The line that declared it.
    package let location: RouteError.Location?
    package let info: InfoDeclaration?
    package var find: Finder? { rare?.value.find }
    package let reuse: ReusePolicy
    package var prepare: ScriptFunction? { rare?.value.prepare }
    /// Nil where the steps behind it create the screen.
    package let build: Build?
    package let update: ScriptFunction?
    package let via: Action?
    package let from: From?
    package let intercept: [Interceptor]
    package let after: ScriptFunction?
    package var closed: ScriptFunction? { rare?.value.closed }
    package var adapt: ScriptFunction? { rare?.value.adapt }
    /// The dependencies that its functions see.
    package var needs: [String] { rare?.value.needs ?? [] }
    /// `(info, nav)` → whether it is switched on; nil for always.
    package var enabled: ScriptFunction? { rare?.value.enabled }
    /// The fallback while its feature flag is off.
    package var fallback: Target? { rare?.value.fallback }
    /// The origins that may ask; nil for all.
    package var origins: Set<Origin>? { rare?.value.origins }
    /// Whether its screens go when scripts serve that lack it.
    package let vanishes: Bool
    /// The gates that are to be open before a navigation goes there.
    package var ready: [String] { rare?.value.ready ?? [] }
    /// The patterns of its URLs.
    package let urls: [String]
    package var examples: [InfoTable] { rare?.value.examples ?? [] }
    /// The type of the value with which its screen is closed; nil for any.
    package var result: InfoDeclaration.Parameter? { rare?.value.result }
    /// Nil if none of them is given.
    private let rare: Boxed<RareKeys>?

    /// The classes of its screens: that of the template, or else the name of the service.
    package let screenClasses: [String]
    /// Whether a navigation that finds the step's screen by its class meets no function, gate or
    /// condition of the step on its way.
    package let isStraight: Bool
    /// The number of the step, which no other one has.
    package let number = Step.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

    private static let lastNumber = Atomic(0)

    /// Whether it has work to do with a screen that it led to.
    package var hasWorkWhenShown: Bool {
        after != nil || closed != nil || vanishes || result != nil
    }

    /// Makes a definition of nothing but a provider.
    package convenience init(
        _ target: Target,
        at location: RouteError.Location?,
        provider: ScriptFunction,
        isFallback: Bool = false
    ) {
        let build = isFallback ? Build.fallback(provider) : .function(provider)
        self.init(target, at: location, building: build, of: target.service)
    }

    /// Makes a step that only builds.
    private init(
        _ target: Target?,
        at location: RouteError.Location?,
        building build: Build,
        of screenClass: String
    ) {
        self.target = target
        self.location = location
        info = nil
        self.build = build
        reuse = .never
        update = nil
        via = nil
        from = nil
        intercept = []
        after = nil
        vanishes = false
        urls = []
        rare = nil
        isStraight = false
        screenClasses = [screenClass]
    }

    /// Reads the table of a definition, a link or a new container, whose keys are checked already.
    ///
    /// - Parameters:
    ///   - target: The target that it is registered as; nil for a link or a new container.
    ///   - location: The line that declares it.
    ///   - definition: The entries of the table.
    ///   - container: The class of the empty container that it builds; nil to build what the table
    ///     says.
    ///   - tree: Where a tree that the table holds was made.
    /// - Throws: `script` or `badInfo` for what a definition cannot say.
    package init(
        _ target: Target?,
        at location: RouteError.Location?,
        _ definition: Definition,
        container: ScreenClass? = nil,
        in tree: ScreenTree
    ) throws(RouteError) {
        self.target = target
        self.location = location
        info = try definition.info()
        let named = target.map { [$0.service] } ?? []
        switch definition[.build] {
        case .screen(let screen):
            let template = try ScreenTemplate(of: screen, in: tree)
            build = .template(template)
            screenClasses = [template.class.name]
        case .object(let object):
            guard let blueprint = object.base as? Blueprint else { throw .badBuild("host object") }
            build = .blueprint(blueprint)
            screenClasses = [blueprint.class.name]
        case .nil:
            build = container.map(Build.container)
            screenClasses = container.map { [$0.name] } ?? named
        case let other:
            guard let function = other.function else { throw .badBuild(other.kindName) }
            build = .function(function)
            screenClasses = named
        }
        reuse =
            try definition.argument(.reuse).map { (reuse) throws(RouteError) in
                try ReusePolicy(reuse)
            } ?? .never
        update = definition[.update].function
        via = definition.argument(.via).flatMap(Action.init)
        from = try Self.from(definition[.from], location)
        intercept = Self.interceptors(definition[.intercept])
        after = definition[.after].function
        rare = definition.has(anyOf: RareKeys.keys) ? Boxed(try RareKeys(definition)) : nil
        vanishes = definition[.vanished].text == "pop"
        urls = try definition.argument(.url).map(Self.urls) ?? []
        isStraight =
            reuse.looksInStack && reuse.goesByClass && !reuse.moves && from == nil
            && via?.pushes != false && update == nil && after == nil && !vanishes
            && intercept.isEmpty && info?.callsScripts != true
            && rare?.value.decides != true
        if case .table(let list) = definition[.origin], list.list.isEmpty {
            throw .nobodyMayAsk(title)
        }
        if case .table(let finder) = definition[.find], finder.isEmpty {
            throw .looksForNothing(title)
        }
        if let gate = ready.first(where: World.reservedGates.contains) { throw .reservedGate(gate) }
        if find != nil, !definition[.reuse].isNil { throw .findsAndReuses(title) }
        if build == nil, find == nil, from == nil { throw .nothingBuilds(title) }
        if fallback != nil, enabled == nil { throw .fallsBackWithoutFlag(title) }
    }

    private static func from(
        _ value: Value,
        _ location: RouteError.Location?
    ) throws(RouteError) -> From? {
        guard !value.isNil else { return nil }
        guard let from = From(value) else { throw .badFrom(value.scriptKind, location) }
        return from
    }

    /// The patterns that a definition names: one, or a list.
    private static func urls(_ argument: Argument) throws(RouteError) -> [String] {
        guard argument.kind == .table else { return [try url(argument)] }
        var parts = argument.parts
        return try (0..<argument.listCount).map { (_) throws(RouteError) in try url(parts.take()) }
    }

    private static func url(_ argument: Argument) throws(RouteError) -> String {
        guard let text = argument.text else { throw .patternIsNoText() }
        return text
    }

    private static func interceptors(_ value: Value) -> [Interceptor] {
        switch value {
        case .nil: []
        case .string(let name): name.text.map { [.named($0)] } ?? []
        case .table(let table): table.list.flatMap(interceptors)
        default: value.function.map { [.inline($0)] } ?? []
        }
    }

    /// The name of the step in messages.
    package var title: String {
        if let target { return target.description }
        let kind = if case .container(let screenClass) = build { screenClass.name } else { "link" }
        return location.map { "\(kind) at \($0)" } ?? kind
    }
}

extension Action {
    /// Reads a word or an action; nil for anything else.
    init?(_ argument: Argument) {
        if let action = Self.plain(argument) { self = action } else { self.init(argument.value) }
    }

    /// Reads a word or an action; nil for anything else.
    package init?(_ value: Value) {
        switch value {
        case .string(let word):
            guard let word = word.text else { return nil }
            self.init(word: word)
        case .object(let object):
            guard let action = object.base as? Action else { return nil }
            self = action
        default: return nil
        }
    }
}

/// A piece of work without a screen.
package final class Worker {
    package let target: Target
    /// The line that registered it.
    package let location: RouteError.Location?
    package let function: ScriptFunction
    /// Whether it answers where nothing is registered; then it gets the target too.
    package let isFallback: Bool
    /// The deadline of its waits, in seconds; nil for that of the scripts.
    package let timeout: Double?
    /// The declared parameters; nil for any.
    package let info: InfoDeclaration?
    /// The type of the value with which it ends; nil for any.
    package let result: InfoDeclaration.Parameter?

    package init(
        _ target: Target,
        at location: RouteError.Location?,
        function: ScriptFunction,
        isFallback: Bool = false,
        timeout: Double? = nil,
        info: InfoDeclaration? = nil,
        result: InfoDeclaration.Parameter? = nil
    ) {
        self.target = target
        self.info = info
        self.result = result
        self.location = location
        self.function = function
        self.isFallback = isFallback
        self.timeout = timeout
    }
}

extension Step {
    /// The forms of an action, as descriptions of parameters have them.
    package static let viaType = APIType.either([
        .declaration([Action.declarationName]), .name,
    ])
}
