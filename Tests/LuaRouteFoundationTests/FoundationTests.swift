// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteFoundation
import LuaRouting
import Testing

@Suite @MainActor struct FoundationTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Page", "open", { url = "/pages/:id", origin = { "external" },
          build = function(info) return router.screen("Page", { id = info.id }) end,
        })
        """

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute scripts \(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.script.utf8).write(to: folder.appending(path: "main.lua"))
        return folder
    }

    @Test("the localized description of an error is its message, without the file and line")
    func description() {
        let error = RouteError(
            .badInfo,
            "bad field 'id' (integer expected, got string)",
            at: RouteError.Location(file: "routes/page.lua", line: 12),
            traceback: "routes/page.lua:12: in function 'build'"
        )
        #expect(error.localizedDescription == error.message)
        #expect(error.failureReason == "badInfo at routes/page.lua:12")
        let bridged = error as NSError
        #expect(bridged.domain == "luaroute.RouteError")
        #expect(bridged.localizedDescription == error.message)
        let debug = bridged.userInfo[NSDebugDescriptionErrorKey] as? String
        #expect(debug == "\(error.description)\nroutes/page.lua:12: in function 'build'")
    }

    @Test(
        "the number of an error code never changes, and a code of a later release has the number 0"
    )
    func codes() {
        let numbers = [
            "notFound": 1,
            "wrongKind": 2,
            "badInfo": 3,
            "forbidden": 4,
            "startNotFound": 5,
            "typeMismatch": 6,
            "composition": 7,
            "notDismissible": 8,
            "stopped": 9,
            "redirectLoop": 10,
            "disabled": 11,
            "missingDependency": 12,
            "timeout": 13,
            "busy": 14,
            "script": 15,
            "cancelled": 16,
            "superseded": 17,
            "budget": 18,
            "host": 19,
            "parse": 20,
        ]
        for (code, number) in numbers {
            #expect(RouteError(RouteError.Code(rawValue: code), "").errorCode == number)
        }
        #expect(RouteError(RouteError.Code(rawValue: "later"), "").errorCode == 0)
        #expect(Set(RouteError.Code.allCases.map(\.rawValue)) == Set(numbers.keys))
    }

    @Test("a bundle is read from the URL of its folder or of its entry file")
    func bundles() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = try ScriptBundle(directory: folder)
        #expect(bundle.entry == "main.lua")
        #expect(bundle.isSame(as: try ScriptBundle(file: folder.appending(path: "main.lua"))))
        #expect(throws: BundleError.self) {
            try ScriptBundle(directory: folder.appending(path: "nothing"))
        }
        let remote = try #require(URL(string: "https://example.com/main.lua"))
        #expect(throws: BundleError.self) { try ScriptBundle(file: remote) }
    }

    @Test("a URL is opened with its origin, by the completion form and by the async form")
    func open() async throws {
        let bundle = ScriptBundle(files: ["main.lua": Self.script])
        let router = try Router(scripts: bundle, host: HeadlessHost())
        try await router.start()
        let url = try #require(URL(string: "/pages/7"))
        #expect(try await router.open(url, origin: .external).class == "Page")
        var code: RouteError.Code?
        router.open(url) { navigation in
            if case .failed(let error) = navigation.status { code = error.code }
        }
        #expect(code == .forbidden)
    }
}
