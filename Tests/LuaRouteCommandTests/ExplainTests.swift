// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The command `luaroute explain`.
struct ExplainTests {
    private static let shop = "Tests/Listings/shop.lua"

    private static let targets = [
        "/products/7/about", "/products/AB-12", "/products/zz", "/products/7/x?utm=1#top",
        "/products/search?q=a&page=x", "SHOP://find/a%20b", "/p/3", "/help", "/help/a/b",
        "https://other.example/products/7", "/a%ff", "/" + String(repeating: "a", count: 9000),
        "/prodcts/7", "", "Product/show(id=7)", "Basket/count", "Prodct/show", "Product/shw",
        "Product|{\"id\":7}", "SHOP://me@find/a%20b", "/p/..", "/p|q",
    ]

    private func explain(_ arguments: [String]) throws -> CommandProcess {
        try CommandProcess(["explain"] + arguments)
    }

    @Test("the printed explanations match the recorded output")
    func text() throws {
        let process = try explain([Self.shop] + Self.targets)
        #expect(process.code == 1)
        #expect(process.errors.isEmpty)
        try expectGolden(process.output, listings.appending(path: "shop.explain.txt"))
    }

    @Test("'--json' prints one document that matches the recorded output")
    func json() throws {
        let process = try explain(["--json", "--color", "always", Self.shop] + Self.targets)
        #expect(process.code == 1)
        #expect(process.errors.isEmpty)
        let text = try readable(process.output)
        try expectGolden(text, listings.appending(path: "shop.explain.json"))
    }

    @Test(
        "the exit code depends on the targets",
        arguments: [
            ([shop, "/products/7"], 0, "→ Product/show(id=7)", ""),
            (["--script", shop, "/products/7", "/help"], 0, "→ Help/page", ""),
            ([shop, "/products/7", "/nowhere"], 1, "✘ /nowhere: no pattern matches", ""),
            ([shop, "Basket/show"], 0, "route   Basket/show", ""),
            (["Tests/Listings/shpo.lua", "/x"], 66, "", "did you mean 'Tests/Listings/shop.lua'?"),
            (["/x"], 66, "", "the current folder has no 'main.lua'"),
            (["Tests/Listings/broken.lua", "/x"], 3, "", "broken.lua:5"),
            (["Tests/Listings/broken.lua", "/x", "--json"], 3, "\"targets\":[]", "error[L0208]"),
            (
                ["scripts/podcast", "Show/open"], 1,
                "no service 'Show'; a navigation to this target ends", ""
            ),
            (["scripts/podcast", "ShowPage/open(showId=1)"], 0, "scripts/podcast/shows.lua:9", ""),
            (
                [shop, "Product/show(id=7)", "--given", "nav[Product(id=7), Main]"], 0,
                "does    pop(Product(id=7))", ""
            ),
            (
                [shop, "/products/AB-12", "--given", "tabs[Main]"], 1, "fails   typeMismatch", ""
            ),
            ([shop, "/help", "--given", "nav[Main"], 64, "", "--> --given:1:9"),
            ([shop, "Help/page(topic=)"], 1, "  Help/page(topic=)\n                  ^", ""),
            (
                ["Tests/Listings/links.lua", "Orders/show"], 1,
                "stopped: log in first", ""
            ),
            (
                ["Tests/Listings/links.lua", "Orders/show", "--state", "user={name=\"ann\"}"], 0,
                "does    push(Orders(of=\"ann\"))", ""
            ),
            (
                [
                    "Tests/Listings/links.lua", "Orders/show", "--state", "user.name=bob",
                    "--state", "user.age = 7",
                ], 0, "does    push(Orders(age=7, of=\"bob\"))", ""
            ),
            ([shop, "unready session leaving"], 0, "✔ unready session leaving", ""),
            ([shop, "unready started leaving"], 1, "✘ unready started leaving: ", ""),
            // 'router.start' sees the state.
            (["Tests/Listings/links.lua", "/both/1", "--state", "user=ann"], 0, "nav[Home]", ""),
            ([shop, "/help", "--state", "user"], 64, "", "--> --state:1:5"),
            ([shop, "/help", "--state", "user={"], 64, "", "--> --state:1:"),
            (
                [shop, "/help", "--state", "a=1", "--state", "a.b=1"], 64, "",
                "'a' has no keys (table expected, got integer)"
            ),
            ([], 64, "", "no target to explain"),
            (["--script", shop], 64, "", "no target to explain"),
            ([shop], 64, "", "no target to explain"),
            ([shop], 64, "", "Usage: luaroute explain ["),
            (
                ["Tests/Scenarios/pass/gates.scenario", "/x", "--script"], 64, "",
                "Missing value for '--script"
            ),
            (["--script", "a.scenario", "/x"], 3, "", "'a.scenario' is a scenario file"),
            (["scripts", "/x"], 66, "", "the folder 'scripts' has no 'main.lua'"),
            (["--jsn"], 64, "", "Unknown option '--jsn'. Did you mean '--json'?"),
            (["--help"], 0, "luaroute explain shop.lua shop://products/7?ref=mail", ""),
        ] as [([String], Int32, String, String)]
    )
    func codes(_ arguments: [String], _ code: Int32, _ output: String, _ errors: String) throws {
        let process = try explain(arguments)
        #expect(process.code == code, "\(process.output)\(process.errors)")
        for (expected, text) in [(output, process.output), (errors, process.errors)] {
            #expect(expected.isEmpty ? text.isEmpty : text.contains(expected), "\(text)")
        }
    }

