// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import Testing

/// The reports that failing tests show.
struct FailureReportTests {
    /// Runs a closure, and returns the comments of its issues, which do not fail this test.
    private func issuesWithoutTrait(
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let issues = Mutex<[String]>([])
        let keeping: IssueHandlingTrait = .compactMapIssues { issue in
            let comments = issue.comments.map(\.rawValue).joined(separator: "\n")
            issues.withLock { $0.append(comments) }
            return nil
        }
        let test = try #require(Test.current)
        try await keeping.provideScope(for: test, testCase: .current, performing: body)
        return issues.withLock(\.self)
    }

    /// Runs a closure as a test with the trait, and returns the comments of its issues.
    private func issues(
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let test = try #require(Test.current)
        return try await issuesWithoutTrait {
            // Passes on the error of a failed requirement.
            try? await FailureReports()
                .provideScope(for: test, testCase: .current, performing: body)
        }
    }

    // MARK: Reports

    @Test("the first issue shows the reports, and no other issue does")
    func first() async throws {
        let issues = try await issues {
            FailureReports.add { FailureReport(name: "stack", text: "two screens") }
            FailureReports.add { FailureReport(name: "queue", text: "empty") }
            Issue.record("a")
            Issue.record("b")
        }
        #expect(issues == ["a\nstack 1\ntwo screens\nqueue 2\nempty", "b"])
    }

    @Test("a report is written when the issue is recorded, and only then")
    func lazy() async throws {
        let count = Mutex(0)
        let add: @Sendable () -> Void = {
            FailureReports.add {
                count.withLock { $0 += 1 }
                return FailureReport(name: "stack", text: "")
            }
        }
        #expect(try await issues { add() } == [])
        #expect(count.withLock { $0 } == 0)
        _ = try await issues {
            add()
            Issue.record("a")
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test("an error that the test throws is an issue with reports")
    func thrown() async throws {
        let issues = try await issues {
            FailureReports.add { FailureReport(name: "stack", text: "two screens") }
            throw TestHost.Refusal()
        }
        #expect(issues == ["stack 1\ntwo screens"])
    }

    @Test("a requirement that fails is one issue")
    func required() async throws {
        let stack = ["Main"]
        let issues = try await issues {
            FailureReports.add { FailureReport(name: "stack", text: "two screens") }
            try #require(stack.isEmpty, "a")
            Issue.record("b")
        }
        #expect(issues == ["a\nstack 1\ntwo screens"])
    }

    @Test("a known issue leaves the reports to the first issue that fails the test")
    func known() async throws {
        let issues = try await issues {
            FailureReports.add { FailureReport(name: "stack", text: "two screens") }
            withKnownIssue { Issue.record("a") }
            Issue.record("b")
        }
        #expect(issues == ["a", "b\nstack 1\ntwo screens"])
    }

    @Test("an issue shows the newest reports, and the number of those that it leaves out")
    func limit() async throws {
        let issues = try await issues {
            for number in 1...6 {
                FailureReports.add { FailureReport(name: "stack", text: "\(number) screens") }
            }
            Issue.record("a")
        }
        let shown = (3...6).map { "\nstack \($0)\n\($0) screens" }.joined()
        #expect(issues == ["a\nreports of 2 older objects are left out" + shown])
    }

    @Test("a fixture on another thread adds its report to the test that waits for the thread")
    func otherThread() async throws {
        let issues = try await issues {
            try onThread { FailureReports.add { FailureReport(name: "stack", text: "empty") } }
            Issue.record("a")
        }
        #expect(issues == ["a\nstack 1\nempty"])
    }

    @Test("a fixture in a suite without the trait is an issue that says what to add")
    func withoutTrait() async throws {
        let issues = try await issuesWithoutTrait {
            FailureReports.add { FailureReport(name: "stack", text: "") }
        }
        #expect(
            issues == [
                "add '.failureReports' to the suite of 'withoutTrait()', which uses a fixture"
            ]
        )
    }
}
