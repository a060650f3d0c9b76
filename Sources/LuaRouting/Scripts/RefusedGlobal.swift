// SPDX-License-Identifier: MIT

/// Globals of Lua that scripts do not have, and what there is in their place.
enum RefusedGlobal {
    private static let hints = [
        "coroutine": "waiting is the router's: 'router.sleep', 'n:await', 'router.delay'",
        "debug": "an error says its line; 'router.log' takes the rest",
        "dofile": "use 'require' for files of the bundle",
        "io": "files are the host's: register what reads them as a task of the host",
        "load": "chunks are files of the bundle: use 'require', or a table of functions",
        "loadfile": "use 'require' for files of the bundle",
        "loadstring": "chunks are files of the bundle: use 'require', or a table of functions",
        "package": "use 'require' for files of the bundle",
        "setfenv": "Lua 5.4 has '_ENV'",
        "unpack": "Lua 5.4 has 'table.unpack'",
        "warn": "use 'router.log.warn'",
    ]

    /// The hint about a global that scripts do not have; nil for any other global.
    static func hint(for name: String) -> String? {
        hints[name].map { " (\($0))" }
    }
}
