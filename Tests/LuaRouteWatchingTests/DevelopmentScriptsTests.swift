// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

@testable import LuaRouteWatching

/// The scripts of an app under development.
struct DevelopmentScriptsTests {
    private static let embedded = ScriptBundle(files: ["main.lua": "-- embedded"])

    private let folder: WatchedFolder

    init() throws {
        folder = try WatchedFolder()
        try folder.run("mkdir named usual empty")
        try folder.write("named/main.lua", "-- named")
        try folder.write("usual/main.lua", "-- usual")
    }

    private func text(variable: String?, path: String?) throws -> String {
        let scripts = try ScriptBundle.development(
            variable: variable.map { $0.isEmpty ? "" : folder.file($0) },
            path: path.map(folder.file)
        ) { () throws(BundleError) in
            Self.embedded
        }
        return String(decoding: try scripts.source(of: "main.lua"), as: UTF8.self)
    }

    @Test(
        "the folder in the variable takes precedence over the path, and the path over the embedded scripts",
        arguments: [
            ("named", "usual", "named"), ("", "usual", "usual"), (nil, "usual", "usual"),
            (nil, "nowhere", "embedded"), (nil, nil, "embedded"), ("named/main.lua", nil, "named"),
        ] as [(String?, String?, String)]
    )
    func order(variable: String?, path: String?, expected: String) throws {
        #expect(try text(variable: variable, path: path) == "-- \(expected)")
    }

    @Test("a missing folder named by the variable is an error")
    func missing() throws {
        let error = #expect(throws: BundleError.self) {
            try text(variable: "nowhere", path: "usual")
        }
        #expect(error?.reason == .missing)
        #expect(
            error?.message.hasSuffix(
                "(the path is from the environment variable 'LUAROUTE_SCRIPTS': "
                    + "unset the variable to use the embedded scripts)"
            ) == true
        )
    }

    @Test(
        "a folder without scripts is an error, and the embedded scripts are not used",
        arguments: [true, false]
    )
    func empty(isNamed: Bool) throws {
        let error = #expect(throws: BundleError.self) {
            try text(variable: isNamed ? "empty" : nil, path: isNamed ? nil : "empty")
        }
        #expect(error?.message.contains("empty/main.lua") == true)
    }

    @Test("the router reloads when a file changes, and continues after a rejection")
    @MainActor
    func watching() async throws {
        let script = "router.start(function() return router.screen 'A' end)\n"
        try folder.write("named/main.lua", script)
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        let router = try Router(
            scripts: ScriptBundle.development(
                variable: folder.file("named"),
                path: nil,
                embedded: { () throws(BundleError) in Self.embedded }
            ),
            host: HeadlessHost(),
            onEvent: { event in
                guard event.kind == .reload else { return }
                continuation.yield(event["reason"].text ?? event["status"].text ?? "")
            }
        )
        let watching = Task { await router.reloadWhenChanged() }
        var found: [String] = []
        try folder.write("named/main.lua", "return {")
        for await result in results {
            found.append(result)
            if found.count == 1 { try folder.run("rm named/main.lua") }
            if found.count == 2 { try folder.write("named/main.lua", script + "-- fixed") }
            if found.count == 3 { break }
        }
        #expect(found == ["syntax", "missing", "accepted"])
        watching.cancel()
        await watching.value
    }
}
