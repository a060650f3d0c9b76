// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The command `luaroute routes`.
struct RoutesTests {
    private static let shop = "Tests/Listings/shop.lua"
    private static let old = "Tests/Listings/shop-old.lua"

    private func routes(_ arguments: [String]) throws -> CommandProcess {
        try CommandProcess(["routes"] + arguments)
    }

    @Test(
        "the printed list matches the recorded output",
        arguments: [
            ("list.txt", []), ("list.tsv", ["--plain"]), ("sorted.txt", ["--sort", "source"]),
            ("grep.txt", ["--filter", "ORDER"]), ("diff.txt", ["--diff", old]),
            ("diff.tsv", ["--diff", old, "--plain"]),
            ("grep.txt", ["--filter", "nowhere", "--filter", "ORDER"]),
            ("diff-grep.txt", ["--diff", old, "--filter", "class"]),
        ] as [(String, [String])]
    )
    func lists(_ name: String, _ arguments: [String]) throws {
        let process = try routes([Self.shop] + arguments)
        #expect(process.code == 0)
        #expect(process.errors.isEmpty)
        try expectGolden(process.output, listings.appending(path: "shop.\(name)"))
    }

    @Test(
        "'--json' prints one document that matches the recorded output",
        arguments: [
            ("list.json", []), ("diff.json", ["--diff", old]),
        ] as [(String, [String])]
    )
    func json(_ name: String, _ arguments: [String]) throws {
        let process = try routes(["--json", "--color", "always", Self.shop] + arguments)
        #expect(process.code == 0)
        #expect(process.errors.isEmpty)
        try expectGolden(try readable(process.output), listings.appending(path: "shop.\(name)"))
    }

    @Test("routes are listed in the order in which they are matched")
    func order() throws {
        let lines = try routes([Self.shop, "--plain"]).output.split(separator: "\n")
        let patterns = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false)[1] }
        for url in ["/products/search?q=1", "/products/7", "/products/AB-1", "/help/me", "/p/3"] {
            let process = try CommandProcess(["explain", Self.shop, url, "--json"])
            let value = try JSONSerialization.jsonObject(with: Data(process.output.utf8))
            let document = try #require(value as? [String: Any])
            let target = try #require((document["targets"] as? [[String: Any]])?.first)
            let matches = try #require(target["matches"] as? [[String: Any]])
            let places = matches.compactMap { match in
                (match["route"] as? [String: Any])?["pattern"] as? String
            }
            .map { pattern in
                // The list shows a pattern first without its optional segments.
                patterns.firstIndex {
                    pattern.hasPrefix($0) || $0 == pattern.replacing("?", with: "")
                }
            }
            #expect(!places.isEmpty && !places.contains(nil), "\(url)")
            #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(url)")
        }
    }

    @Test("comparing two equal lists prints no difference")
    func noDifference() throws {
        let process = try routes([Self.shop, "--diff", Self.shop])
        #expect(process.code == 0)
        #expect(process.output.isEmpty)
        #expect(process.errors.isEmpty)
    }

    @Test(
        "the exit code depends on the result",
        arguments: [
            (["--script", shop], 0, "Product/show", ""),
            ([], 66, "", "the current folder has no 'main.lua'"),
            (["Tests/Listings/shpo.lua"], 66, "", "did you mean 'Tests/Listings/shop.lua'?"),
            (["Tests/Listings/broken.lua"], 3, "", "error[L0208]"),
            (["Tests/Listings/broken.lua", "--json"], 3, "\"exitCode\":3", "error[L0208]"),
            ([shop, "--diff", "Tests/Listings/broken.lua"], 3, "", "broken.lua:5"),
            ([shop, "--diff", "Tests/Listings/nowhere"], 66, "", "no such file"),
            ([shop, "--filter", "nowhere"], 4, "", "no route has 'nowhere' in any column"),
            ([shop, "--filter", "qq", "--filter", "zz"], 4, "", "no route has 'qq' or 'zz'"),
            ([shop, "--filter", "nowhere", "--json"], 4, "\"routes\":[]", "error[C0101]"),
            ([shop, "--budget", "instructions=50"], 3, "", "instruction budget exceeded"),
            ([shop, "--script", shop], 64, "", "named twice"),
            ([shop, "--plain", "--json"], 64, "", "cannot be combined"),
            ([shop, "--diff", old, "--sort", "name"], 64, "", "cannot be combined"),
            ([shop, "--sort", "nmae"], 64, "", "'nmae' is invalid"),
            (["--help"], 0, "luaroute routes new --diff old", ""),
        ] as [([String], Int32, String, String)]
    )
    func codes(_ arguments: [String], _ code: Int32, _ output: String, _ errors: String) throws {
        let process = try routes(arguments)
        #expect(process.code == code, "\(process.output)\(process.errors)")
        for (expected, text) in [(output, process.output), (errors, process.errors)] {
            #expect(expected.isEmpty ? text.isEmpty : text.contains(expected), "\(text)")
        }
    }

    @Test("a reader that closes the pipe early causes no error")
    func head() throws {
        let line = "{ \"$LUAROUTE\" routes \(Self.shop); echo \"code $?\" >&2; } | head -1"
        let process = try CommandProcess(shell: line)
        #expect(process.output.hasPrefix("NAME "))
        #expect(process.errors == "code 0\n")
    }

    #if os(Linux)
    @Test(
        "only output to a terminal has a bold heading, and lines cut to the terminal's width",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")),
        arguments: [30, 72, 90]
    )
    func terminal(_ width: Int) throws {
        let command = "stty cols \(width); \(CommandProcess.url.path()) routes \(Self.shop)"
        let process = try CommandProcess(
            shell: "script -qec '\(command)' /dev/null",
            environment: ["TERM": "xterm"]
        )
        let lines = process.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 12)
        #expect(lines[0].hasPrefix("\u{1B}[1mNAME"))
        #expect(lines.dropFirst().allSatisfy { $0.count <= width })
        #expect(process.output.contains("…"))
        // The name and the source identify the route, so they are cut last.
        if width > 80 {
            #expect(lines.dropFirst().allSatisfy { $0.contains("Tests/Listings/shop.lua:") })
        }
        let piped = try CommandProcess(
            shell: "script -qec '\(command) | cat' /dev/null",
            environment: ["TERM": "xterm"]
        )
        #expect(!piped.output.contains("…"))
        #expect(!piped.output.contains("\u{1B}"))
    }
    #endif
}
