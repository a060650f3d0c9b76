// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests that documents of the command match the JSON Schemas of `luaroute schema`.
struct SchemaTests {
    private static let names = [
        "run", "lines", "list", "watch", "check", "routes", "routes-diff", "explain",
        "explain-diff", "graph", "explore", "links", "types", "bundle-verify", "bundle-inspect",
        "bundle-diff", "events", "project", "host", "capabilities",
    ]

    private static func schema(_ name: String) throws -> NSDictionary {
        let process = try CommandProcess(["schema", name])
        #expect(process.code == 0 && process.errors.isEmpty)
        let value = try JSONSerialization.jsonObject(with: Data(process.output.utf8))
        return try #require(value as? NSDictionary)
    }

    // MARK: A validator

    /// A validator for the part of JSON Schema that the schemas use.
    private struct Validator {
        private static let words: Set = [
            "$schema", "$defs", "$ref", "title", "description", "type", "properties", "required",
            "additionalProperties", "items", "enum", "const", "anyOf", "oneOf",
        ]

        let root: NSDictionary
        /// Whether keys that a schema does not list are problems, even if the schema allows them.
        var isStrict = true
        /// The keys that occurred in documents, each with the name of its object.
        var seen: Set<String> = []

        init(_ root: NSDictionary) { self.root = root }

        /// Returns a name for an object of a schema, formed from its keys.
        static func name(_ schema: NSDictionary) -> String {
            let properties = schema["properties"] as? NSDictionary
            return (properties?.allKeys as? [String] ?? []).sorted().joined(separator: ",")
        }

        mutating func problems(
            _ value: Any,
            _ schema: NSDictionary,
            at path: String = ""
        ) -> [String] {
            for word in schema.allKeys as? [String] ?? [] where !Self.words.contains(word) {
                return ["\(path): unknown word '\(word)' in the schema"]
            }
            if let reference = schema["$ref"] as? String {
                let name = reference.dropFirst("#/$defs/".count)
                let inner = (root["$defs"] as? NSDictionary)?[name] as? NSDictionary
                return inner.map { problems(value, $0, at: path) } ?? ["no \(reference)"]
            }
            if let choices = (schema["anyOf"] ?? schema["oneOf"]) as? [NSDictionary] {
                var found: [[String]] = []
                for choice in choices {
                    var copy = self
                    let problems = copy.problems(value, choice, at: path)
                    if problems.isEmpty { self = copy }
                    found.append(problems)
                }
                let count = found.count(where: \.isEmpty)
                let isFine = schema["oneOf"] == nil ? count > 0 : count == 1
                return isFine ? [] : ["\(path): \(count) of \(choices.count) fit: \(found)"]
            }
            if let constant = schema["const"] as? String, value as? String != constant {
                return ["\(path): '\(constant)' expected, got \(value)"]
            }
            if let words = schema["enum"] as? [String], !words.contains(value as? String ?? "") {
                return ["\(path): one of \(words) expected, got \(value)"]
            }
            guard let type = schema["type"] as? String else { return [] }
            switch (type, value) {
            case ("null", is NSNull): return []
            case ("string", is String): return []
            case ("array", let list as [Any]):
                guard let items = schema["items"] as? NSDictionary else { return [] }
                return list.enumerated().flatMap { problems($1, items, at: "\(path)[\($0)]") }
            case ("object", let object as NSDictionary):
                return problems(object, schema, object: path)
            case ("boolean", let number as NSNumber): return number.isBoolean ? [] : ["\(path)"]
            case ("number", let number as NSNumber): return number.isBoolean ? ["\(path)"] : []
            case ("integer", let number as NSNumber):
                return number.isBoolean || number.doubleValue.rounded() != number.doubleValue
                    ? ["\(path): integer expected, got \(number)"] : []
            default: return ["\(path): \(type) expected, got \(value)"]
            }
        }

        private mutating func problems(
            _ object: NSDictionary,
            _ schema: NSDictionary,
            object path: String
        ) -> [String] {
            let properties = schema["properties"] as? NSDictionary ?? [:]
            var found: [String] = []
            for key in schema["required"] as? [String] ?? [] where object[key] == nil {
                found.append("\(path): '\(key)' is missing")
            }
            for case let (key as String, value) in object {
                let place = "\(path).\(key)"
                if let inner = properties[key] as? NSDictionary {
                    seen.insert("\(Self.name(schema)): \(key)")
                    found += problems(value, inner, at: place)
                } else if let others = schema["additionalProperties"] as? NSDictionary {
                    found += problems(value, others, at: place)
                } else if isStrict || schema["additionalProperties"] != nil {
                    found.append("\(place): unknown")
                }
            }
            return found
        }

