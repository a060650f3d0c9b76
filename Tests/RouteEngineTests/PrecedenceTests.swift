// SPDX-License-Identifier: MIT

import Foundation
import RouteCore
import RouteEngine
import TestSupport
import Testing

/// Tests of the tables in the article on policies, cell by cell, without scripts.
struct PrecedenceTests {
    /// The words of a table's first column, each with a function that creates the new navigation.
    static let newcomers: [String: @Sendable (Policy) -> (Precedence.Entry, mayJoin: Bool)] = [
        "another route": { (.init(9, policy: $0, requests: [other]), true) },
        "an equal route": { (.init(9, policy: $0, requests: [equal]), true) },
        "an equal route with `again`": { (.init(9, policy: $0, requests: [equal]), false) },
        "a route that its interceptor begins": {
            (.init(9, policy: $0, requests: [other], parents: [1]), true)
        },
        "an equal route that its interceptor begins": {
            (.init(9, policy: $0, requests: [equal], parents: [1]), true)
        },
        "a leaving verb": { _ in (.init(9, policy: nil), true) },
    ]
    /// The words of a table's second column, each with the pending navigations.
    static let others: [String: Precedence] = [
        "nothing": Precedence(active: []),
        "one that is planned, asks or is applied": Precedence(active: [
            .init(1, policy: .queue, requests: [equal])
        ]),
        "one that waits at a screen of its child": Precedence(
            active: [
                .init(
                    1,
                    policy: .queue,
                    requests: [equal],
                    waitsAt: [ScreenID(serial: 1, slot: 1, tree: 1)]
                )
            ]
        ),
        "one that was redirected": Precedence(active: [
            .init(1, policy: .queue, requests: [other, equal])
        ]),
        "one that waits at a gate": Precedence(
            active: [],
            parked: [.init(1, policy: .queue, requests: [equal])]
        ),
        "a leaving verb": Precedence(active: [.init(1, policy: nil)]),
    ]
    static let equal = Precedence.Request(Target("Page", "show"), ["id": 1])
    static let other = Precedence.Request(Target("Page", "show"), ["id": 2])

    static func word(_ answer: Precedence.Answer) -> String {
        switch answer {
        case .runs: "runs"
        case .waits(for: [1]): "waits"
        case .joins(1): "joins"
        case .supersedes([1]): "supersedes"
        case .busy(with: 1): "busy"
        default: "\(answer)"
        }
    }

    static let screens = (1...4).map { ScreenID(serial: $0, slot: $0, tree: 1) }
    /// The screen that is asked, the screen at which a navigation waits, the screen that is shown
    /// for the question, and the screen that is reached.
    static let (asked, second, shown, reached) = (screens[0], screens[1], screens[2], screens[3])

    /// The navigations in the table of questions, each with the screens that the navigation asks
    /// and removes.
    static let removals: [String: (Precedence.Entry, [ScreenID], Precedence.Removal)] = [
        "a route": (.init(9, policy: .queue), [asked], .init([asked])),
        "a verb that removes the same screens": (
            .init(9, policy: nil), [asked], .init([asked, shown], reaches: reached)
        ),
        "a verb that closes with another value": (
            .init(9, policy: nil), [asked], .init([asked], reaches: reached, value: "other")
        ),
        "a verb that removes more screens": (
            .init(9, policy: nil), [second, asked], .init([asked, second], reaches: reached)
        ),
        "one that does not remove the screen": (
            .init(9, policy: .queue), [second], .init([second])
        ),
        "one that the asking function begins": (
            .init(9, policy: .queue, parents: [1]), [asked], .init([asked])
        ),
    ]
    static let askers: [String: Precedence] = [
        "a route": Precedence(
            active: [
                .init(1, policy: .queue, question: .init(asked, .init([asked]), shows: [shown]))
            ]
        ),
        "a verb": Precedence(
            active: [
                .init(
                    1,
                    policy: nil,
                    question: .init(
                        asked,
                        .init([asked], reaches: reached, value: "value"),
                        shows: [shown]
                    )
                )
            ]
        ),
    ]

