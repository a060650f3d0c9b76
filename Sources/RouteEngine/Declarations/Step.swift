// SPDX-License-Identifier: MIT

package import RouteCore
internal import SystemGaps

/// A step of a plan.
///
/// A step determines how its screen is found or built, and where the screen is placed.
///
/// The step of a registered route has a target; links have none.
package final class Step: Sendable {
    /// The way in which the screen is built.
    package enum Build: Sendable {
        case function(ScriptFunction)
        /// The fallback that builds screens for targets that are not registered.
        case fallback(ScriptFunction)
        /// A tree that is defined once, and copied for each use.
        // Indirect, because most steps build with a function.
        indirect case template(ScreenTemplate)
        /// A tree in which some leaves are routes.
        indirect case blueprint(Blueprint)
        /// An empty container.
        indirect case container(ScreenClass)
    }

    /// The keys that few definitions have, stored behind one reference.
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
        var redirect: DeclaredRedirect?
        var dialogPolicy: DialogPolicy?
        var via: Action?
        var after: ScriptFunction?
        var vanishes = false
        var exclusiveGroup: Int?

        static let keys = Definition.Keys([
            .find, .prepare, .closed, .adapt, .enabled, .fallback, .needs, .origin, .ready,
            .examples, .result, .redirect, .atDialog, .via, .after, .vanished,
        ])

        init(_ definition: Definition, group: Int?) throws(RouteError) {
            exclusiveGroup = group
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
            redirect =
                definition[.redirect].isNil ? nil : try DeclaredRedirect(definition[.redirect])
            dialogPolicy = definition[.atDialog].text.flatMap(DialogPolicy.init)
            via = definition.argument(.via).flatMap(Action.init)
            after = definition[.after].function
            vanishes = definition[.vanished].text == "pop"
            if case .table(let list) = definition[.examples] {
                examples = list.list.compactMap {
                    if case .table(let table) = $0 { table } else { nil }
                }
            }
        }
    }

    package let target: Target?
    /// The source location of the declaration.
    package let location: RouteError.Location?
    /// The declared parameters, against which passed parameters are checked; nil if any parameters
    /// are accepted.
    package let info: InfoDeclaration?
    /// The parameters that become fields of the step's screens: the parameters in ``info``, or the
    /// parameters in the URL patterns if ``info`` is nil.
    package let parameters: InfoDeclaration
    package var find: Finder? { rare?.value.find }
    package let reuse: ReusePolicy
    package var prepare: ScriptFunction? { rare?.value.prepare }
    /// The way in which the screen is built; nil if the parent routes build it.
    package let build: Build?
    package let update: ScriptFunction?
    package var via: Action? { rare?.value.via }
    package let from: From?
    package let intercept: [Interceptor]
    package var after: ScriptFunction? { rare?.value.after }
    package var closed: ScriptFunction? { rare?.value.closed }
    package var adapt: ScriptFunction? { rare?.value.adapt }
    /// The names of the dependencies that the step's functions receive.
    package var needs: [String] { rare?.value.needs ?? [] }
    /// `(info, nav)` → whether the feature flag of the step is on; nil if the step is always
    /// enabled.
    package var enabled: ScriptFunction? { rare?.value.enabled }
    /// The target that is used while the step's feature flag is off.
    package var fallback: Target? { rare?.value.fallback }
    /// The origins that may navigate to the route; nil for all origins except ``Origin/person``.
    package var origins: Set<Origin>? { rare?.value.origins }
    /// Whether the route's screens are removed when a new generation no longer has the route.
    package var vanishes: Bool { rare?.value.vanishes ?? false }
    /// The gates that must be open for a navigation to the route.
    package var ready: [String] { rare?.value.ready ?? [] }
    /// The URL patterns of the route.
    package let urls: [String]
    /// The index of the innermost exclusive group of URLs that contains the step, if any.
    package var exclusiveGroup: Int? { rare?.value.exclusiveGroup }
    package var examples: [InfoTable] { rare?.value.examples ?? [] }
    /// The type of the result with which the screen is closed; nil for any type.
    package var result: InfoDeclaration.Parameter? { rare?.value.result }
    /// The redirect, if the route only redirects.
    package var redirect: DeclaredRedirect? { rare?.value.redirect }
    /// The dialog policy for links to the route; nil for the policy that the scripts set.
    package var dialogPolicy: DialogPolicy? { rare?.value.dialogPolicy }
    /// The rare keys; nil if the definition has none of them.
    private let rare: Boxed<RareKeys>?

    /// The depth and the size of the step's parents and of the tree that the step builds.
    package let nesting: Nesting
    /// The number of the step, unique in the process.
    package let number = Step.lastNumber.add(1)

    private static let lastNumber = Atomic()

    /// The class of the step's screens that is known without running the step: the class of the
    /// template, tree or container that the step builds, or otherwise the name of the service.
    package var screenClass: String? {
        switch build {
        case .template(let template): template.class.name
        case .blueprint(let blueprint): blueprint.class.name
        case .container(let screenClass): screenClass.name
        case .function, .fallback, nil: target?.service
        }
    }

    /// Whether the step has work to do after its screen is shown.
    package var hasWorkWhenShown: Bool {
        after != nil || closed != nil || vanishes || result != nil
    }

    /// Creates the definition of a route that has only a provider.
    package convenience init(
        _ target: Target,
        at location: RouteError.Location?,
        provider: ScriptFunction,
        isFallback: Bool = false
    ) {
        let build = isFallback ? Build.fallback(provider) : .function(provider)
        self.init(target, at: location, building: build)
    }

    /// Creates a step that only builds a screen, with defaults for everything else.
    private init(
        _ target: Target?,
        at location: RouteError.Location?,
        building build: Build
    ) {
        self.target = target
        self.location = location
        info = nil
        parameters = InfoDeclaration([])
        self.build = build
        reuse = .never
        update = nil
        from = nil
        intercept = []
        urls = []
        rare = nil
        nesting = Nesting()
    }

    /// Reads the table of a definition, a link or a new container.
    ///
    /// The keys must already have been checked.
    ///
    /// - Parameters:
    ///   - target: The target under which the step is registered; nil for a link or a new
    ///     container.
    ///   - location: The source location of the declaration.
    ///   - definition: The entries of the table.
    ///   - container: The class of the empty container to build; nil to build as the table
    ///     declares.
    ///   - group: The index of the innermost exclusive group that contains the step, if any.
    ///   - tree: The tree of screens that contains the screens named in the table.
    /// - Throws: `script` or `badInfo` for an invalid definition.
    package init(
        _ target: Target?,
        at location: RouteError.Location?,
        _ definition: Definition,
        container: ScreenClass? = nil,
        group: Int? = nil,
        in tree: ScreenTree
    ) throws(RouteError) {
        self.target = target
        self.location = location
        info = try definition.info()
        switch definition[.build] {
        case .screen(let screen):
            build = .template(try ScreenTemplate(of: screen, in: tree))
        case .object(let object):
            guard let blueprint = object.base as? Blueprint else { throw .badBuild("host object") }
            build = .blueprint(blueprint)
        case .nil:
            build = container.map(Build.container)
        case let other:
            guard let function = other.function else { throw .badBuild(other.kindName) }
            build = .function(function)
        }
        reuse =
            try definition.argument(.reuse).map { (reuse) throws(RouteError) in
                try ReusePolicy(reuse)
            } ?? .never
        update = definition[.update].function
        from = try Self.from(definition[.from], location)
        var nesting = Nesting()
        if let from { try nesting.add(from) }
        if case .blueprint(let blueprint) = build { try nesting.add(blueprint.nesting) }
        self.nesting = nesting
        intercept = Self.interceptors(definition[.intercept])
        rare =
            group != nil || definition.has(anyOf: RareKeys.keys)
            ? Boxed(try RareKeys(definition, group: group)) : nil
        urls = try definition.argument(.url).map(Self.urls) ?? []
        parameters = info ?? InfoDeclaration(patterns: urls)
        if case .table(let list) = definition[.origin], list.list.isEmpty {
            throw .nobodyMayAsk(title)
        }
        if case .table(let finder) = definition[.find], finder.isEmpty {
            throw .looksForNothing(title)
        }
        if let gate = ready.first(where: World.reservedGates.contains) { throw .reservedGate(gate) }
        if find != nil, !definition[.reuse].isNil { throw .findsAndReuses(title) }
        if redirect != nil {
            if let key = definition.firstKey(besides: DeclaredRedirect.keys) {
                throw .redirectsBeside("\(key)", title)
            }
        } else if build == nil, find == nil, from == nil {
            throw .nothingBuilds(title)
        }
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

    /// Returns the patterns of a definition, which contains a single pattern or a list of patterns.
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

    /// Returns the parameters of the step that become fields of a screen with the given class.
    ///
    /// If the class declares no fields, a leaf that is built from a template gets all parameters,
    /// except parameters with the name of a built-in property. All other screens get none.
    package func fields(of screenClass: ScreenClass) -> [InfoDeclaration.Parameter] {
        let all = parameters.parameters
        if all.isEmpty { return all }
        if screenClass.declaresFields {
            return screenClass.fields.compactMap { parameters[$0] }.filter(\.type.canBeField)
        }
        guard case .template = build, screenClass.kind == .leaf else { return [] }
        return all.filter { ScreenProperty.named($0.name) == nil && $0.type.canBeField }
    }

    /// The name of the step, for messages.
    package var title: String {
        if let target { return target.description }
        let kind = if case .container(let screenClass) = build { screenClass.name } else { "link" }
        return location.map { "\(kind) at \($0)" } ?? kind
    }
}

extension Action {
    /// Creates an action from its name or from an action object; nil for any other argument.
    init?(_ argument: Argument) {
        if let action = Self.plain(argument) { self = action } else { self.init(argument.value) }
    }

    /// Creates an action from its name or from an action object; nil for any other value.
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

/// A registered task, which has no screen.
package final class Worker {
    package let target: Target
    /// The source location of the registration.
    package let location: RouteError.Location?
    package let function: ScriptFunction
    /// Whether this is the fallback for tasks that are not registered.
    ///
    /// The function of the fallback also receives the target.
    package let isFallback: Bool
    /// The timeout for the worker's waits, in seconds; nil for the default of the scripts.
    package let timeout: Double?
    /// The declared parameters; nil if any parameters are accepted.
    package let info: InfoDeclaration?
    /// The type of the task's result; nil for any type.
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
    /// The type of an action in the Lua API.
    package static let viaType = APIType.either([
        .declaration([Action.declarationName]), .name(of: .action),
    ])
}
