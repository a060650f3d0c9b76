// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Writes the Swift file of typed routes: the interface of scripts as Swift declarations.
struct SwiftTypes {
    /// The name of the type that contains everything except the routes and tasks themselves.
    var name = "Routes"
    var access = TypesCommand.Access.internal

    private var prefix: String { access == .internal ? "" : access.rawValue + " " }

    /// Returns the text of the file for an interface.
    ///
    /// Equal interfaces give the same bytes.
    func file(for interface: ScriptInterface) -> String {
        var root = SwiftScope(
            path: name,
            access: prefix,
            reserved: ["Exports", "Gates", "Screens", "Tasks", "contract"]
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
        for screen in interface.classes {
            screens.declareRecord(
                screen.fields,
                named: SwiftNames.upperCamel(screen.name),
                className: screen.name
            )
        }
        if !screens.lines.isEmpty { root.add(namespace("Screens", screens.lines)) }
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
        lines += ["}"] + routeMembers + taskMembers
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

    // MARK: Routes and tasks

    /// Returns extensions of a type with a member for each call.
    ///
    /// There is one extension per result type.
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
            // A task gets the short name only if it is the only task of its service that qualifies.
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
        var result = "LuaRouting.Value"
        if let declared = call.result {
            result = own.type(of: declared.type, named: "Result")
            // The result of a route is optional anyway, because the user can always leave a screen
            // without a result.
            if declared.isOptional, type == "TypedTask", result != "LuaRouting.Value" {
                result += "?"
            }
        }
        let target =
            "\(Value(call.target.service).swiftLiteral), \(Value(call.target.task).swiftLiteral)"
        var lines = ["/// `\(call.target)`"]
        if let info = call.parameters {
            // Required parameters come first, as is usual in Swift.
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