    @Test("precedence while a question is open matches the table in the article")
    func questions() throws {
        var seen: Set<[String]> = []
        for row in try Self.rows(below: "A screen that is being asked") {
            let (entry, screens, removal) = try #require(Self.removals[row[0]], "\(row)")
            let others = try #require(Self.askers[row[1]], "\(row)")
            let answer =
                switch others.answer(for: entry, asking: screens, removing: removal) {
                case .runs: "asks"
                case .joins(1): "joins"
                case .waitsForQuestion(of: 1, sharesStay: false): "waits for the question"
                case .waitsForQuestion(of: 1, sharesStay: true): "ends with it"
                case let other: "\(other)"
                }
            #expect(answer == row[2], "\(row)")
            seen.insert(Array(row.prefix(2)))
        }
        let pairs = Self.removals.keys.flatMap { row in Self.askers.keys.map { [row, $0] } }
        #expect(seen == Set(pairs))
    }

    @Test("precedence while a dialog is open matches the table in the article")
    func dialogs() throws {
        let others = Precedence(
            active: [
                .init(1, policy: .queue, waitsAt: [Self.asked]),
                .init(2, policy: .queue, waitsAt: [Self.asked]),
                .init(3, policy: .queue, waitsAt: [Self.second]),
            ]
        )
        var count = 0
        for row in try Self.rows(below: "A link at a dialog") {
            let parents = row[0] == "is begun by the navigation that waits there" ? [1, 2] : []
            let used: Set = row[0] == "uses another place" ? [] : [Self.asked]
            let roots: Set = row[1] == "a screen in the place of a root" ? [Self.asked] : []
            for (policy, cell) in zip(DialogPolicy.allCases, row.dropFirst(2)) {
                let entry = Precedence.Entry(9, policy: .queue, parents: parents)
                let answer =
                    switch others.answer(for: entry, using: used, roots: roots, policy) {
                    case .runs: "runs"
                    case .leavesDialog(of: [1, 2]): "leaves"
                    case .waitsForDialog(of: [1, 2]): "waits for the dialog"
                    case let other: "\(other)"
                    }
                #expect(answer == cell, "\(row) with \(policy)")
                count += 1
            }
        }
        #expect(count == 15)
    }

    @Test("a link leaves none of several dialogs if one of them cannot be removed")
    func severalDialogs() {
        let others = Precedence(active: [
            .init(1, policy: .queue, waitsAt: [Self.asked]),
            .init(2, policy: .queue, waitsAt: [Self.second]),
        ])
        let link = Precedence.Entry(9, policy: .queue)
        for root in [Self.asked, Self.second] {
            let answer = others.answer(
                for: link,
                using: [Self.asked, Self.second],
                roots: [root],
                .leave
            )
            #expect(answer == .waitsForDialog(of: [1, 2]))
        }
    }

    @Test("a navigation that waits for a question or a dialog does not block the queue")
    func heldUp() {
        let others = Precedence(active: [.init(1, policy: .queue, isHeldUp: true)])
        #expect(others.answer(for: .init(9, policy: .queue, requests: [Self.other])) == .runs)
        #expect(others.answer(for: .init(9, policy: .reject, requests: [Self.other])) == .runs)
    }