    @Test("routings are listed next to routes, and explained for the URLs that they match")
    func routings() throws {
        let links = "Tests/Listings/links.lua"
        let urls = ["/letter/7", "/letter/ann", "/letter/7/x", "/both/1", "/both/x", "/orders/1"]
        let process = try explain([links] + urls)
        #expect(process.code == 1)
        try expectGolden(process.output, listings.appending(path: "links.explain.txt"))
        let json = try explain([links, "--json"] + urls)
        try expectGolden(try readable(json.output), listings.appending(path: "links.explain.json"))
        let list = try CommandProcess(["routes", links])
        try expectGolden(list.output, listings.appending(path: "links.list.txt"))
    }

    @Test("no parent of a reused screen is said to fail")
    func parentsOfReused() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            local function page(name, definition) router.register(name, "show", definition) end
            page("Found", { find = "Found", from = "root" })
            page("Bare", { from = "root" })
            for name, parent in pairs { A = "Found", B = "Bare" } do
              page(name, {
                info = { id = "integer" }, reuse = { by = "id" }, from = { parent, "show" },
                build = router.screen(name),
              })
            end
            """
        )
        let process = try explain([
            "--script", "\(folder.path)/main.lua", "A/show(id=1)", "B/show(id=1)",
            "--given", "nav[Found, A(id=1), B(id=1)]",
        ])
        #expect(process.code == 0, "\(process.errors)")
        for expected in ["Found/show finds Found by find", "Bare/show is not needed"] {
            #expect(process.output.contains(expected), "\(process.output)")
        }
        #expect(!process.output.contains("fails"))
    }

    // MARK: Differences

    private static let versions = (
        old: """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("A", "show", { url = "/same/:id", build = router.screen "A" })
        router.register("B", "show", { url = "/screen", build = router.screen "B1" })
        router.register("C", "show", { url = "/x/:id(int)", build = router.screen "C" })
        router.register("D", "show", { url = "/old", build = router.screen "D" })
        router.register("E", "show", {
          url = "/flag", build = router.screen "E",
          enabled = function() return true end, fallback = { "A", "show" },
        })
        router.register("F", "show", { url = "/stop", build = function() error "one" end })
        router.register("G", "show", {
          url = "/sheet", build = router.screen "G", via = router.present { style = "page" },
        })
        router.register("H", "show", { url = "/modal", build = router.screen "H" })
        """,
        new: """
        router.start(function() return router.nav { router.screen "Other" } end)
        -- A line more.
        router.register("A", "show", { url = "/same/:id", build = router.screen "A" })
        router.register("B", "show", { url = "/screen", build = router.screen "B2" })
        router.register("C", "show", { url = "/x/:id", build = router.screen "C" })
        router.register("C2", "show", { url = "/x/9", build = router.screen "C2" })
        router.register("D", "show", { url = "/new", build = router.screen "D" })
        router.register("E", "show", {
          url = "/flag", build = router.screen "E",
          enabled = function() return false end, fallback = { "A", "show" },
        })
        router.register("F", "show", { url = "/stop", build = function() error "two" end })
        router.register("G", "show", {
          url = "/sheet", build = router.screen "G", via = router.present { style = "sheet" },
        })
        router.register("H", "show", { url = "/modal", build = router.screen "H", via = "present" })
        """
    )

    @Test("'--diff' prints each target whose destination changed, and counts the changes")
    func difference() throws {
        let folder = try TemporaryFolder()
        try folder.write("old.lua", Self.versions.old)
        try folder.write("new.lua", Self.versions.new)
        let targets =
            "/same/7 /screen /x/7 /x/9 /old /new /flag /stop A/show(id=1) /never /x/a /sheet /modal"
        let lines = targets.replacing(" ", with: "\\n")
        let command = "explain \(folder.path)/new.lua - --diff \(folder.path)/old.lua"
        let process = try CommandProcess(shell: "printf '\(lines)' | \"$LUAROUTE\" \(command)")
        #expect(process.code == 1)
        #expect(process.errors.isEmpty, "\(process.errors)")
        #expect(
            process.output == """
                ~ /screen
                  screen  was B1, now B2
                ~ /x/7
                  parameters  was (id=7), now (id="7")
                ~ /x/9
                  route       was C/show, now C2/show
                  screen      was C, now C2
                  parameters  was (id=9), now nothing
                ~ /old
                  fails  was D/show, now no pattern matches
                ~ /new
                  succeeds  was no pattern matches, now D/show
                ~ /flag
                  redirect  was nothing, now A/show
                  screen    was E, now A
                ~ /stop
                  failure  was script: one, now script: two
                ~ /x/a
                  succeeds  was no pattern matches, now C/show(id="a")
                ~ /sheet
                  presentation  was present(style="page"), now present(style="sheet")
                ~ /modal
                  presentation  was nothing, now present
                13 targets: 10 changed (1 fail now, 2 succeed now, 1 fail for another reason, \
                1 with another route, 1 with another redirect, 1 with another screen, \
                2 presented differently, 1 with other parameters)

