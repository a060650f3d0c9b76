// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import Testing

/// Tests of the files of a bundle, and of its newer versions.
struct BundleTests {
    typealias ScriptBundle = LuaRouting.ScriptBundle

    private final class Folder {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-bundle-\(UUID().uuidString)").path()

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        }

        func remove(_ name: String) throws {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    private func outcomes(_ bundle: ScriptBundle) -> [String: String] {
        bundle.files.mapValues { outcome in
            switch outcome {
            case .success(let bytes): String(decoding: bytes, as: UTF8.self)
            case .failure(let error): "! \(error.reason.rawValue)"
            }
        }
    }

    @Test("two file names that differ only in Unicode normalization are an error")
    func unicodeForms() throws {
        let bundle = ScriptBundle(files: ["main.lua": "", "\u{E9}.lua": "1"])
        #expect(try bundle.source(of: "\u{E9}.lua") == [49])
        let error = #expect(throws: BundleError.self) { try bundle.source(of: "e\u{301}.lua") }
        #expect(error?.message.contains("two files are named") == true)
    }

    @Test("a bundle lists the files that it has read or tried to read")
    func files() throws {
        let folder = try Folder()
        try folder.write("main.lua", "1")
        try folder.write("a.lua", "2")
        let bundle = try ScriptBundle(path: folder.path)
        #expect(outcomes(bundle) == ["main.lua": "1"])
        _ = try bundle.source(of: "main.lua")
        _ = try? bundle.source(of: "a.lua")
        _ = try? bundle.source(of: "none.lua")
        let known = ["main.lua": "1", "a.lua": "2", "none.lua": "! missing"]
        #expect(outcomes(bundle) == known)

        // A newer one knows the same files, as they are now.
        try folder.write("main.lua", "3")
        try folder.remove("a.lua")
        try folder.write("none.lua", "4")
        let newer = try bundle.reread()
        #expect(outcomes(newer) == ["main.lua": "3", "a.lua": "! missing", "none.lua": "4"])
        #expect(outcomes(bundle) == known)
        #expect(newer.entry == bundle.entry)
        #expect(newer.root == bundle.root)

        // Once scripts have asked, it is what they asked for.
        _ = try newer.source(of: "main.lua")
        #expect(outcomes(newer) == ["main.lua": "3"])
        #expect(outcomes(try newer.reread()) == ["main.lua": "3"])
    }

    @Test(
        "reading a newer bundle throws if its entry file is missing, and the old bundle stays valid"
    )
    func entry() throws {
        let folder = try Folder()
        try folder.write("main.lua", "1")
        let bundle = try ScriptBundle(path: folder.path)
        try folder.remove("main.lua")
        let error = #expect(throws: BundleError.self) { _ = try bundle.reread() }
        #expect(error?.reason == .missing)
        #expect(try bundle.source(of: "main.lua") == Array("1".utf8))
        try folder.write("main.lua", "2")
        #expect(try bundle.reread().source(of: "main.lua") == Array("2".utf8))
    }

    @Test("bundles are equal if scripts cannot distinguish them")
    func same() throws {
        let folder = try Folder()
        try folder.write("main.lua", "1\r\n")
        try folder.write("a.lua", "2")
        let bundle = try ScriptBundle(path: folder.path)
        for file in ["main.lua", "a.lua", "none.lua"] { _ = try? bundle.source(of: file) }

        func isSame() throws -> Bool {
            let newer = try bundle.reread()
            #expect((newer.digest == bundle.digest) == newer.isSame(as: bundle))
            return newer.isSame(as: bundle)
        }
        #expect(try isSame())
        try folder.write("unused.lua", "5")
        #expect(try isSame())
        // A byte order mark is no part of a script; the ends of lines are.
        try folder.write("main.lua", "\u{FEFF}1\r\n")
        #expect(try isSame())
        try folder.write("main.lua", "1\n")
        #expect(try !isSame())
        try folder.write("main.lua", "1\r\n")
        #expect(try isSame())
        try folder.remove("a.lua")
        #expect(try !isSame())
        try folder.write("a.lua", "2")
        try folder.write("none.lua", "")
        #expect(try !isSame())
        try folder.remove("none.lua")
        #expect(try isSame())

        // It reads files that it has not read yet to compare them.
        let fresh = try ScriptBundle(path: folder.path)
        #expect(fresh.isSame(as: bundle))
        try folder.write("a.lua", "3")
        #expect(try !ScriptBundle(path: folder.path).isSame(as: bundle))
    }

    @Test("a bundle in memory never changes")
    func memory() throws {
        let bundle = ScriptBundle(files: ["main.lua": "1", "a.lua": "2"])
        #expect(outcomes(bundle) == ["main.lua": "1", "a.lua": "2"])
        _ = try bundle.source(of: "main.lua")
        #expect(outcomes(try bundle.reread()) == ["main.lua": "1", "a.lua": "2"])
        #expect(bundle.isSame(as: ScriptBundle(files: ["main.lua": "1", "a.lua": "2"])))
        #expect(!ScriptBundle(files: ["main.lua": "1"]).isSame(as: bundle))
        #expect(!bundle.isSame(as: ScriptBundle(files: ["main.lua": "1", "a.lua": "3"])))
        #expect(!bundle.isSame(as: ScriptBundle(entry: "a.lua", files: ["a.lua": "2"])))
    }

    // MARK: Files of one time

    /// Creates a folder whose entry requires a module, and a bundle of the folder that has not read
    /// the module yet.
    private func twoFiles() throws -> (folder: Folder, bundle: ScriptBundle) {
        let folder = try Folder()
        try folder.write(
            "main.lua",
            """
            router.register("Show", "open", function() return router.screen "Show" end)
            router.export("late", function() return require "late" end)
            return require "a"
            """
        )
        try folder.write("a.lua", "return 1")
        try folder.write("late.lua", "return 'late'")
        return (folder, try ScriptBundle(path: folder.path))
    }

    @Test("scripts are rejected if a file changes before all files have been read")
    func mixed() throws {
        let (folder, bundle) = try twoFiles()
        try folder.write("main.lua", "-- written anew before a.lua was read")
        let error = #expect(throws: RouteError.self) {
            _ = try Router(scripts: bundle, host: HeadlessHost())
        }
        #expect((error?.cause as? BundleError)?.reason == .unstable)
        #expect(
            error?.message.contains("main.lua' changed while its bundle was being read") == true
        )

