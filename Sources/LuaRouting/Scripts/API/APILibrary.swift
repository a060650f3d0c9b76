// SPDX-License-Identifier: MIT

internal import LuaVM

/// The functions in a table that scripts use, such as `router` or `os`.
struct APILibrary: Sendable {
    /// The name of the table in messages.
    let title: String
    let functions: [APIFunction]
    /// The names of the functions.
    let names: FunctionNames
    /// The names of all members, used for suggestions.
    let members: [String]
    /// Whether the table contains functions that declare routes and parts of routes.
    let declares: Bool

    private init(
        _ title: String,
        _ functions: [APIFunction],
        others: [String] = [],
        declares: Bool = false
    ) {
        self.title = title
        self.declares = declares
        self.functions = functions
        names = FunctionNames(functions.map(\.name))
        members = functions.map(\.name) + others
    }

    static let router = APILibrary(
        "router",
        APIFunction.all,
        others: ["log"] + APIValue.all.map(\.name),
        declares: true
    )
    static let log = APILibrary("router.log", APIFunction.log)

    /// Returns the library `os` for scripts with the given profile.
    static func os(_ profile: ScriptProfile) -> APILibrary {
        profile == .trusted ? trustedOS : strictOS
    }

    private static let strictOS = APILibrary("os", APIFunction.os(.strict))
    private static let trustedOS = APILibrary("os", APIFunction.os(.trusted))
}
