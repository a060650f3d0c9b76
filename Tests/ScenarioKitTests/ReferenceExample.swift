// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// The files in the folder `Tests/Reference`, with which the examples of the reference are run.
enum ReferenceExample {
    static func file(_ name: String) throws -> String {
        let url = packageFolder.appending(path: "Tests/Reference/\(name)")
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// Runs a scenario file with `app.lua`, and expects the run to pass.
    static func expectSuccess(_ scenario: String, with lua: String? = nil) throws {
        let folder = try TemporaryFolder()
        for name in ["app.lua", "broken.lua", "common.scenario"] {
            try folder.write(name, try file(name))
        }
        if let lua {
            let routes = try file("app.lua").components(separatedBy: "\n\n")
                .filter { !$0.hasPrefix("router.expects") }.joined(separator: "\n\n")
            try folder.write("main.lua", "\(routes)\n\(lua)\n")
        }
        try folder.write("a.scenario", scenario)
        var output = ""
        let report = RunCommand(paths: ["\(folder.path)/a.scenario"])
            .run(Console { output += $0 })
        #expect(report.exitCode == .success, "\(output)")
    }

    /// Runs steps with `app.lua` and additional scripts, and expects the run to pass.
    static func expectSuccess(of steps: [String], with lua: String, profile: String = "strict")
        throws
    {
        let text = """
            use main.lua
            set profile = \(profile)

            scenario "Example"
              given nav[Home, Show(id=1)]
            \(steps.map { "  \($0)\n" }.joined())
            """
        try expectSuccess(text, with: lua)
    }

    /// Runs the body of a function that may wait, and expects it to return.
    static func expectSuccess(ofBody lua: String, profile: String = "strict") throws {
        try expectSuccess(
            of: ["call example as example", "settle", "expect example done"],
            with: "router.export(\"example\", function()\n\(lua)\nend)",
            profile: profile
        )
    }
}
