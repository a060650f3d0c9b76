// SPDX-License-Identifier: MIT

package import RouteCore

/// The parent of a step: the screen on which the action of the step is performed.
package indirect enum From: Sendable {
    /// The topmost screen.
    case current
    /// The root of the window.
    case root
    case finder(Finder)
    case route(Target)
    case step(Step)
    case choice(Switch)

    /// The type of a parent in the Lua API.
    package static let type = APIType.either([
        .declaration(["link", "switch", "finder"]), .screen, .function, .name(of: .class),
        .list(.name(of: .target), []), Finder.table,
    ])

    package static let text =
        "`current`, `root`, `{ service, task }`, a finder, a link, a new container, a switch"

    /// Reads a parent from a script's value; nil if the value has none of the accepted forms.
    package init?(_ value: Value) {
        switch value {
        case .string(let word) where word.text == "current": self = .current
        case .string(let word) where word.text == "root": self = .root
        case .string, .screen, .function: self = .finder(Finder(value))
        case .object(let object):
            switch object.base {
            case let step as Step: self = .step(step)
            case let choice as Switch: self = .choice(choice)
            case let finder as Finder: self = .finder(finder)
            default: return nil
            }
        case .table(let table) where table.list.isEmpty: self = .finder(Finder(value))
        case .table(let table):
            guard let target = Target(table.list) else { return nil }
            self = .route(target)
        default: return nil
        }
    }
}

extension Target {
    /// Creates a target from a list of two names; nil for any other list.
    package init?(_ list: [Value]) {
        guard list.count == 2, let service = list[0].text, let task = list[1].text,
            Name.isValid(service), Name.isValid(task)
        else { return nil }
        self.init(service, task)
    }

    /// Creates a target from text in the form `Service/task`.
    ///
    /// - Throws: `badInfo` for any other text.
    package init(checking text: String) throws(RouteError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let target = Target(parts.map { Value(String($0)) }) else { throw .badTarget(text) }
        self = target
    }
}

extension Step {
    /// The actions of the step and of the links in its `from`, in order.
    ///
    /// The actions of routes in `from` are not included.
    package var actions: [Action] { [via].compactMap(\.self) + (from?.actions ?? []) }
}

extension From {
    fileprivate var actions: [Action] {
        switch self {
        case .step(let step): step.actions
        case .choice(let choice):
            choice.choices.flatMap {
                if case .fixed(let from) = $0 { from.actions } else { [Action]() }
            }
        case .current, .root, .finder, .route: []
        }
    }
}

/// A declaration that chooses the parent of a step, depending on the parameters of a navigation.
package struct Switch: Declaration {
    /// The condition of a case.
    package enum Condition: Sendable {
        /// A function: `(info, nav)` → whether the case applies.
        case predicate(ScriptFunction)
        /// A finder: the case applies if the finder finds a screen.
        case finder(Finder)
    }

    /// The parent that a case chooses.
    package enum Choice: Sendable {
        case fixed(From)
        /// `(info, nav)` → parent, in any form; nil if the case does not apply.
        case function(ScriptFunction)
    }

    package struct Case: Sendable {
        package let when: Condition?
        package let from: Choice
    }

    package let cases: [Case]
    package let fallback: Choice?
    package let location: RouteError.Location?
    /// The depth and size of the parents, including nested links and switches.
    package let nesting: Nesting

    package static let declarationName = "switch"

    /// Returns the name of a case for events, such as `main.lua:7 case 2`, or `main.lua:7 default`
    /// if the number is nil.
    package func caseName(_ number: Int?) -> String {
        let name = number.map { "case \($0)" } ?? "default"
        return location.map { "\($0) \(name)" } ?? name
    }

    /// The choices of all cases, followed by the default.
    package var choices: [Choice] { Self.choices(cases, fallback) }

    private static func choices(_ cases: [Case], _ fallback: Choice?) -> [Choice] {
        cases.map(\.from) + [fallback].compactMap(\.self)
    }

    /// The names of all cases, including the cases of nested switches.
    package var caseNames: [String] {
        let own = cases.indices.map { caseName($0 + 1) } + (fallback == nil ? [] : [caseName(nil)])
        return own
            + choices.flatMap { choice in
                if case .fixed(.choice(let inner)) = choice { inner.caseNames } else { [String]() }
            }
    }

    /// The keys of a case.
    package static let caseKeys: [APIParameter] = [
        .optional(
            "when",
            .either([
                .declaration(["finder"]), .function, .name(of: .class), .screen, Finder.table,
            ]),
            text:
                "`(info, nav)` → whether this case applies; or a finder that must find a screen; default: whether `from` finds a screen"
        ),
        .required("from", From.type, text: "the parent, or `(info, nav)` → parent or nil"),
    ]

    /// Reads the cases.
    ///
    /// The cases must already have been checked.
    ///
    /// - Throws: `script` if a case is invalid, or if switches are nested too deeply.
    package init(_ table: InfoTable, at location: RouteError.Location?) throws(RouteError) {
        self.location = location
        cases = try table.list.map { (value) throws(RouteError) in
            guard case .table(let table) = value else { throw .badSwitch(location) }
            let when: Condition? =
                switch table["when"] {
                case .nil: nil
                case .function(let function): .predicate(function)
                case let finder: .finder(Finder(finder))
                }
            return Case(when: when, from: try Self.choice(table["from"], location))
        }
        fallback = table["default"].isNil ? nil : try Self.choice(table["default"], location)
        var nesting = Nesting()
        for choice in Self.choices(cases, fallback) {
            switch choice {
            case .fixed(let from): try nesting.add(from)
            case .function: try nesting.add(count: 1)
            }
        }
        self.nesting = nesting
    }

    private static func choice(
        _ value: Value,
        _ location: RouteError.Location?
    ) throws(RouteError) -> Choice {
        if let function = value.function { return .function(function) }
        guard let from = From(value) else { throw .badFrom(value.scriptKind, location) }
        return .fixed(from)
    }
}