        /// The keys of all objects of the schema, in the form of ``seen``.
        var keys: Set<String> {
            let objects =
                [root] + (root["oneOf"] as? [NSDictionary] ?? [])
                + ((root["$defs"] as? NSDictionary)?.allValues as? [NSDictionary] ?? [])
            return objects.reduce(into: []) { keys, schema in
                let properties = schema["properties"] as? NSDictionary
                for key in properties?.allKeys as? [String] ?? [] {
                    keys.insert("\(Self.name(schema)): \(key)")
                }
            }
        }
    }

    // MARK: Documents

    private static let app = """
        router.links { "https://a.example" }
        router.interceptor("ask", function(nav)
          if nav.info.id == 9 then router.navigate("Home", "show"):await() end
        end)
        router.class("Page", { fields = { id = "integer" } })
        router.export("help", function() end)
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          url = "/pages/:id(int)/:more?", info = { id = "integer", more = "string?" },
          intercept = "ask", build = router.screen "Page", find = { class = "Page", by = "id" },
          result = "string",
        })
        router.register("Home", "show", { find = "Home" })
        router.registerTask("Cart", "send", function() return nil end)
        router.rewrite(function(url) return (url:gsub("/old/", "/pages/")) end)
        """

    private static let watched = "use main.lua\nscenario \"A\"\n  start\n"

    private static let bundled = """
        router.api(1)
        router.expects { tasks = { "Cart/send" }, screens = { "Home", "Page" } }
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Page", "show", {
          url = "/pages/:id(int)", examples = { { id = 7 } }, build = router.screen "Page",
        })
        """

    private static let files = [
        "main.lua": app,
        "old.lua": app.replacing("/pages/", with: "/page/").replacing(
            "router.register(\"Home\"",
            with: "router.register(\"Old\""
        ),
        "rows.csv": "n\n1\n",
        "bad.scenario": "use main.lua\nscenario \"Bad\"\n  strat\n",
        "a.scenario": """
        use main.lua
        background
          start
        scenario "Row <n>" @slow
          note "hello"
          expect depth <n>
          each from rows.csv
        scenario "Fails"
          navigate Page/show(id=9)
          navigate Page/show(id=2)
          expect top Page(id=1)
          expect not top Pgae
        known "#1" "Known"
          expect depth 9
        skip "Later"
          start
        """,
        "only.scenario": """
        use main.lua
        only "One"
          start
        only "Two"
          start
        scenario "Three"
          start
        """,
        "explore.lua": """
        router.start(function() return router.nav { router.screen "Home" } end)
        router.register("Bad", "show", { build = router.screen "Bad", url = "/bad" })
        """,
        "explore.scenario": """
        use explore.lua
        explore "All"
          start
          can navigate Bad/show
          never top Bad
        """,
        "host.json": """
        {"schema":"luaroute.host/1","tasks":["Cart/send"],
         "screens":{"Page":{"kind":"leaf","fields":["id"]}},
         "dependencies":{"db":{}},"styles":["sheet"],"capabilities":{"leaving":true}}
        """,
        "rights.json": """
        {"schema":"luaroute.capabilities/1","screens":["Page"],"tasks":["Cart/send"],
         "urls":["https://a.example"],"tree":["push","windows(2)"],"leaving":false,
         "interceptAll":true,"timeout":5,"timers":{"count":3,"period":0.5},
         "rates":{"navigations":1,"presents":2,"logBytes":3,"events":4},
         "time":{"turn":0.1,"second":0.5},"memory":100000,"pending":9}
        """,
        "v1/main.lua": bundled.replacing("/pages/", with: "/page/").replacing(
            "Page\", \"",
            with: "Old\", \""
        ),
        "v2/main.lua": bundled,
        "v2/smoke.scenario": watched,
        "luaroute.json": """
        {"$schema":"schema.json","script":"main.lua","host":"host.json","paths":["."],
         "contract":"Routes.swift","tags":["!slow"],"budget":"instructions=5M"}
        """,
        "Routes.swift": "\"\"\"\nluaroute.contract/1\n\"\"\"\n",
    ]

