// SPDX-License-Identifier: MIT

#if Bundles
import Foundation
import TestSupport
import Testing

/// Tests of the command lines of `luaroute bundle` and `luaroute-bundle`.
struct BundleProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a command in the package's folder.
    private func run(
        _ program: String,
        _ arguments: [String]
    ) throws -> (code: Int32, output: String, errors: String) {
        let files = ["out", "err"]
        for file in files { try folder.write(file, "") }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = packageFolder
        process.standardInput = FileHandle.nullDevice
        let handles = files.map { FileHandle(forWritingAtPath: "\(folder.path)/\($0)") }
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try folder.read("out"), try folder.read("err"))
    }

    @Test("a bundle is made, signed, verified and run from the command line")
    func life() throws {
        let (path, tool) = (folder.path, builtProduct("luaroute").path)
        let lines: [[String]] = [
            ["key", "-o", "\(path)/app.key"],
            [
                "scripts/podcast", "-o", "\(path)/app.lrb", "--version", "42", "--not-after",
                "2020-12-31", "--at", "2020-12-31", "--canary", "podcast.scenario",
            ],
            ["sign", "--key", "\(path)/app.key", "\(path)/app.lrb"],
            [
                "verify", "--public-key", "\(path)/app.key.pub", "--at", "2020-12-31",
                "--size-limit", "1000000", "--api", "1", "\(path)/app.lrb",
            ],
            ["inspect", "\(path)/app.lrb", "--json"],
            ["diff", "--exit-code", "\(path)/app.lrb", "\(path)/app.lrb"],
            [
                "run", "--public-key", "\(path)/app.key.pub", "--at", "2020-12-31",
                "\(path)/app.lrb",
            ],
            ["\(path)/app.lrb", "-o", "\(path)/new.lrb", "--version", "43"],
        ]
        for line in lines {
            let result = try run(tool, ["bundle"] + line)
            #expect(result.code == 0, "\(line)\n\(result.errors)")
        }
        let key = try FileManager.default.attributesOfItem(atPath: "\(path)/app.key")
        #expect(key[.posixPermissions] as? Int == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(names == ["app.key", "app.key.pub", "app.lrb", "err", "new.lrb", "out"])
    }

    @Test(
        "a wrong command line is a usage error, and a file that is not a bundle is rejected",
        arguments: [
            (
                ["make", "scripts", "-o", "a.lrb", "--version", "0"], 64,
                "an integer from 1 to 9007199254740991"
            ),
            (
                ["make", "scripts", "-o", "a.lrb", "--version", "9007199254740992"], 64,
                "an integer from 1 to 9007199254740991"
            ),
            (
                [
                    "scripts", "-o", "a.lrb", "--version", "1", "--not-after", "2020-01-01", "--at",
                    "2020-01-02",
                ], 64, "'--not-after 2020-01-01' is in the past"
            ),
            (
                ["verify", "--public-key", "k", "--version-step", "9", "a.lrb"], 64,
                "'--version-step' needs the bundle that devices have: '--previous'"
            ),
            (
                ["verify", "--public-key", "k", "--size-limit", "0", "a.lrb"], 64,
                "'--size-limit 0' must be an integer of 1 or more"
            ),
            (
                ["scripts", "-o", "a.lrb", "--version", "1", "--not-after", "tomorrow"], 64,
                "'--not-after tomorrow' is not a time"
            ),
            (
                ["scripts", "-o", "a.lrb", "--version", "1", "--not-after", "2020-01-01"], 64,
                "'--not-after 2020-01-01' is in the past"
            ),
            (["verfy", "a.lrb"], 64, "unknown command 'verfy', did you mean 'verify'?"),
            (
                ["scripts", "-o", "a.lrb", "--version", "1", "--capability", "fly"], 64,
                "'--capability fly' is not a capability (one of these expected: screens, tasks, "
                    + "urls, push, "
            ),
            (
                ["verify", "--public-key", "k", "--grant", "fly", "a.lrb"], 64,
                "'--grant fly' is not a capability"
            ),
            (["verify", "a.lrb"], 64, "--public-key"),
            (["inspect", "README.md"], 1, "error[B0101]: 'README.md': the file is not a bundle"),
            (["inspect", "none.lrb"], 66, "no such file 'none.lrb'"),
        ] as [([String], Int32, String)]
    )
    func refused(_ arguments: [String], _ code: Int32, _ text: String) throws {
        let result = try run(builtProduct("luaroute-bundle").path, arguments)
        #expect(result.code == code)
        #expect(result.output == "")
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    @Test("'luaroute bundle' without 'luaroute-bundle' says how to build it")
    func missing() throws {
        let link = "\(folder.path)/luaroute"
        let target = builtProduct("luaroute").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let result = try run(link, ["bundle", "inspect", "a.lrb"])
        #expect(result.code == 66)
        #expect(result.errors.contains("--traits BundleCommand"))
    }

    @Test("'luaroute run' does not read a bundle, and names the command that can")
    func runBundle() throws {
        try folder.write("app.lrb", "")
        let result = try run(builtProduct("luaroute").path, ["run", "\(folder.path)/app.lrb"])
        #expect(result.code == 2)
        #expect(
            result.errors.contains("run the bundle with 'luaroute bundle run --public-key FILE ")
        )
    }
}
#endif