                """
        )
        let json = try CommandProcess(
            shell: "printf '/same/1\\n/old' | \"$LUAROUTE\" \(command) --json"
        )
        #expect(json.code == 1)
        #expect(try readable(json.output).contains("\"schema\" : \"luaroute.explain-diff/1\""))
        #expect(json.output.contains(#""targets":2,"counts":{"fails":1,"succeeds":0,"#))
    }

    @Test("'--diff' does not compare suggestions")
    func differenceOfSuggestions() throws {
        let folder = try TemporaryFolder()
        for name in ["Profile", "Profilx"] {
            try folder.write(
                "\(name).lua",
                """
                router.register("\(name)", "show", { build = router.screen "A" })
                router.fallback { screen = function() return router.screen "B" end }
                """
            )
        }
        let (old, new) = ("\(folder.path)/Profile.lua", "\(folder.path)/Profilx.lua")
        let process = try explain([new, "Profily/show", "Other/show", "--diff", old])
        #expect(process.output == "2 targets: no destination changed\n")
        let names = try explain([new, "Profily/show"]).output
        #expect(names.contains("did you mean 'Profilx"), "\(names)")
    }

    @Test(
        "'--diff' succeeds if all destinations are equal, and fails if scripts do not load",
        arguments: [
            ([shop, "/help", "--diff", shop], 0, "1 target: no destination changed\n", ""),
            ([shop, "/help", "--diff", "Tests/Listings/broken.lua"], 3, "", "error[L0208]"),
            ([shop, "/help", "--diff", "Tests/Listings/none.lua"], 66, "", "no such file"),
            (["Tests/Listings/none.lua", "/help", "--diff", shop], 66, "", "no such file"),
        ] as [([String], Int32, String, String)]
    )
    func differenceCodes(
        _ arguments: [String],
        _ code: Int32,
        _ output: String,
        _ errors: String
    ) throws {
        let process = try explain(arguments)
        #expect(process.code == code)
        #expect(process.output == output)
        #expect(errors.isEmpty ? process.errors.isEmpty : process.errors.contains(errors))
    }

    // MARK: The input

    @Test("'-' reads one target per line, with any line endings")
    func input() throws {
        let process = try CommandProcess(
            shell:
                "printf '/p/1\\r\\n\\n/help\\n/p/2' | \"$LUAROUTE\" explain \(Self.shop) /p/0 - /p/3"
        )
        let headings = process.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(
            headings == [
                "✔ /p/0 → Product/show(id=0), if 'track' lets the navigation proceed",
                "✔ /p/1 → Product/show(id=1), if 'track' lets the navigation proceed",
                "✔ /help → Help/page",
                "✔ /p/2 → Product/show(id=2), if 'track' lets the navigation proceed",
                "✔ /p/3 → Product/show(id=3), if 'track' lets the navigation proceed",
            ]
        )
        #expect(process.code == 0)
    }

    @Test("an empty input is valid; invalid UTF-8 is reported with its position")
    func bytes() throws {
        let empty = try CommandProcess(shell: "\"$LUAROUTE\" explain \(Self.shop) - < /dev/null")
        #expect(empty.code == 0)
        #expect(empty.output.isEmpty)
        let process = try CommandProcess(
            shell: "printf '/help/\\377?\\033[31m\\n' | \"$LUAROUTE\" explain \(Self.shop) -"
        )
        #expect(process.code == 1)
        #expect(
            process.output.hasPrefix(
                "✘ /help/\u{FFFD}?\\u{1B}[31m: malformed escape or invalid character"
            )
        )
    }

    @Test("ten thousand lines are explained by one process, in order")
    func many() throws {
        let line = """
            i=0; while [ $i -lt 10000 ]; do echo "/p/$i"; i=$((i+1)); done \
            | "$LUAROUTE" explain \(Self.shop) - --json
            """
        let process = try CommandProcess(shell: line)
        #expect(process.code == 0)
        let value = try JSONSerialization.jsonObject(with: Data(process.output.utf8))
        let targets = try #require((value as? [String: Any])?["targets"] as? [[String: Any]])
        #expect(
            targets.map { $0["destination"] as? String }
                == (0..<10_000).map { "Product/show(id=\($0))" }
        )
    }

    @Test("a reader that closes the pipe early causes no error")
    func head() throws {
        let line = """
            { yes /p/1 | head -20000 | "$LUAROUTE" explain \(Self.shop) -; echo "code $?" >&2; } \
            | head -1
            """
        let process = try CommandProcess(shell: line)
        #expect(
            process.output
                == "✔ /p/1 → Product/show(id=1), if 'track' lets the navigation proceed\n"
        )
        #expect(process.errors == "code 0\n")
    }

    @Test("reading an endless input stops when nobody reads the results")
    func endless() throws {
        let process = try CommandProcess(
            shell: "yes /p/1 | \"$LUAROUTE\" explain \(Self.shop) - | head -1"
        )
        #expect(
            process.output
                == "✔ /p/1 → Product/show(id=1), if 'track' lets the navigation proceed\n"
        )
        #expect(process.errors.isEmpty)
    }

    @Test("an unreadable input is reported after the targets that were already explained")
    func unreadable() throws {
        let process = try CommandProcess(
            shell: "\"$LUAROUTE\" explain \(Self.shop) /p/1 - --json < Tests"
        )
        #expect(process.code == 66)
        #expect(process.output.contains("Product/show(id=1)"))
        #expect(process.output.hasSuffix("\"exitCode\":66}\n"))
        #expect(process.errors == "error[C0103]: cannot read the input (is a directory)\n\n")
    }

    @Test("near misses after the fifth are only counted; '--all' prints them")
    func all() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-explain-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            for i = 1, 9 do
              router.register("Page", "p" .. i, { url = "/a/p" .. i, build = router.screen "Page" })
            end
            """
        let path = folder.appending(path: "main.lua")
        try script.write(to: path, atomically: true, encoding: .utf8)
        let few = try explain([folder.path(), "/a/b"]).output
        #expect(few.contains("\n        and 4 more ('--all' shows them)\n"))
        #expect(few.components(separatedBy: "\n  miss  ").count == 6)
        let all = try explain([folder.path(), "/a/b", "--all"]).output
        #expect(!all.contains("more"))
        #expect(all.components(separatedBy: "\n  miss  ").count == 10)
    }
}
