// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import ScenarioTesting
import Testing

/// The Swift examples of this library's documentation, word for word, so that they compile.
///
/// `DocumentationTests` of `LuaRouting` looks for each of them here. They are functions of a suite that is
/// never run, since there is no such folder.
@Suite(.disabled("the examples are compiled only"))
struct DocumentationExamples {
    private typealias ShopHost = LateHost

    @Test(arguments: Scenarios(in: "Scenarios"))
    func scenario(_ scenario: Scenario) async throws {
        try await scenario.run()
    }

    @Test(arguments: Scenarios(in: "Scenarios", tags: ["!slow"]))
    func app(_ scenario: Scenario) async throws {
        try await scenario.run { router in ShopHost() }
    }

    static func folder() -> Scenarios {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let scenarios = Scenarios(in: folder.appending(path: "Scenarios"), tags: ["auth,!slow"])
        return scenarios
    }
}
