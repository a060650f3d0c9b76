// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Writes the definition file for the Lua language server.
///
/// The file declares the Lua API, and the routes, classes and gates of scripts.
struct LuaDefinitions {
    /// The declarations of the scripts; nil to write only the API.
    var interface: ScriptInterface?

    /// The text of the file.
    ///
    /// Equal interfaces give the same bytes.
    var text: String {
        var writer = LuaDefinitionWriter()
        writer.write(interface)
        return writer.lines.map { $0 + "\n" }.joined()
    }
}

/// The lines of a definition file.
struct LuaDefinitionWriter {
    private(set) var lines = [
        "---@meta",
        "-- Written by 'luaroute types --lua': change the scripts, and write it again.",
        "",
    ]
    private var types = LuaTypes()

    mutating func write(_ interface: ScriptInterface?) {
        let calls = (interface?.routes ?? []) + (interface?.tasks ?? [])
        alias("Service", of: calls.map(\.target.service))
        alias("Class", of: (interface?.classes ?? []).map(\.name))
        alias("Gate", of: interface?.gates ?? [])
        alias("TaskName", of: calls.map(\.target.task))
        alias("Interceptor", of: interface?.interceptors ?? [])
        alias("ActionName", of: Action.words + (interface?.actions ?? []))
        begin(
            "Screen",
            variable: "",
            fields: ScreenProperty.allCases.map {
                ($0.rawValue, LuaTypes.result($0.type), $0.text)
            }
        )
        lines += ["---@field [string] any", ""]
        for screen in interface?.classes ?? [] {
            lines.append("---@class \(LuaTypes.screen(screen.name)): luaroute.Screen")
            lines += screen.fields.map {
                "---@field \(LuaTypes.key($0.name))? \(LuaTypes.type(of: $0.type))"
            }
            lines.append("")
        }
        for name in ["Action", "Link", "Switch"] {
            begin(name, variable: "", fields: [])
        }
        // A container function returns a tree, or a screen if it is called while a navigation
        // builds screens.
        begin("Tree: luaroute.Screen", variable: "", fields: [])
        let values = APIValue.all.map { ($0.name, "any", $0.text) }
        begin("Router", variable: "", fields: values)
        lines += ["router = {}", ""]
        begin("Log", variable: "", fields: [])
        lines += ["router.log = {}", ""]
        let members = (APIFunction.navigationMembers + APIFunction.urlMembers)
            .map { ($0.name, LuaTypes.property($0.text), $0.text) }
        begin("Navigation", variable: "nav", fields: members)
        var known = Self.globals.union(["nav"])
        for object in APIChapter.all.map(\.object) where known.insert(object).inserted {
            let members = APIChapter.all.filter { $0.object == object }.flatMap(\.members)
            begin(
                LuaTypes.capitalized(object),
                variable: object,
                fields: members.map {
                    (
                        String($0.name.dropFirst(object.count + 1)), LuaTypes.property($0.text),
                        $0.text
                    )
                }
            )
        }
        for chapter in APIChapter.all where chapter.object != "os" {
            for function in chapter.functions { write(function, of: chapter.object, interface) }
        }
        while let table = types.nextTable() { lines += table + [""] }
        lines.removeLast()
    }

    /// The names of the global tables, whose functions are called with `.` instead of `:`.
    ///
    /// The language server already knows `os`.
    private static let globals: Set<String> = ["router", "router.log", "os"]

    /// Declares an alias for the names in the scripts.
    ///
    /// The alias also allows any other string, because functions can register more names.
    private mutating func alias(_ name: String, of names: [String]) {
        lines.append("---@alias luaroute.\(name)")
        var last: String?
        for name in names.sorted() where name != last {
            lines.append("---| \(LuaTypes.literal(name))")
            last = name
        }
        lines += ["---| string", ""]
    }

    /// Declares a class, and a variable for the functions of the class unless the variable's name
    /// is empty.
    private mutating func begin(
        _ name: String,
        variable: String,
        fields: [(name: String, type: String, text: String)]
    ) {
        lines.append("---@class luaroute.\(name)")
        lines += fields.map {
            "---@field \(LuaTypes.key($0.name)) \($0.type) # \($0.text)"
        }
        switch name {
        case "Screen", "Router", "Log": break
        default: lines += variable.isEmpty ? [""] : ["local \(variable) = {}", ""]
        }
    }

    private mutating func write(
        _ function: APIFunction,
        of object: String,
        _ interface: ScriptInterface?
    ) {
        lines.append("---\(function.text)")
        var (names, parameters): ([String], [String]) = ([], [])
        for parameter in function.parameters {
            let type = types.type(of: parameter, in: function.name)
            let mark = parameter.isOptional ? "?" : ""
            let name = LuaTypes.variable(parameter.name)
            names.append(name)
            lines.append("---@param \(name)\(mark) \(type) # \(parameter.text)")
            parameters.append("\(name)\(mark): \(type)")
        }
        let results = LuaTypes.results(function.results)
        lines += results.map { "---@return \($0.type)\($0.name.map { " \($0)" } ?? "")" }
        if let interface {
            let result = results.map(\.type).joined(separator: ", ")
            lines += overloads(of: function, interface).map { known, itsResult in
                let list = (known + parameters.dropFirst(known.count)).joined(separator: ", ")
                let result = itsResult ?? result
                return "---@overload fun(\(list))\(result.isEmpty ? "" : ": \(result)")"
            }
        }
        let sign = Self.globals.contains(object) ? "." : ":"
        let list = names.joined(separator: ", ")
        lines += ["function \(object)\(sign)\(function.name)(\(list)) end", ""]
    }

    /// Returns the overloads of a function that takes a target or a class.
    ///
    /// There is an overload for each target or class of the scripts. `parameters` contains only the
    /// first parameters of the overload, and `result` is nil if the result is the same as that of
    /// the function.
    private func overloads(
        of function: APIFunction,
        _ interface: ScriptInterface
    ) -> [(parameters: [String], result: String?)] {
        switch function.parameters.prefix(3).map(\.name) {
        case ["service", "task", "info"]:
            let calls = function.name == "doTask" ? interface.tasks : interface.routes
            return calls.map { call in
                let target = [
                    "service: \(LuaTypes.literal(call.target.service))",
                    "task: \(LuaTypes.literal(call.target.task))",
                ]
                guard let info = call.parameters else { return (target + ["info?: table"], nil) }
                let mark = info.parameters.contains(where: \.isRequired) ? "" : "?"
                return (target + ["info\(mark): \(LuaTypes.record(info.parameters))"], nil)
            }
        case ["class", "fields"]:
            return interface.classes.filter { !$0.kind.isContainer }.map { screen in
                let fields = screen.fields.map {
                    InfoDeclaration.Parameter(name: $0.name, type: $0.type, isOptional: true)
                }
                let name = LuaTypes.literal(screen.name)
                return (
                    ["class: \(name)", "fields?: \(LuaTypes.record(fields))"],
                    LuaTypes.screen(screen.name)
                )
            }
        default: return []
        }
    }
}
