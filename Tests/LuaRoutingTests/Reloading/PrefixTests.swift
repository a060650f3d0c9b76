// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LuaRouting

/// Tests of truncated files, which are often valid Lua, when they are loaded in place of the
/// complete file.
@Suite("Half-written files")
struct PrefixTests {
    /// A folder of scripts in the repository.
    struct Example: Sendable, CustomTestStringConvertible {
        let path: String
        var testDescription: String { path }
    }

    /// The scripts that end with `router.complete()`.
    static let guarded = folders("scripts").filter { exists("\($0)/main.lua") }.map(Example.init)

    /// Scripts that do not end with `router.complete()`, and that load.
    static let plain = ["Tests/Scenarios/scripts", "Tests/Scenarios/scripts/reload"]
        .flatMap { folder in names(folder).map { "\(folder)/\($0)" } }
        .filter { $0.hasSuffix(".lua") && (try? Whole($0)) != nil }.map(Example.init)

    private static func names(_ folder: String) -> [String] {
        let path = packageFolder.appending(path: folder).path()
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private static func folders(_ folder: String) -> [String] {
        names(folder).map { "\(folder)/\($0)" }
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: packageFolder.appending(path: path).path())
    }

    /// A bundle in memory with all files that the scripts of a folder requested.
    struct Whole {
        let entry: String
        private(set) var files: [String: String] = [:]

        init(_ path: String) throws {
            let bundle = try LuaRouting.ScriptBundle(
                path: packageFolder.appending(path: path).path()
            )
            _ = try Router(scripts: bundle, host: HeadlessHost(), configuration: .patient)
            entry = bundle.entry
            for (file, outcome) in bundle.files {
                files[file] = String(decoding: try outcome.get(), as: UTF8.self)
            }
        }

        var bundle: LuaRouting.ScriptBundle { ScriptBundle(entry: entry, files: files) }

        func router() throws -> Router {
            try Router(scripts: bundle, host: HeadlessHost(), configuration: .patient)
        }

        /// Returns the bundles in which a file is truncated to its first lines, for each number of
        /// lines less than the total.
        func prefixes(of file: String) -> [(lines: Int, bundle: LuaRouting.ScriptBundle)] {
            let lines = (files[file] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            // Behind the last line break there is nothing.
            let count = lines.last == "" ? lines.count - 1 : lines.count
            return (0..<count).map { number in
                var files = files
                files[file] = lines[..<number].map { "\($0)\n" }.joined()
                return (number, ScriptBundle(entry: entry, files: files))
            }
        }
    }

    private static func routes(of router: Router) -> Set<String> {
        Set(router.registrations.map(\.target.description))
    }

    @Test(
        "a truncated entry file whose full text ends with 'router.complete()' is always rejected",
        arguments: guarded
    )
    func entries(_ example: Example) throws {
        let whole = try Whole(example.path)
        let router = try whole.router()
        var reasons: [Reload.Rejection.Reason: Int] = [:]
        for (lines, bundle) in whole.prefixes(of: whole.entry) {
            let reload = router.reload(bundle)
            let rejection = try #require(reload.rejection, "line \(lines): \(reload.status)")
            #expect([.syntax, .script, .check].contains(rejection.reason), "line \(lines)")
            #expect(router.bundle.isSame(as: whole.bundle))
            reasons[rejection.reason, default: 0] += 1
        }
        // Some of them are Lua and register something: these are what the last line is for.
        #expect(reasons[.check, default: 0] > 0)
        #expect(router.reload(whole.bundle).status.name == "unchanged")
    }

    // The last line of the entry is reached whenever all modules run to their end, as the first
    // lines of one may. What speaks against these is the rest: names that nothing registers, or
    // what another file expects of the module. Where nothing does, they are scripts as others are,
    // and the next save of the whole takes their place.
    @Test("a truncated module loads only if it is valid by itself", arguments: guarded)
    func modules(_ example: Example) throws {
        let whole = try Whole(example.path)
        let all = Self.routes(of: try whole.router())
        for file in whole.files.keys.sorted() where file != whole.entry {
            let router = try whole.router()
            var served = whole.bundle
            for (lines, bundle) in whole.prefixes(of: file) {
                let reload = router.reload(bundle)
                guard let rejection = reload.rejection else {
                    #expect(reload.isAccepted, "\(file):\(lines)")
                    #expect(Self.routes(of: router).isSubset(of: all), "\(file):\(lines)")
                    served = bundle
                    continue
                }
                #expect([.syntax, .script, .check].contains(rejection.reason), "\(file):\(lines)")
                #expect(router.bundle.isSame(as: served), "\(file):\(lines)")
            }
            #expect(router.reload(whole.bundle).rejection == nil)
            #expect(Self.routes(of: router) == all)
        }
    }

    @Test(
        "a truncated module is rejected if the entry uses the value returned in its missing last line"
    )
    func returned() throws {
        let module = """
            local shows = {}
            router.register("Show", "list", function() return router.screen "Shows" end)
            router.register("Show", "open", function() return router.screen "Show" end)
            function shows.first() return router.nav { router.screen "Main" } end
            return shows
            """
        let entry = """
            router.start(require("shows").first)
            router.complete()
            """
        let whole = ScriptBundle(files: ["main.lua": entry, "shows.lua": module])
        let router = try Router(scripts: whole, host: HeadlessHost(), configuration: .patient)
        let lines = module.split(separator: "\n")
        for count in lines.indices {
            let part = lines[..<count].joined(separator: "\n")
            let reload = router.reload(ScriptBundle(files: ["main.lua": entry, "shows.lua": part]))
            #expect(reload.rejection != nil, "\(count) lines")
        }
    }

    @Test(
        "without 'router.complete()', a truncated entry file loads if it registers something",
        .tags(.sweep),
        .unlessQuick,
        arguments: plain.sweepShare
    )
    func unguarded(_ example: Example) throws {
        let whole = try Whole(example.path)
        let router = try whole.router()
        var served = whole.bundle
        for file in whole.files.keys.sorted() {
            for (lines, bundle) in whole.prefixes(of: file) {
                let reload = router.reload(bundle)
                let alone = Result { () throws(RouteError) in
                    try Router(scripts: bundle, host: HeadlessHost(), configuration: .patient)
                }
                switch alone {
                case .success(let other):
                    // The last lines may be empty, or a comment: it is another text all the same.
                    #expect(reload.isAccepted, "\(file):\(lines)")
                    #expect(Self.routes(of: router) == Self.routes(of: other), "\(file):\(lines)")
                    served = bundle
                case .failure(let error):
                    let rejection = try #require(reload.rejection, "\(file):\(lines)")
                    #expect(rejection.findings.first?.message == error.message)
                    #expect(router.bundle.isSame(as: served), "\(file):\(lines)")
                }
            }
        }
    }

    @Test("an empty file and a file that registers nothing are always rejected")
    func nothing() throws {
        let whole = try Whole("scripts/podcast")
        let router = try whole.router()
        for text in ["", "\n", "-- routes\n", "local register = router.register\n"] {
            var files = whole.files
            files[whole.entry] = text
            let reload = router.reload(ScriptBundle(entry: whole.entry, files: files))
            #expect(reload.rejection?.reason == .check, "\(text)")
        }
    }
}