    /// Returns the cells in the rows of a table of the article, without the table's head.
    static func rows(below title: String) throws -> [[String]] {
        let url = packageFolder.appending(
            path: "Sources/LuaRouting/Documentation.docc/Policies.md"
        )
        let text = try String(contentsOf: url, encoding: .utf8)
        let section = try #require(text.split(separator: "\n## \(title)\n").dropFirst().first)
        let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
        return table.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("precedence under each policy matches the table in the article")
    func policies() throws {
        var seen: Set<String> = []
        for row in try Self.rows(below: "A request beside a pending one") {
            let make = try #require(Self.newcomers[row[0]], "unknown newcomer '\(row[0])'")
            let others = try #require(Self.others[row[1]], "unknown others '\(row[1])'")
            #expect(row.count == 2 + Policy.allCases.count)
            for (policy, cell) in zip(Policy.allCases, row.dropFirst(2)) {
                let (entry, mayJoin) = make(policy)
                let answer = Self.word(others.answer(for: entry, mayJoin: mayJoin))
                #expect(answer == cell, "\(row[0]) beside \(row[1]) with \(policy)")
            }
            seen.formUnion(row.prefix(2))
        }
        #expect(seen == Set(Self.newcomers.keys).union(Self.others.keys))
    }

    /// A navigation, several pending navigations, and the expected decision.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let entry: Precedence.Entry
        let others: Precedence
        let answer: Precedence.Answer

        init(
            _ name: String,
            _ entry: Precedence.Entry,
            _ others: Precedence,
            _ answer: Precedence.Answer
        ) {
            (testDescription, self.entry, self.others, self.answer) = (name, entry, others, answer)
        }
    }

    @Test(
        "the precedence of a request takes all active navigations into account",
        arguments: [
            Case(
                "a queued one is superseded, and a child is not",
                .init(9, policy: .latest, requests: [other]),
                .init(
                    active: [.init(1, policy: .queue), .init(2, policy: .queue, parents: [1])],
                    queued: [.init(3, policy: .queue)]
                ),
                .supersedes([1, 3])
            ),
            Case(
                "a route beside queued ones alone runs in its order",
                .init(9, policy: .queue, requests: [other]),
                .init(active: [], queued: [.init(1, policy: .queue)]),
                .runs
            ),
            Case(
                "a child does not join one that waits in the queue which its parent holds",
                .init(9, policy: .queue, requests: [equal], parents: [1]),
                .init(
                    active: [.init(1, policy: .queue)],
                    queued: [.init(2, policy: .queue, requests: [equal])]
                ),
                .runs
            ),
            Case(
                "a child joins one that runs beside its parent",
                .init(9, policy: .queue, requests: [equal], parents: [1]),
                .init(active: [
                    .init(1, policy: .queue), .init(2, policy: .parallel, requests: [equal]),
                ]),
                .joins(2)
            ),
            Case(
                "a child does not join one that waits for its parent through others",
                .init(9, policy: .queue, requests: [equal], parents: [1]),
                .init(
                    active: [
                        .init(1, policy: .queue),
                        .init(2, policy: .parallel, requests: [equal], awaits: [3]),
                        .init(3, policy: .queue, parents: [2], awaits: [1]),
                    ]
                ),
                .runs
            ),
            Case(
                "the oldest of several equal ones is joined",
                .init(9, policy: .queue, requests: [equal]),
                .init(active: [
                    .init(1, policy: .queue, requests: [equal]),
                    .init(2, policy: .queue, requests: [equal]),
                ]),
                .joins(1)
            ),
        ]
    )
    func several(_ row: Case) {
        #expect(row.others.answer(for: row.entry) == row.answer)
    }

    @Test(
        "requests that differ are not coalesced",
        arguments: [
            Precedence.Request(Target("Page", "edit"), ["id": 1]),
            Precedence.Request(
                Target("Page", "show"),
                ["id": 1],
                from: ScreenID(serial: 1, slot: 1, tree: 1)
            ),
            Precedence.Request(Target("Page", "show"), ["id": 1], window: "second"),
            Precedence.Request(Target("Page", "show"), ["id": 1], isForced: true),
            Precedence.Request(Target("Page", "show"), ["id": 1], generation: 2),
        ]
    )
    func differences(_ request: Precedence.Request) {
        let others = Precedence(active: [.init(1, policy: .queue, requests: [Self.equal])])
        #expect(others.answer(for: .init(9, policy: .parallel, requests: [request])) == .runs)
    }
}
