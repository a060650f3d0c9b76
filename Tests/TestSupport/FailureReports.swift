// SPDX-License-Identifier: MIT

import SystemGaps
public import Testing

/// A trait that adds a report of each object under test to the first issue of a failing test.
///
/// A fixture adds its report with ``add(_:)`` when it is created. The report is written only if the test
/// fails: when its first issue is recorded, or when it throws an error.
///
/// If a test exceeds its time limit, the issue has no reports, because the test may still be using
/// the objects.
///
/// ```swift
/// @Suite(.failureReports)
/// struct LinkTests {}
/// ```
public struct FailureReports: SuiteTrait, TestTrait, TestScoping {
    /// The number of newest reports that an issue shows.
    public static let limit = 4

    @TaskLocal static var current: Reports?

    /// Creates the trait; suites use `.failureReports`.
    public init() {}

    /// Whether the suites inside a suite have the trait too.
    public var isRecursive: Bool { true }

    /// Adds a report to the current test.
    ///
    /// Records an issue if the current test lacks the trait. Does nothing outside a test.
    ///
    /// - Parameter report: Writes the report, on the thread that records the issue.
    public static func add(_ report: @escaping @Sendable () -> FailureReport) {
        if let current {
            current.add(report)
        } else if let test = Test.current {
            Issue.record(
                "add '.failureReports' to the suite of '\(test.name)', which uses a fixture",
                sourceLocation: test.sourceLocation
            )
        }
    }

    /// Runs a test case, and adds the reports to its first issue.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let reports = Reports()
        let handling: IssueHandlingTrait = .compactMapIssues { reports.added(to: $0) }
        try await Self.$current.withValue(reports) {
            try await handling.provideScope(for: test, testCase: testCase) {
                do {
                    try await function()
                } catch {
                    // A failed requirement is recorded, and a cancelled test did not fail.
                    if error is ExpectationFailedError || Task.isCancelled { throw error }
                    // The library would record the error outside this scope.
                    Issue.record(error, sourceLocation: test.sourceLocation)
                }
            }
        }
    }

    /// The reports of one test case.
    final class Reports: Sendable {
        private struct State {
            var reports: [@Sendable () -> FailureReport] = []
            /// The number of reports that were added, including those beyond the limit.
            var count = 0
            var isShown = false
        }

        private let state = Lock(State())

        func add(_ report: @escaping @Sendable () -> FailureReport) {
            state.withLock { state in
                state.count += 1
                state.reports.append(report)
                if state.reports.count > limit { state.reports.removeFirst() }
            }
        }

        /// Returns the issue, with the reports if it is the first issue that fails the test.
        func added(to issue: Issue) -> Issue {
            guard issue.isFailure, let (reports, first) = take() else { return issue }
            var issue = issue
            if first > 1 {
                issue.comments.append("reports of \(first - 1) older objects are left out")
            }
            for (number, report) in zip(first..., reports) {
                let report = report()
                issue.comments.append("\(report.name) \(number)\n\(report.text)")
                for (name, contents) in report.files {
                    Attachment.record(contents, named: "\(report.name)-\(number).\(name)")
                }
            }
            return issue
        }

        /// Returns the reports and the number of the first one; nil if there are none, or if they
        /// were already returned.
        private func take() -> (reports: [@Sendable () -> FailureReport], first: Int)? {
            state.withLock { state in
                guard !state.isShown, !state.reports.isEmpty else { return nil }
                state.isShown = true
                return (state.reports, state.count - state.reports.count + 1)
            }
        }
    }
}

extension Trait where Self == FailureReports {
    /// Adds a report of each object under test to the first issue of a failing test.
    public static var failureReports: Self { Self() }
}

/// A description of an object under test, for the issue of a failing test.
public struct FailureReport: Sendable {
    /// The kind of the object, such as `router`.
    public var name: String
    /// The lines that the issue shows.
    public var text: String
    /// The files to attach to the issue, each with the suffix of its name.
    ///
    /// `swift test --attachments-path` writes them.
    public var files: [(name: String, contents: String)]

    /// Creates a report.
    public init(name: String, text: String, files: [(name: String, contents: String)] = []) {
        self.name = name
        self.text = text
        self.files = files
    }
}
