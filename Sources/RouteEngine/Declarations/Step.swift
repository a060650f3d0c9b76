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
        case template(ScreenTemplate)
        /// A tree some of whose leaves are routes.
        case blueprint(Blueprint)
        /// An empty container.
        case container(ScreenClass)
    }

    package let target: Target?
    /// The line that declared it.
    package let place: RouteError.Location?
    package let info: InfoDeclaration?
    package let find: Finder?
    package let reuse: ReusePolicy
    package let prepare: ScriptFunction?
    /// Nil where the steps behind it create the screen.
    package let build: Build?
    package let update: ScriptFunction?
    package let via: Action?
    package let from: From?
    package let intercept: [Interceptor]
    package let after: ScriptFunction?
    package let closed: ScriptFunction?
    package let adapt: ScriptFunction?
    /// The dependencies that its functions see.
    package let needs: [String]
    /// `(info, nav)` → whether it is switched on; nil for always.
    package let enabled: ScriptFunction?
    /// The fallback while its feature flag is off.
    package let fallback: Target?
    /// The origins that may ask; nil for all.
    package let origins: Set<Origin>?
    /// Whether its screens go when scripts serve that lack it.
    package let vanishes: Bool
    /// The gates that are to be open before a navigation goes there.
    package let ready: [String]
    /// The patterns of its URLs.
    package let urls: [String]
    package let examples: [Table]

    /// The classes of its screens: that of the template, or else the name of the service.
    package let screenClasses: [String]
    /// The number of the step, which no other one has.
    package let number = Step.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

    private static let lastNumber = Atomic(0)

    /// Whether it has work to do with a screen that it led to.
    package var hasWorkWhenShown: Bool { after != nil || closed != nil || vanishes }

    /// Makes a definition of nothing but a provider.
    package convenience init(
        _ target: Target,
        at place: RouteError.Location?,
        provider: ScriptFunction,
        isFallback: Bool = false
    ) {
        let build = isFallback ? Build.fallback(provider) : .function(provider)
        self.init(target, at: place, building: build, of: target.service)
    }

    /// Makes a step that only builds.
    private init(
        _ target: Target?,
        at place: RouteError.Location?,
        building build: Build,
        of screenClass: String
    ) {
        self.target = target
        self.place = place
        info = nil
        find = nil
        self.build = build
        reuse = .never
        prepare = nil
        update = nil
        via = nil
        from = nil
        intercept = []
        after = nil
        closed = nil
        adapt = nil
        needs = []
        enabled = nil
        fallback = nil
        origins = nil
        vanishes = false
        ready = []
        urls = []
        examples = []
        screenClasses = [screenClass]
    }

    /// Reads the table of a definition, a link or a new container, whose keys are checked already.
    ///
    /// - Parameters:
    ///   - target: The target that it is registered as; nil for a link or a new container.
    ///   - place: The line that declares it.
    ///   - definition: The entries of the table.
    ///   - container: The class of the empty container that it builds; nil to build what the table
    ///     says.
    ///   - tree: Where a tree that the table holds was made.
    /// - Throws: `script` or `badInfo` for what a definition cannot say.
    package init(
        _ target: Target?,
        at place: RouteError.Location?,
        _ definition: Definition,
        container: ScreenClass? = nil,
        in tree: ScreenTree
    ) throws(RouteError) {
        self.target = target
        self.place = place
        if case .table(let declaration) = definition[.info] {
            info = try InfoDeclaration(declaration)
        } else {
            info = nil
        }
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
        find = definition[.find].isNil ? nil : Finder(definition[.find])
        reuse = try ReusePolicy(definition[.reuse])
        prepare = definition[.prepare].function
        update = definition[.update].function
        via = Action(definition[.via])
        from = try Self.from(definition[.from], place)
        intercept = Self.interceptors(definition[.intercept])
        after = definition[.after].function
        closed = definition[.closed].function
        adapt = definition[.adapt].function
        needs = definition[.needs].names
        enabled = definition[.enabled].function
        if case .table(let names) = definition[.fallback] {
            guard let target = Target(names.list) else { throw .badTargetList(names.list) }
            fallback = target
        } else {
            fallback = nil
        }
        let origins = definition[.origin].names
        self.origins =
            origins.isEmpty || origins == ["any"] ? nil : Set(origins.compactMap(Origin.init))
        vanishes = definition[.vanished].text == "pop"
        ready = definition[.ready].names
        urls = try Self.urls(definition[.url])
        if case .table(let list) = definition[.examples] {
            examples = list.list.compactMap {
                if case .table(let table) = $0 { table } else { nil }
            }
        } else {
            examples = []
        }
        if case .table(let list) = definition[.origin], list.list.isEmpty {
            throw .nobodyMayAsk(title)
        }
        if case .table(let finder) = definition[.find], finder.isEmpty {
            throw .looksForNothing(title)
        }
        if ready.contains(World.startGate) { throw .reservedGate() }
        if find != nil, !definition[.reuse].isNil { throw .findsAndReuses(title) }
        if build == nil, find == nil, from == nil { throw .nothingBuilds(title) }
        if fallback != nil, enabled == nil { throw .fallsBackWithoutFlag(title) }
    }

    private static func from(
        _ value: Value,
        _ place: RouteError.Location?
    ) throws(RouteError) -> From? {
        guard !value.isNil else { return nil }
        guard let from = From(value) else { throw .badFrom(value.scriptKind, place) }
        return from
    }

    /// The patterns that a definition names: one, or a list.
    private static func urls(_ value: Value) throws(RouteError) -> [String] {
        switch value {
        case .nil: return []
        case .table(let table):
            return try table.list.map { (value) throws(RouteError) in try url(value) }
        default: return [try url(value)]
        }
    }

    private static func url(_ value: Value) throws(RouteError) -> String {
        guard let text = value.text else { throw .patternIsNoText() }
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
        return place.map { "\(kind) at \($0)" } ?? kind
    }
}

extension Action {
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
    package let place: RouteError.Location?
    package let function: ScriptFunction
    /// Whether it answers where nothing is registered; then it gets the target too.
    package let isFallback: Bool
    /// The deadline of its waits, in seconds; nil for that of the scripts.
    package let timeout: Double?

    package init(
        _ target: Target,
        at place: RouteError.Location?,
        function: ScriptFunction,
        isFallback: Bool = false,
        timeout: Double? = nil
    ) {
        self.target = target
        self.place = place
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
