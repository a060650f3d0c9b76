// SPDX-License-Identifier: MIT

import LuaRouting
import SystemGaps
import TestSupport
import Testing

/// Tests of the reports that failing tests show.
struct FailureReportTests {
    /// Runs a closure, and returns the comments of its issues, which do not fail this test.
    private func issuesWithoutTrait(
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let issues = Lock<[String]>([])
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

    @Test("the reports are attached only to the first issue of a test")
    func first() async throws {
        let issues = try await issues {
            FailureReports.add { FailureReport(name: "stack", text: "two screens") }
            FailureReports.add { FailureReport(name: "queue", text: "empty") }
            Issue.record("a")
            Issue.record("b")
        }
        #expect(issues == ["a\nstack 1\ntwo screens\nqueue 2\nempty", "b"])
    }

    @Test("a report is written only when an issue is recorded")
    func lazy() async throws {
        let count = Lock(0)
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

    @Test("a failed requirement is recorded as one issue")
    func required() async throws {
        let stack = ["Main"]
        let issues = try await issues {
            FailureReports.add { FailureReport(name: "stack", text: "two screens") }
            try #require(stack.isEmpty, "a")
            Issue.record("b")
        }
        #expect(issues == ["a\nstack 1\ntwo screens"])
    }

    @Test("reports are attached to the first issue that fails the test, not to a known issue")
    func known() async throws {
        let issues = try await issues {
            FailureReports.add { FailureReport(name: "stack", text: "two screens") }
            withKnownIssue { Issue.record("a") }
            Issue.record("b")
        }
        #expect(issues == ["a", "b\nstack 1\ntwo screens"])
    }

    @Test("an issue shows the newest reports, and how many are omitted")
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

    @Test("using a fixture in a suite without the trait is an issue that says what to add")
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

    // MARK: Routers

    private static let script = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.expects { tasks = { "Camera/shoot" } }
        router.register("Page", "open", function() return router.screen "Page" end)
        router.interceptor("login", function() router.sleep(2) end)
        router.register("Slow", "open", {
          build = function() return router.screen "Slow" end,
          intercept = "login",
        })
        router.routing("/later/:id")
        router.export("sleep", function() router.sleep(5) end)
        """

    @Test(
        "a failing test shows the events of its router, its windows, its pending work and its host"
    )
    func router() async throws {
        let issues = try await issues {
            let fixture = try RouterFixture(Self.script)
            fixture.navigate("Slow", "open")
            fixture.doTask("Camera", "shoot")
            fixture.router.dispatch("/later/1")
            fixture.router.call("sleep") { _ in }
            #expect(fixture.tree == "nav[Main, Page]")
        }
        #expect(
            issues == [
                """
                router 1
                last 15 of 15 events:
                  1 0.0 s #1 navigate verb="start" origin="host"
                  2 0.0 s #1 build class="nav" screen="nav" at main.lua:1
                  3 0.0 s #1 stage operations={"openWindow"}
                  4 0.0 s #1 commit operations={"openWindow"} revision=1
                  5 0.0 s #1 created class="nav" screen="nav"
                  6 0.0 s #1 created class="Main" screen="Main"
                  7 0.0 s #1 shown window="main" screen="Main" previous=nil cause="start"
                  8 0.0 s #1 done
                  9 0.0 s #2 navigate service="Slow" task="open" defined="main.lua:5" origin="host"
                  10 0.0 s #2 plan found="nav" steps={"Slow/open"} at main.lua:5
                  11 0.0 s #2 intercept name="login"
                  12 0.0 s #2 wait name="login"
                  13 0.0 s task id=1 service="Camera" task="shoot" phase="started" info={}
                  14 0.0 s host act="dispatch" id=1 url="/later/1" origin="url"
                  15 0.0 s call id=1 name="sleep" phase="started" info={}
                clock: 0.0 s, next deadline: 2.0 s
                window 'main': nav[Main]
                pending: navigation #2 'Slow/open' waits for 'login'
                pending: task 'Camera/shoot'
                pending: call of 'sleep'
                pending: deep link '/later/1'
                host: changes [], 0 of them held; pending tasks [Camera/shoot]
                """
            ]
        )
    }

    @Test("if a test throws, the report shows the state in which its router was released")
    func released() async throws {
        let issues = try await issues {
            let fixture = try RouterFixture(Self.script)
            fixture.navigate("Page", "open")
            try fixture.call("nothing")
        }
        #expect(issues.count == 1)
        #expect(issues.first?.contains("\nwindow 'main': nav[Main, Page]\n") == true, "\(issues)")
    }

    @Test("the report for scripts that do not load has no router state")
    func notLoaded() async throws {
        let issues = try await issues { _ = try RouterFixture("error('no')") }
        #expect(issues.first?.hasPrefix("router 1\nstate: unknown, ") == true, "\(issues)")
    }

    @Test("a report does not keep a router alive, and does not read the router on another thread")
    func lifetime() throws {
        let record = RouterRecord()
        var router: Router? = try Router(
            scripts: ScriptBundle(files: ["main.lua": Self.script]),
            host: TestHost(),
            onEvent: { record.append($0) }
        )
        record.follow(try #require(router))
        router?.start()
        let elsewhere = try onThread { record.report().text }
        let unknown = "\nstate: unknown, the router was released, or is used on another thread"
        #expect(elsewhere.hasSuffix(unknown), "\(elsewhere)")
        #expect(record.report().text.contains("\nwindow 'main': nav[Main]\n"))
        weak let released = router
        router = nil
        #expect(released == nil)
        #expect(record.report().text.hasSuffix(unknown))
    }

    @Test("a report shows the newest events, and attaches all of them as an event stream")
    func events() throws {
        let record = RouterRecord()
        for number in 1...60 {
            record.append(Event(sequence: number, time: 1.5, generation: 1, kind: .timer))
        }
        let report = record.report()
        let lines = report.text.split(separator: "\n")
        #expect(lines.prefix(2) == ["last 50 of 60 events:", "  11 1.5 s timer"])
        #expect(lines.dropLast().last == "  60 1.5 s timer")
        let stream = try #require(report.files.first)
        #expect(stream.name == "events.jsonl")
        #expect(stream.contents.hasPrefix(Event.jsonHeader + "\n" + #"{"seq":1,"#))
        #expect(stream.contents.split(separator: "\n").count == 61)
    }
}