    /// The shell command lines that print documents, by schema.
    private static let commands: [String: [String]] = [
        "run": [
            "run --json --coverage a.scenario bad.scenario gone.scenario",
            "run --json only.scenario",
            "bundle run --json --public-key app.key.pub --at 2026-02-01 v2.lrb",
            "bundle run --json --public-key app.key.pub v1.lrb",
            "bundle run --json --public-key app.key.pub --at 2026-02-01 v3.lrb",
        ],
        "lines": ["run --json=lines --coverage a.scenario bad.scenario gone.scenario"],
        "list": ["run --list --json a.scenario"],
        "check": ["check --json a.scenario bad.scenario", "check --json old.lua --fix"],
        "routes": ["routes --json $LISTINGS/shop.lua", "routes --json gone.lua"],
        "routes-diff": ["routes --json $LISTINGS/shop.lua --diff $LISTINGS/shop-old.lua"],
        "explain": [
            "explain --json main.lua /pages/7 /page/7 /old/x Page/show https://b.example"
        ],
        "explain-diff": ["explain --json main.lua --diff old.lua /pages/7 /page/7"],
        "graph": ["graph --json $LISTINGS/graph.lua"],
        "explore": ["explore --json explore.scenario --output found"],
        "links": ["links --json --apple A.b main.lua"],
        "types": ["types --json --swift Routes.swift main.lua"],
        "bundle-verify": [
            "bundle verify --json --public-key app.key.pub --at 2026-02-01 v2.lrb",
            "bundle verify --json --public-key app.key.pub v1.lrb",
        ],
        "bundle-inspect": [
            "bundle inspect --json v2.lrb", "bundle inspect --json v1.lrb",
            "bundle inspect --json main.lua",
            "bundle inspect --json store",
        ],
        "bundle-diff": ["bundle diff --json v1.lrb v2.lrb", "bundle diff --json v1.lrb no.lrb"],
        "events": ["run --events - a.scenario:8"],
    ]

