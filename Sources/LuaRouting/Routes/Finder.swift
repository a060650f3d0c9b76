// SPDX-License-Identifier: MIT

internal import LuaVM

/// Says which screen is looked for.
struct Finder {
    var `class`: String?
    var kind: Screen.Kind?
    /// The fields that must be equal to those of the info.
    var fields: [String] = []
    var match: LuaFunction?
    var screen: ScreenID?
    var isTopDown = false

    /// The keys of a finder that is a table.
    static let keys: [APIParameter] = [
        .optional("class", .name, "its class"),
        .optional("kind", .word(Screen.Kind.allCases.map(\.rawValue)), "its kind"),
        .optional("by", .either([.name, .list(.name, [])]), "fields that are those of the info"),
        .optional("match", .function, "`(screen, info)` → whether"),
        .optional("direction", .word(["topDown", "bottomUp"]), "else `bottomUp`"),
    ]

    /// Reads what a script says, which is checked already.
    init(_ value: Value) {
        switch value {
        case .string(let name): `class` = name.text
        case .screen(let id): screen = id
        case .function(let function as LuaFunction): match = function
        case .table(let table):
            `class` = table["class"].text
            kind = table["kind"].text.flatMap { Screen.Kind(rawValue: $0) }
            if let name = table["by"].text { fields = [name] }
            if case .table(let names) = table["by"] { fields = names.list.compactMap(\.text) }
            match = table["match"].luaFunction
            isTopDown = table["direction"].text == "topDown"
        default: break
        }
    }

    /// Whether a screen is one that is looked for, as far as this can be said without a script.
    func accepts(_ candidate: Screen, _ info: Table) -> Bool {
        if let screen, screen != candidate.id { return false }
        if let `class`, `class` != candidate.class { return false }
        if let kind, kind != candidate.kind { return false }
        return fields.allSatisfy { candidate.fields[$0].isEqual(to: info[$0]) }
    }
}
