// SPDX-License-Identifier: MIT

package import LuaRouting
internal import RouteCore

/// A writer of the Swift file of typed routes.
///
/// The file declares the interface of scripts in Swift.
package struct SwiftTypes {
    /// The access level of the Swift declarations.
    package enum Access: String, Sendable, CaseIterable {
        case `internal`, package, `public`
    }

    /// The name of the type that contains everything except the routes and tasks themselves.
    let name: String
    let access: Access

    /// Creates a writer of files that declare a type with the given name.
    package init(name: String = "Routes", access: Access = .internal) {
        self.name = name
        self.access = access
    }

    /// Returns whether a text can be the name of a generated type.
    package static func isTypeName(_ text: String) -> Bool {
        var names = SwiftNames()
        return SwiftNames.member(text) == text && names.give(text) == text
    }

    private var prefix: String { access == .internal ? "" : access.rawValue + " " }

    /// Returns the file for an interface.
    ///
    /// Equal interfaces give identical bytes.
    package func file(for interface: ScriptInterface) -> String {
        var root = SwiftScope(
            path: name,
            access: prefix,
            reserved: [
                "Exports", "Gates", "Host", "HostTasks", "Screen", "Screens", "Tasks", "contract",
            ]
        )
        var tasks = SwiftScope(path: "\(name).Tasks", access: prefix)
        let routeMembers = members(
            "TypedRoute",
            interface.routes.filter(\.admitsHost),
            in: &root,
            omitting: ["show", "open"]
        )
        let taskMembers = members("TypedTask", interface.tasks, in: &tasks, omitting: [])
        if !tasks.lines.isEmpty { root.add(namespace("Tasks", tasks.lines)) }
        var screens = SwiftScope(path: "\(name).Screens", access: prefix)
        var types: [(screen: String, type: String?)] = []
        for screen in interface.classes {
            let type = screens.declareRecord(
                screen.fields,
                named: SwiftNames.upperCamel(screen.name),
                className: screen.name
            )
            // The host provides the containers of these kinds itself.
            if [.nav, .tabs, .split, .foreign].contains(screen.kind) { continue }
            types.append((screen.name, screen.fields.isEmpty ? nil : type))
        }
        if !screens.lines.isEmpty { root.add(namespace("Screens", screens.lines)) }
        types += interface.hostScreens.map { ($0, nil) }
        if !types.isEmpty { root.add(screenEnumeration(types.sorted { $0.screen < $1.screen })) }
        let hostLines = host(interface, in: &root)
        for (title, names) in [("Gates", interface.gates), ("Exports", interface.exports)]
        where !names.isEmpty {
            root.add(constants(title, names))
        }
        var lines = [
            "// Written by 'luaroute types --swift': change the scripts, and write it again.",
            "// swift-format-ignore-file",
            "// swiftlint:disable all",
            "",
            "\(prefix)import LuaRouting",
            "",
            "/// The declarations of the scripts for which this file was written.",
            "\(prefix)nonisolated enum \(name) {",
        ]
        lines += contract(interface.contract).map(\.indented)
        if !root.lines.isEmpty { lines += [""] + root.lines.map(\.indented) }
        lines += ["}"] + routeMembers + taskMembers + hostLines
        return lines.joined(separator: "\n") + "\n"
    }

    private func contract(_ text: String) -> [String] {
        var fence = "#"
        while text.contains(part: "\"\"\"" + fence) || text.contains(part: "\\" + fence) {
            fence += "#"
        }
        return [
            "/// The declarations that the app was compiled against; see `Router.Configuration.contract`.",
            "\(prefix)static let contract = LuaRouting.RouterContract(\(fence)\"\"\"",
        ] + text.split(separator: "\n").map { "    \($0)" } + ["    \"\"\"\(fence))"]
    }

    private func namespace(_ name: String, _ content: [String]) -> [String] {
        ["\(prefix)nonisolated enum \(name) {"] + content.map(\.indented) + ["}"]
    }

    private func constants(_ title: String, _ names: [String]) -> [String] {
        var scope = SwiftNames()
        return namespace(
            title,
            names.map { name in
                let member = scope.give(SwiftNames.member(name))
                return "\(prefix)static let \(member) = \(Value(name).swiftLiteral)"
            }
        )
    }

    // MARK: The host

    /// Declares an enumeration of the screens that the app creates.
    ///
    /// With the enumeration, the compiler checks that a `switch` handles all of the screens.
    private func screenEnumeration(_ screens: [(screen: String, type: String?)]) -> [String] {
        var names = SwiftNames(reserved: ["classNames"])
        let cases = screens.map { screen, type in
            (name: names.give(SwiftNames.lowerCamel(screen)), type: type)
        }
        var lines = [
            "/// A screen that the app makes, with the fields that its class declares.",
            "\(prefix)nonisolated enum Screen: Swift.Sendable {",
        ]
        lines += cases.map { "    case \($0.name)\($0.type.map { "(\($0))" } ?? "")" }
        lines += ["", "    /// The names of the classes."]
        let literals = screens.map { Value($0.screen).swiftLiteral }
        lines += SwiftScope.wrapped(
            "    \(prefix)static let classNames: [Swift.String] = [",
            parts: literals,
            end: "]"
        )
        lines += [
            "", "    /// Reads a screen; nil if it is of another class.",
            "    \(prefix)init?(_ screen: LuaRouting.Screen) throws(LuaRouting.RouteError) {",
            "        switch screen.class {",
        ]
        for (literal, its) in zip(literals, cases) {
            lines.append("        case \(literal):")
            if let type = its.type {
                lines += [
                    "            guard let fields = try \(type)(screen) else { return nil }",
                    "            self = .\(its.name)(fields)",
                ]
            } else {
                lines.append("            self = .\(its.name)")
            }
        }
        return lines + ["        default: return nil", "        }", "    }", "}"]
    }

    /// Declares a protocol with everything that scripts expect of the host.
    ///
    /// - Returns: The extension that dispatches to the protocol; empty if the scripts expect
    ///   nothing.
    private func host(_ interface: ScriptInterface, in root: inout SwiftScope) -> [String] {
        guard !interface.hostTasks.isEmpty || !interface.dependencies.isEmpty else { return [] }
        var types = SwiftScope(path: "\(name).HostTasks", access: prefix)
        var names = SwiftNames(reserved: ["dependencies", "onTask"])
        var requirements: [String] = []
        var cases: [String] = []
        for call in interface.hostTasks {
            let words = call.target.service + "_" + call.target.task
            let member = names.give(SwiftNames.lowerCamel(words))
            let title = types.give(SwiftNames.upperCamel(words))
            var own = SwiftScope(path: "\(types.path).\(title)", access: prefix)
            let info =
                call.info.map { own.declareRecord($0.parameters, named: "Info") }
                ?? "LuaRouting.InfoTable"
            let result = own.resultType(of: call.result)
            if !own.lines.isEmpty { types.add(namespace(title, own.lines)) }
            requirements += [
                "    /// `\(call.target)`",
                "    func \(member)(_ task: LuaRouting.TypedHostTask<\(info), \(result)>)",
            ]
            let target = call.target.swiftLiterals
            cases.append("        case (\(target)): task.perform(self.\(member))")
        }
        let values = interface.dependencies.map { dependency in
            (dependency: dependency, name: names.give(SwiftNames.member(dependency)))
        }
        for value in values {
            requirements += [
                "    /// The dependency `\(value.dependency)`.",
                "    var \(value.name): LuaRouting.Value { get }",
            ]
        }
        if !types.lines.isEmpty { root.add(namespace("HostTasks", types.lines)) }
        root.add(
            // If the protocol were nonisolated, so would be its functions in a class on the main actor.
            [
                "/// The tasks and dependencies that the scripts expect of the app.",
                "\(prefix)protocol Host {",
            ] + requirements + ["}"]
        )
        var lines = ["", "nonisolated extension \(name).Host {"]
        if !cases.isEmpty {
            lines += [
                "    /// Performs a task by the function of its name.",
                "    ///",
                "    /// Ends a task unfinished that the scripts did not expect when this file was written, or",
                "    /// whose parameters have other types.",
                "    \(prefix)func onTask(_ task: LuaRouting.HostTask) {",
                "        switch (task.service, task.task) {",
            ]
            lines += cases
            lines += [
                "        default: task.end(false, \"the app does not know this task\")",
                "        }",
                "    }",
            ]
        }
        if !values.isEmpty {
            if !cases.isEmpty { lines.append("") }
            lines += [
                "    /// The dependencies by name.",
                "    \(prefix)var dependencies: [Swift.String: LuaRouting.Value] {",
            ]
            lines += SwiftScope.wrapped(
                "        [",
                parts: values.map { "\(Value($0.dependency).swiftLiteral): self.\($0.name)" },
                end: "]"
            )
            lines.append("    }")
        }
        return lines + ["}"]
    }

    // MARK: Routes and tasks

    /// Returns extensions of a type with a member for each call, one extension per type of result.
    private func members(
        _ type: String,
        _ calls: [ScriptInterface.Call],
        in scope: inout SwiftScope,
        omitting omitted: Set<String>
    ) -> [String] {
        var names = SwiftNames(reserved: ["target", "info"])
        let short = Dictionary(grouping: calls.filter { omitted.contains($0.target.task) }) {
            $0.target.service
        }
        var groups: [String: [String]] = [:]
        for call in calls {
            // If two tasks of a service could have the service's name, neither gets it.
            let isShort =
                omitted.contains(call.target.task) && short[call.target.service]?.count == 1
            let words = call.target.service + (isShort ? "" : "_" + call.target.task)
            let member = names.give(SwiftNames.lowerCamel(words))
            let (result, lines) = self.member(
                member,
                words: words,
                type: type,
                call: call,
                in: &scope
            )
            groups[result, default: []] += (groups[result] == nil ? [] : [""]) + lines
        }
        return groups.sorted { $0.key < $1.key }.flatMap { result, lines in
            ["", "nonisolated extension LuaRouting.\(type) where Result == \(result) {"]
                + lines.map(\.indented) + ["}"]
        }
    }

    private func member(
        _ name: String,
        words: String,
        type: String,
        call: ScriptInterface.Call,
        in scope: inout SwiftScope
    ) -> (result: String, lines: [String]) {
        let title = scope.give(SwiftNames.upperCamel(words))
        var own = SwiftScope(path: "\(scope.path).\(title)", access: prefix)
        // A screen can always be left without a result, so the result of a route is optional in any
        // case.
        let result = own.resultType(of: call.result, canBeOptional: type == "TypedTask")
        let target = call.target.swiftLiterals
        var lines = ["/// `\(call.target)`"]
        if let info = call.parameters {
            // Required parameters come first, which is usual in Swift.
            let sorted =
                info.parameters.filter(\.isRequired) + info.parameters.filter { !$0.isRequired }
            let properties = sorted.map { own.property($0) }
            if properties.isEmpty {
                lines.append("\(prefix)static var \(name): Self { Self(\(target)) }")
            } else {
                lines += SwiftScope.wrapped(
                    "\(prefix)static func \(name)(",
                    parts: properties.map(\.parameter),
                    end: ") -> Self {"
                )
                lines += SwiftScope.wrapped(
                    "    Self(\(target), info: [",
                    parts: properties.map { "\($0.key): \($0.name)" },
                    end: "])"
                )
                lines.append("}")
            }
        } else {
            lines += [
                "\(prefix)static func \(name)(_ info: LuaRouting.InfoTable = [:]) -> Self {",
                "    Self(\(target), info: info)", "}",
            ]
        }
        if !own.lines.isEmpty {
            scope.add(namespace(title, own.lines))
        }
        return (result, lines)
    }
}

extension SwiftScope {
    /// Declares the type of a result, and returns its name; `LuaRouting.Value` if there is no
    /// declaration.
    fileprivate mutating func resultType(
        of declared: InfoDeclaration.Parameter?,
        canBeOptional: Bool = true
    ) -> String {
        guard let declared else { return "LuaRouting.Value" }
        let result = type(of: declared.type, named: "Result")
        let isOptional = declared.isOptional && canBeOptional && result != "LuaRouting.Value"
        return isOptional ? result + "?" : result
    }
}

extension Target {
    /// The service and the task as two string literals.
    fileprivate var swiftLiterals: String {
        "\(Value(service).swiftLiteral), \(Value(task).swiftLiteral)"
    }
}
