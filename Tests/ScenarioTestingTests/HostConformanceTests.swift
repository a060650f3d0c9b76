// SPDX-License-Identifier: MIT

import LuaRouting
import ScenarioTesting
import Testing

/// Tests of correct hosts, and of hosts with one planted bug each.
@MainActor
struct HostConformanceTests {
    private func failure(
        of bug: PlantedBug?,
        seed: UInt64 = 1,
        counting: Bool = false,
        limit: Duration = .milliseconds(200)
    ) async -> String? {
        await HostConformance.failure(
            seed: seed,
            limit: limit,
            host: { PlantedBugHost(bug, $0) },
            person: bug?.isOfPerson == true ? { $0.act($1) } : nil,
            viewCount: counting ? { $0.viewCount } : nil,
            shown: \.account
        )
    }

    @Test("a correct host passes", arguments: 1...5 as ClosedRange<UInt64>)
    func correct(_ seed: UInt64) async {
        await HostConformance.run(
            seed: seed,
            host: { PlantedBugHost(nil, $0) },
            person: { $0.act($1) },
            viewCount: { $0.viewCount },
            shown: \.account
        )
    }

    @Test("a host that answers asynchronously passes")
    func late() async {
        await HostConformance.run {
            PassingOnHost(PlantedBugHost(nil, $0))
        } shown: {
            $0.host.account
        }
    }

    @Test(
        "each planted bug is found, and the message describes the bug",
        arguments: [
            (.ignoresDismiss, "the host does not show the tree"),
            (.popsOnlyOne, "the host does not show the tree"),
            (.neverAnswersPop, "the host did not call 'done' within 0.2 seconds for 'pop("),
            (.answersTwice, "the host called 'done' twice for '"),
            (.answersTwiceLater, "the host called 'done' twice for '"),
            (.refusesUpdate, "the host refused a change: NoUpdates"),
            (.forgetsSelection, "the host does not show the tree"),
            (.ignoresUpdate, "the host does not show the tree"),
            (.dropsModalsOfNewRoot, "the host does not show the tree"),
            (.reusesViews, "has the view of another screen"),
            (.makesNewViews, "has a different view now"),
            (.ignoresResynchronization, "the host does not show the tree"),
            (.ignoresCloseWindow, "the host does not show the tree"),
            (.presentsContextualOnLevel, "the host does not show the tree"),
            (.keepsGoneViews, "was removed, but its view still exists"),
            (.keepsDiscardedViews, " views for "),
            (.appendsNewChildren, "the host does not show the tree"),
            (.callsRouter, "the host called the router while the host was showing a change"),
            (.reportsWhatIsShown, "the host called the router while the host was showing a change"),
            (.removesAsking, "the host removed guarded screens"),
            (.ignoresAsking, "made 0 requests with the origin 'person' (1 expected)"),
            (.asksTwice, "made 2 requests with the origin 'person' (1 expected)"),
            (.asksAndRemoves, "the host removed guarded screens"),
            (.removesNever, "the host removed guarded screens"),
            (.asksNever, "made 1 requests with the origin 'person' (0 expected)"),
            (.asksAsHost, "made 0 requests with the origin 'person' (1 expected)"),
            (.hidesGuarded, "the host does not show the tree"),
            (.ignoresTap, "a tap on the selected tab was reported 0 times"),
            (.tapsTwice, "a tap on the selected tab was reported 2 times"),
            (.popsAtTap, "a tap on the selected tab was reported 0 times"),
            (.ignoresForeign, "did not change the tree: report 'pushed Foreign' to the router"),
            (.reportsForeignTwice, "added 2 foreign screens to the stack; report 'pushed' once"),
            (.presentsForeign, "added 0 foreign screens to the stack; report 'pushed' once"),
            (.dropsForeign, "the host does not show the tree"),
            (.raisesForeign, "the host does not show the tree"),
        ] as [(PlantedBug, String)]
    )
    func planted(_ bug: PlantedBug, _ sentence: String) async throws {
        let message = await failure(of: bug, counting: bug == .keepsDiscardedViews)
        let text = try #require(message)
        #expect(text.contains(sentence), "\(text)")
        let changes = try #require(text.split(separator: "\n").first { $0.hasPrefix("  changes") })
        #expect(changes.split(separator: ",").count <= 6, "\(text)")
    }

    @Test("the message has the failed change, its trees and the shortest failing sequence")
    func message() async {
        let text = await failure(of: .popsOnlyOne)
        #expect(
            text == """
                the host does not show the tree
                The host failed after change 29 of 200 with seed 1. The shortest failing sequence that was found:
                  changes     children, children, pop
                  before      nav[Page(id=0), Item(id=2), Item(id=1)]
                  operations  pop(Page)
                  expected    nav[Page(id=0)]
                  shown       nav[Page(id=0), Item(id=2)]
                                            ^ the first difference
                """
        )
    }

    @Test("200 changes include operations of all kinds, resynchronizations and several windows")
    func coverage() async {
        var names: Set<String> = []
        await HostConformance.run { router in
            PlantedBugHost(nil, router) { change in
                names.formUnion(change.operations.map(\.name))
                if change.isResynchronization { names.insert("resynchronization") }
            }
        } shown: {
            $0.account
        }
        #expect(
            names.sorted() == [
                "children", "closeWindow", "dismiss", "openWindow", "pop", "present", "push",
                "resynchronization", "root", "select", "update",
            ]
        )
    }

    @Test("the same seed generates the same changes, and another seed generates other changes")
    func seeds() async {
        let messages = [
            await failure(of: .ignoresUpdate), await failure(of: .ignoresUpdate),
            await failure(of: .ignoresUpdate, seed: 2),
        ]
        #expect(messages[0] == messages[1])
        #expect(messages[0] != messages[2])
    }

    @Test("a failure is recorded as an issue at the line of the call")
    func issue() async {
        var line = 0
        let issues = await issues {
            line = #line + 1
            await HostConformance.run {
                PlantedBugHost(.ignoresDismiss, $0)
            } shown: {
                $0.account
            }
        }
        #expect(issues.map(\.line) == [line])
        #expect(issues.first?.file == #filePath)
    }
}

/// A host that passes changes on to another host, and completes each change one turn of the main
/// actor later.
@MainActor
private final class PassingOnHost: @MainActor RouterHost {
    let host: PlantedBugHost

    init(_ host: PlantedBugHost) { self.host = host }

    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        Task { host.show(tree, change, done: done) }
    }
}
