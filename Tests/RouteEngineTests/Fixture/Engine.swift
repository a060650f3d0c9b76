// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import RouteURLs
import Testing

/// A world and the scripts that route in it, without a router, a host or Lua.
///
/// A copy has its own world, but shares the scripts and the surroundings.
struct Engine {
    var world = World()
    let scripts = SwiftScripts()
    let surroundings = RecordingSurroundings()

    var declarations: Declarations { scripts.declarations }

    /// Creates a world with windows in tree notation.
    init(_ windows: (name: String, text: String)...) throws {
        for window in windows { try set(window.name, window.text) }
    }

    /// Creates a world whose window `main` shows a tree in tree notation.
    init(_ text: String) throws { try self.init(("main", text)) }

    // MARK: Screens

    mutating func set(_ window: String, _ text: String) throws {
        try world.tree.setRoot(try make(text), of: window)
    }

    /// Makes detached screens from tree notation.
    mutating func make(_ text: String) throws -> ScreenID {
        try TreeNotation(text).build(into: &world.tree, classes: declarations.classes)
    }

    /// Returns the first screen of a class in the tree.
    func find(
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ScreenID {
        try #require(
            world.tree.first(ofClass: name),
            "no \(name) in the tree",
            sourceLocation: sourceLocation
        )
    }

    /// Returns the tree of a window in tree notation.
    func tree(_ window: String = "main") -> String {
        NotationPrinter(classes: declarations.classes).tree(world.tree, window: window)
    }

    // MARK: Declarations

    /// Declares a class.
    func declare(
        _ name: String,
        fields: [String] = [],
        dismissible: ClassDeclaration.Dismissal? = nil,
        leaving: SwiftFunction? = nil,
        restorer: SwiftFunction? = nil
    ) {
        var rules = ClassDeclaration()
        (rules.dismissal, rules.leaving) = (dismissible, leaving)
        rules.restorer = restorer
        declarations.declare(ScreenClass(name, fields: fields), rules)
    }

    /// Registers a route at its own source location.
    func route(_ name: String, _ definition: InfoTable) throws {
        let target = Target(name)
        let step = try Step(
            target,
            at: place(of: name),
            Definition(definition),
            in: world.tree
        )
        try declarations.routes.register(.screen(step), as: target, overrides: true)
        try compileLinks()
    }

    /// Returns the source location of a route's declaration.
    func place(of name: String) -> RouteError.Location { .init(file: "\(name).lua", line: 1) }

    /// Creates a step without a name.
    func link(_ definition: InfoTable, container: ScreenClass? = nil) throws -> Value {
        Value(
            try Step(nil, at: nil, Definition(definition), container: container, in: world.tree)
        )
    }

    /// Creates a new stack as a step.
    func newNav(_ definition: InfoTable = [:]) throws -> Value {
        try link(definition, container: ScreenClass("nav"))
    }

    /// Creates a switch.
    func choice(_ cases: InfoTable) throws -> Value { Value(try Switch(cases, at: nil)) }

    /// Creates a tree in which some leaves are routes.
    func blueprint(_ name: String, _ contents: InfoTable) throws -> Value {
        let blueprint = try Blueprint(declarations.classes[name], contents, in: world.tree)
        return Value(try #require(blueprint, "all children are screens"))
    }

    /// Declares an interceptor.
    ///
    /// See ``resume(_:)`` for the meaning of the result of `body`.
    func interceptor(
        _ name: String,
        prepare: Value = .nil,
        _ body: @escaping SwiftFunction.Body = { _, _ in .nil }
    ) {
        declarations.interceptors[name] = DeclaredInterceptor(
            body: SwiftFunction(name, body),
            prepare: prepare.function,
            timeout: nil,
            location: place(of: name)
        )
    }

    /// Makes an interceptor run for every route of some services.
    func interceptAll(
        _ name: String,
        before phase: InterceptAll.Phase = .stage,
        only: Set<String>? = nil,
        except: Set<String> = []
    ) {
        declarations.interceptAll.append(
            InterceptAll(name: name, before: phase, only: only, except: except, location: nil)
        )
    }

    private func compileLinks() throws {
        var links: [URLRouteTable.Entry] = []
        for (_, registration) in declarations.routes.all {
            guard case .screen(let step) = registration else { continue }
            links += step.urls.map { URLRouteTable.Entry($0, of: step) }
        }
        links.sort { $0.pattern < $1.pattern }
        let patterns = try links.map { try URLPattern($0.pattern, kinds: scripts.kinds.keys) }
        declarations.state.links = try URLRouteTable(
            links,
            patterns,
            origins: LinkDeclarations.Origins()
        )
    }

    // MARK: Stages

    /// Calls a closure with a stage for a journey.
    mutating func onStage<Result, Failure: Error>(
        of journey: inout Journey,
        trace: Trace? = nil,
        _ body: (inout Stage) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (scripts, surroundings) = (scripts, surroundings)
        return try withUnsafeMutablePointer(to: &world) { (world) throws(Failure) in
            try withUnsafeMutablePointer(to: &journey) { (journey) throws(Failure) in
                var stage = Stage(
                    world: world,
                    journey: journey,
                    handle: scripts,
                    scripts: scripts,
                    declarations: scripts.declarations,
                    surroundings: surroundings,
                    isHeard: true,
                    trace: trace
                )
                return try body(&stage)
            }
        }
    }
}

extension Target {
    /// Creates a target from `Service/task`.
    init(_ name: String) {
        let parts = name.split(separator: "/")
        self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : "show")
    }
}

/// A copy of a world without its counters and caches, for comparisons.
struct WorldImage: Equatable {
    let windows: [String]
    let screens: [Screen]
    let state: InfoTable
    let stateBytes: Int
    let gates: Set<String>

    init(_ world: World) {
        windows = world.tree.windows.map(\.name)
        screens = world.tree.alive
        state = world.shared.state
        stateBytes = world.shared.stateBytes
        gates = world.shared.openGates
    }
}
