// SPDX-License-Identifier: MIT

/// Globals of Lua that scripts do not have, each with a hint about its replacement.
enum RefusedGlobal {
    private static let hints = [
        "coroutine":
            "to wait, use 'router.sleep', or 'await' of a navigation or task; to call a function later, use 'router.delay'",
        "debug":
            "error messages already contain the line number; to log other values, use 'router.log'",
        "dofile": "use 'require' for files of the bundle",
        "io": "scripts cannot open files: let a task of the host read them",
        "load":
            "scripts can run only files of the bundle: use 'require', or call functions from a table",
        "loadfile": "use 'require' for files of the bundle",
        "loadstring":
            "scripts can run only files of the bundle: use 'require', or call functions from a table",
        "package": "use 'require' for files of the bundle",
        "setfenv": "in Lua 5.4, use '_ENV'",
        "unpack": "in Lua 5.4, use 'table.unpack'",
        "warn": "use 'router.log.warn'",
    ]

    /// Returns the hint about a global that scripts do not have; nil for any other global.
    static func hint(for name: String) -> String? {
        hints[name].map { " (\($0))" }
    }
}
