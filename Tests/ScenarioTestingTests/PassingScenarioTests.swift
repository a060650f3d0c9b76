// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import ScenarioTesting
import TestSupport
import Testing

/// Tests of the corpus's scenarios, each as a case of a Swift test.
struct PassingScenarioTests {
    private static let folder = packageFolder.appending(path: "Tests/Scenarios/pass")

    @Test(
        "each scenario is a test case",
        arguments: Scenarios(in: folder, names: ["modal", "stub"])
    )
    func headless(_ scenario: Scenario) async throws {
        try await scenario.run()
    }

    /// The scenarios that cause no warnings.
    private static let quiet = Scenarios(in: folder).filter {
        !["unawaited", "unheard"].contains($0.id.prefix { $0 != "." })
    }

    private static let holder =
        "joining.scenario: "
        + "A navigation whose child has ended blocks the queue while the child's screen remains: "

    /// The scenarios whose result is different with a host that completes changes later, with the
    /// reason.
    private static let changed = [
        holder + "queue": "a task of the host stays pending",
        holder + "latest": "a task of the host stays pending",
        holder + "reject": "a task of the host stays pending",
        holder + "parallel": "a task of the host stays pending",
        "joining.scenario: Cancelling the first of two equal requests ends both":
            "a task of the host stays pending",
        "windows-functions.scenario: The next navigation reads its own window after one that was "
            + "cancelled": "a task of the host stays pending",
        "windows-functions.scenario: The window of a navigation closes while it waits":
            "a task of the host stays pending",
        "given-cancels.scenario: A task of the host": "a task of the host stays pending",
        "given-cancels.scenario: Nothing is pending at the end": "a task of the host stays pending",
        "flow-login.scenario: Before the login is shown the latest navigation wins":
            "a task of the host stays pending",
        "flow-login.scenario: The timeout runs until the login is on screen":
            "a task of the host stays pending",
        "links-actions.scenario: An action navigates":
            "the action returns before the host answers",
        "links-actions.scenario: A deep link is queued until its action runs, and can be cancelled":
            "a script reads the status at once",
        "url-opening.scenario: A script opens a URL": "a script reads the status at once",
        "windows.scenario: A window is opened and closed": "a script reads the status at once",
        "windows.scenario: The screens of a window are asked, unless the close is forced":
            "a script reads the status at once",
        "restoring.scenario: A script keeps and restores": "a script reads the status at once",
        "sessions.scenario: A script ends the session": "a script reads the status at once",
    ]

    @Test(
        "the scenarios of the corpus pass with an app's host that answers asynchronously",
        arguments: quiet
    )
    func late(_ scenario: Scenario) async throws {
        guard let reason = Self.changed[scenario.id] else {
            return try await scenario.run(limit: .seconds(600)) { _ in LateHost() }
        }
        await withKnownIssue("\(reason)") {
            try await scenario.run(limit: .seconds(600)) { _ in LateHost() }
        }
    }
}