    /// Creates a folder with the input files and two bundles, of which one is signed.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (path, text) in files { try folder.write(path, text) }
        let process = try CommandProcess(
            shell: """
                set -e; cd '\(folder.path)'; bundle() { "$LUAROUTE_BUNDLE" "$@"; }
                bundle make v1 -o v1.lrb --version 1
                bundle make v2 -o v2.lrb --version 2 --canary smoke.scenario \\
                    --created 2026-01-01 --not-after 9999-12-31
                bundle make v2 -o v3.lrb --version 3
                bundle key -o app.key
                bundle sign --key app.key v2.lrb
                bundle sign --key app.key v3.lrb
                mkdir store
                record='{"schema":"luaroute.store/1","bundles":[],"embedded":{"navigations":0,\
                "failures":0,"otherFailures":0,"seconds":0},"quarantined":[],"changes":[]}'
                printf '%s\\n%s\\n' "$record" "$(printf '%s' "$record" | shasum -a 256 \
                    | cut -c1-64)" > store/state.json
                """
        )
        #expect(process.code == 0, "\(process.errors)")
        return folder
    }

    /// Returns a shell command line that runs the command in a folder.
    private static func shell(_ line: String, in folder: TemporaryFolder) -> String {
        "cd '\(folder.path)'; LISTINGS='\(listings.path())'; \(command(line))"
    }

    /// Returns a shell command line for a command line of `luaroute`.
    ///
    /// Commands of `luaroute bundle` are run by `luaroute-bundle` directly, because the executables
    /// may be in different folders.
    private static func command(_ line: String) -> String {
        line.hasPrefix("bundle ")
            ? "\"$LUAROUTE_BUNDLE\" \(line.dropFirst("bundle ".count))" : "\"$LUAROUTE\" \(line)"
    }

    @Test("the parsers accept the input documents, and know the same keys as the schemas")
    func read() throws {
        let folder = try TemporaryFolder()
        for (path, text) in Self.files { try folder.write(path, text) }
        let start = "cd '\(folder.path)' && \"$LUAROUTE\""
        let project = try CommandProcess(shell: "\(start) version --verbose")
        #expect(project.code == 0, "\(project.errors)")
        let options = "--host host.json --capabilities rights.json"
        let check = try CommandProcess(shell: "\(start) check main.lua \(options)")
        #expect(check.code <= 1, "\(check.errors)")
        for (name, file, option) in [
            ("project", "luaroute.json", ""), ("host", "host.json", "--host host.json"),
            ("capabilities", "rights.json", "--capabilities rights.json"),
        ] {
            let text = (Self.files[file] ?? "").replacing(
                "{",
                with: "{\"unknown\":1,",
                maxReplacements: 1
            )
            try folder.write(file, text)
            #expect(try CommandProcess(shell: "\(start) check main.lua \(option)").code == 66)
            let schema = try Self.schema(name)
            var validator = Validator(schema)
            validator.isStrict = false
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            #expect(!validator.problems(value, schema).isEmpty, "\(name)")
            try folder.write(file, Self.files[file] ?? "")
        }
    }

    /// Returns a folder with a schema in each file `NAME.schema`, and each document that a command
    /// prints in a file `NAME.NUMBER.json`.
    private static func written() throws -> TemporaryFolder {
        let folder = try Self.folder()
        var script =
            "cd '\(folder.path)'; LISTINGS='\(listings.path())'; rm luaroute.json\n"
        for name in names { script += "\"$LUAROUTE\" schema \(name) >\(name).schema\n" }
        for (name, commands) in commands {
            script += "{ \(commands.map { "\(Self.command($0)); " }.joined())}"
            // 'split' of BSD cannot name its files.
            script += " 2>errors.txt | awk '{ print >\"\(name).\" NR \".json\" }'\n"
        }
        script += "cp host.json host.1.json; cp rights.json capabilities.1.json"
        let process = try CommandProcess(shell: "{ \(script)\n} 2>&1")
        #expect(process.code == 0, "\(process.output)")
        for name in names where !["project", "watch"].contains(name) {
            let path = "\(folder.path)/\(name).1.json"
            #expect(FileManager.default.fileExists(atPath: path), "\(name)")
        }
        return folder
    }

    private static func isThere(_ line: String) -> Bool {
        (try? CommandProcess(shell: "\(line) >/dev/null 2>&1"))?.code == 0
    }

    @Test(
        "the 'jsonschema' library accepts the schemas and the documents",
        .enabled(if: isThere("python3 -c 'import jsonschema'"), "Python's jsonschema is not here")
    )
    func library() throws {
        let folder = try Self.written()
        let process = try CommandProcess(
            shell: """
                cd '\(folder.path)'; python3 - <<'END'
                import glob, json, jsonschema
                for path in glob.glob('*.schema'):
                    schema = json.load(open(path))
                    jsonschema.Draft202012Validator.check_schema(schema)
                    for document in glob.glob(path.replace('schema', '*.json')):
                        jsonschema.validate(json.load(open(document)), schema)
                END
                """
        )
        #expect(process.code == 0, "\(process.errors)")
    }

    @Test(
        "check-jsonschema accepts the schemas and the documents",
        .enabled(if: isThere("command -v check-jsonschema"), "check-jsonschema is not here")
    )
    func checkJSONSchema() throws {
        let folder = try Self.written()
        let process = try CommandProcess(
            shell: """
                set -e; cd '\(folder.path)'
                check-jsonschema --check-metaschema *.schema
                for schema in *.schema; do
                    set -- "${schema%.schema}".[0-9]*.json
                    [ ! -e "$1" ] || check-jsonschema --schemafile "$schema" "$@"
                done
                """
        )
        #expect(process.code == 0, "\(process.output)\(process.errors)")
    }

    @Test(
        "documents contain only the fields of their schema, and every field occurs in some document"
    )
    func documents() throws {
        let folder = try Self.folder()
        try FileManager.default.removeItem(atPath: "\(folder.path)/luaroute.json")
        var (keys, seen): (Set<String>, Set<String>) = ([], [])
        for name in Self.names {
            let schema = try Self.schema(name)
            var documents: [String] = []
            switch name {
            case "project": documents = [Self.files["luaroute.json"] ?? ""]
            case "host": documents = [Self.files["host.json"] ?? ""]
            case "capabilities": documents = [Self.files["rights.json"] ?? ""]
            case "watch":
                let process = try WatchedProcess(
                    ["--json", "--poll"],
                    ["main.lua": Self.app, "a.scenario": Self.watched]
                )
                try process.wait(for: "\"watching\"")
                try process.write("main.lua", "no Lua")
                try process.wait(for: "\"rejected\"")
                process.send(SIGINT)
                #expect(try process.end() == 130)
                documents = process.output.split(separator: "\n").map(String.init)
            default:
                for line in Self.commands[name] ?? [] {
                    let process = try CommandProcess(shell: Self.shell(line, in: folder))
                    #expect(!process.output.isEmpty, "\(line): \(process.errors)")
                    documents += process.output.split(separator: "\n")
                        .filter { $0.hasPrefix("{") }.map(String.init)
                }
            }
            #expect(!documents.isEmpty, "\(name)")
            var validator = Validator(schema)
            for document in documents {
                let value = try JSONSerialization.jsonObject(with: Data(document.utf8))
                let problems = validator.problems(value, schema)
                #expect(problems.isEmpty, "\(name): \(document)")
            }
            keys.formUnion(validator.keys)
            seen.formUnion(validator.seen)
        }
        #expect(keys.count > 200)
        #expect(keys.subtracting(seen).isEmpty, "\(keys.subtracting(seen).sorted())")
    }
}

extension NSNumber {
    fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}