        // For a router that runs too, and it says which step refused.
        let script = "router.register('A', 'show', function() return router.screen 'A' end)"
        let serving = ScriptBundle(files: ["main.lua": script])
        let router = try Router(scripts: serving, host: HeadlessHost())
        let other = try twoFiles()
        try other.folder.write("main.lua", "-- written anew")
        #expect(router.reload(other.bundle).rejection?.reason == .unstable)
        #expect(router.bundle.isSame(as: serving))

        // Those of one time load, also once they have changed.
        let third = try twoFiles()
        _ = try Router(scripts: third.bundle, host: HeadlessHost())
        try third.folder.write("main.lua", "-- written anew")
        _ = try Router(scripts: third.bundle, host: HeadlessHost())
        #expect(throws: Never.self) { _ = try third.bundle.reread() }
    }

    @Test(
        "a module that a function requires by a literal name is read with the bundle, but not run"
    )
    func late() throws {
        let (folder, bundle) = try twoFiles()
        try folder.write("late.lua", "router.state.ran = true return 'late ' .. require('later')")
        try folder.write("later.lua", "return pcall(require, 'last') and 'later'")
        try folder.write("last.lua", "return 1")
        let router = try Router(scripts: bundle, host: HeadlessHost())
        #expect(router.state["ran"].isNil)
        #expect(
            router.bundle.files.keys.sorted()
                == ["a.lua", "last.lua", "late.lua", "later.lua", "main.lua"]
        )
        for file in ["a.lua", "last.lua", "late.lua", "later.lua", "main.lua"] {
            try folder.write(file, "return 'of another time'")
        }
        #expect(try router.call("late") == .string("late later"))
        #expect(router.state["ran"] == true)
        // Each of these files makes another bundle.
        #expect(try !bundle.reread().isSame(as: bundle))
    }

    @Test("no file is read after the scripts have loaded", arguments: [true, false])
    func lateNames(isInMemory: Bool) throws {
        let main = """
            router.export("late", function(info) return require(info.name) end)
            router.export("joined", function() return require("la" .. "te") end)
            router.export("missing", function() return require "missing" end)
            router.export("os", function() return require("os") == os and require "a" end)
            local own = { require = function(name) return name end }
            router.export("own", function() return own.require "late" end)
            require("a" .. "")
            """
        let files = [
            "main.lua": main, "a.lua": "return 'a'", "late.lua": "return 'late'",
            "os.lua": "return", "math.lua": "(",
        ]
        let folder = try Folder()
        for (name, source) in files { try folder.write(name, source) }
        let bundle =
            try isInMemory ? ScriptBundle(files: files) : ScriptBundle(path: folder.path)
        let router = try Router(scripts: bundle, host: HeadlessHost())
        try folder.write("missing.lua", "return 1")
        #expect(try router.call("late", ["name": "a"]) == "a")
        #expect(try router.call("os") == "a")
        #expect(try router.call("own") == "late")
        for (call, message) in [
            ("late", "module 'late' was not read while the scripts loaded"),
            ("joined", "module 'late' was not read while the scripts loaded"),
            ("missing", "module 'missing' not found (no file 'missing.lua' in the bundle)"),
        ] {
            let error = #expect(throws: RouteError.self) {
                _ = try router.call(call, ["name": "late"])
            }
            #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "a file that a function may require is compiled when the scripts load",
        arguments: [("late.lua", "local"), ("vendor/late.lua", "x = = 1")]
    )
    func lateMistake(_ file: String, _ source: String) throws {
        let files = [
            "main.lua": "require 'vendor.a' router.export('f', function() require 'late' end)",
            "vendor/a.lua": "return function() return require 'late' end", file: source,
        ]
        let error = #expect(throws: RouteError.self) {
            _ = try Router(scripts: ScriptBundle(files: files), host: HeadlessHost())
        }
        #expect(error?.location?.description == "\(file):1")
    }

    @Test("requiring missing modules does not consume memory, and the next call into Lua works")
    func manyMissing() throws {
        let (folder, bundle) = try twoFiles()
        try folder.write(
            "a.lua",
            """
            router.export("ask", function(info)
              for n = info.first, info.last do
                assert(not pcall(require, "no" .. n))
                assert(not pcall(require, "no"))
              end
            end)
            for n = 1, 2000 do assert(not pcall(require, "no" .. n)) end
            """
        )
        var configuration = Router.Configuration.patient
        configuration.budget.instructions = 100_000_000
        let router = try Router(scripts: bundle, host: HeadlessHost(), configuration: configuration)
        try router.call("ask", ["first": 1, "last": 1_000])
        let before = router.scriptMemory
        try router.call("ask", ["first": 1_001, "last": 6_000])
        router.collectGarbage()
        #expect(router.scriptMemory < before + 64 * 1024)
        // Files beyond the limit are no part of what the bundle depends on; its own are.
        #expect(try router.call("late") == .string("late"))
        #expect(router.bundle.files.count < 1_010)
        for name in ["no", "no5", "no2000", "no6000"] {
            try folder.write("\(name).lua", "return 1")
        }
        try router.call("ask", ["first": 1, "last": 6_000])
    }

    @Test("a digest depends on names, file boundaries and missing files, and is deterministic")
    func digest() {
        #expect(ScriptBundle(files: ["main.lua": "x"]).digest == "61a4e1dcad38257ce381e2edff0f08df")
        let bundles: [[String: String]] = [
            [:], ["main.lua": ""], ["main.lua": "x"], ["main.luax": ""], ["a": "b", "c": "d"],
            ["a": "bcd"], ["a": "d", "c": "b"], ["ab": "", "c": "d"],
        ]
        #expect(Set(bundles.map { ScriptBundle(files: $0).digest }).count == bundles.count)
        let missing = ScriptBundle(files: [:])
        _ = try? missing.source(of: "main.lua")
        #expect(missing.digest != ScriptBundle(files: ["main.lua": "missing"]).digest)
        #expect(missing.digest != ScriptBundle(files: [:]).digest)
        #expect(missing.digest.utf8.count == 32)
    }

    @Test("a file or folder behind a symbolic link that leads out of the bundle cannot be required")
    func links() throws {
        let (folder, outside) = (try Folder(), try Folder())
        try outside.write("secret.lua", "return 1")
        let manager = FileManager.default
        for (link, target) in [("file.lua", "/secret.lua"), ("folder", "")] {
            try manager.createSymbolicLink(
                atPath: "\(folder.path)/\(link)",
                withDestinationPath: outside.path + target
            )
        }
        try folder.write("inside.lua", "return 1")
        try manager.createSymbolicLink(
            atPath: "\(folder.path)/linked.lua",
            withDestinationPath: "inside.lua"
        )
        for module in ["file", "folder.secret"] {
            try folder.write("main.lua", "require '\(module)'")
            let bundle = try ScriptBundle(path: folder.path)
            let error = #expect(throws: RouteError.self) {
                try Router(scripts: bundle, host: TestHost(), configuration: .patient)
            }
            #expect(error?.message.contains("a symbolic link leads out of the folder") == true)
        }
        try folder.write("main.lua", "require 'linked' router.export('f', print)")
        let bundle = try ScriptBundle(path: folder.path)
        #expect(throws: Never.self) { try Router(scripts: bundle, host: TestHost()) }
    }

    @Test("a folder or pipe in place of a file is reported without blocking")
    func pipe() throws {
        let folder = try Folder()
        try #require(mkfifo("\(folder.path)/main.lua", 0o600) == 0)
        let error = #expect(throws: BundleError.self) { _ = try ScriptBundle(path: folder.path) }
        #expect(error?.reason == .unreadable)
    }

    // MARK: Stable reading

    @Test("a file that changes while it is read is read at most three times")
    func stable() throws {
        for changes in 0...4 {
            var reads = 0
            let result = try StableReading.read { () throws(BundleError) in
                reads += 1
                return .init(reads, before: 0, after: reads <= changes ? 1 : 0)
            }
            #expect(reads == min(changes + 1, 3))
            #expect(result?.content == (changes < 3 ? changes + 1 : nil))
        }
    }

    @Test("the identity of a file changes if its bytes or size change or the file is replaced")
    func identity() throws {
        let folder = try Folder()
        let path = "\(folder.path)/main.lua"
        #expect(FileIdentity(path) == nil)
        try folder.write("main.lua", "1")
        let first = FileIdentity(path)
        #expect(first != nil)
        #expect(FileIdentity(path) == first)
        try folder.write("main.lua", "12")
        #expect(FileIdentity(path) != first)
        try folder.write("other", "1")
        #expect(rename("\(folder.path)/other", path) == 0)
        #expect(FileIdentity(path) != first)
    }
}
