// SPDX-License-Identifier: MIT

import LuaRouting

/// The examples of types in the documentation, word for word.
///
/// `TypeExampleTests` runs them, and compares the output of each line `print(…)  // output` with its
/// comment. `Tests/Consumers/App` compiles them as an app, which sees only the public API.
@MainActor
enum TypeExamples {
    /// The example of one type.
    struct Example {
        let type: String
        let run: @MainActor () async throws -> Void

        init(_ type: String, _ run: @escaping @MainActor () async throws -> Void) {
            self.type = type
            self.run = run
        }
    }

    static let all = screens + notation + navigations + values + urls

    /// The printed texts, by file name and line of the `print`.
    private(set) static var outputs: [String: [String]] = [:]

    /// Records a text in place of printing it.
    static func print(_ items: Any..., file: String = #fileID, line: Int = #line) {
        let name = file.split(separator: "/").last ?? ""
        outputs["\(name):\(line)", default: []].append(
            items.map { "\($0)" }.joined(separator: " ")
        )
    }

    // MARK: Surroundings of the examples

    static let bundle = ScriptBundle(files: [
        "main.lua": """
        router.links { "app" }
        router.class("Page", { fields = { "id", "title" } })
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          info = { id = "integer" },
          url = "app://pages/:id(int)",
          reuse = { by = "id" },
          build = function(info) return router.screen("Page", { id = info.id }) end,
        })
        router.register("Checkout", "show", {
          intercept = function() router.sleep(60) end,
          build = function() return router.screen "Checkout" end,
        })
        router.registerTask("Settings", "load", function() return { theme = "dark" } end)
        router.expects { tasks = { "Player/play" } }

        local orders = router.routing "app://orders/:id(int)"
        router.export("signIn", function()
          orders:setAction(function(request) return "order " .. request.parameters.id end)
        end)
        local function onEnd() end
        router.export("play", function() router.doTask("Player", "play", { onEnd = onEnd }) end)
        """
    ])

    /// Returns a router that shows the first screen, and on top of it a page if one is given.
    static func startedRouter(
        showing page: Int? = nil,
        host: HeadlessHost = HeadlessHost()
    ) throws -> Router {
        let router = try Router(scripts: bundle, host: host)
        router.start()
        if let page { router.navigate(Target("Page", "show"), info: ["id": page]) }
        return router
    }

    /// Returns a table of two patterns.
    static func showTable() throws -> URLTable {
        let patterns = try ["/shows/:showId(int)", "/shows/:showId(int)/:tab"].map {
            try URLPattern($0)
        }
        return try URLTable(patterns.map { URLTable.Route($0, at: "main.lua:1") })
    }
}
