// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The first failure of a host, with the data for its message.
struct ConformanceFailure {
    enum Problem: Equatable {
        case notEqual
        case notAnswered(String, Duration)
        case doneTwice(String)
        case refused(String)
        case routerCalled
        case notReported(String)
        case removedGuarded(String)
        case wrongRequests(String, Int, Int)
        case notReselected(Int)
        case notPushed(Int)
        case newView(String)
        case sharedView(String)
        case keptView(String)
        case wrongCount(shown: Int, expected: Int)

        /// A number that identifies the kind of problem.
        var kind: Int {
            switch self {
            case .notEqual: 0
            case .notAnswered: 1
            case .doneTwice: 2
            case .refused: 3
            case .routerCalled: 4
            case .newView: 5
            case .sharedView: 6
            case .keptView: 7
            case .wrongCount: 8
            case .notReported: 9
            case .removedGuarded: 10
            case .wrongRequests: 11
            case .notReselected: 12
            case .notPushed: 13
            }
        }

        /// Whether the host failed because a time limit had passed.
        var isSlow: Bool {
            switch self {
            case .notAnswered, .keptView: true
            default: false
            }
        }

        var text: String {
            switch self {
            case .notEqual: "the host does not show the tree"
            case .notAnswered(let change, let limit):
                "the host did not call 'done' within \(limit) for '\(change)'"
            case .doneTwice(let change): "the host called 'done' twice for '\(change)'"
            case .refused(let error): "the host refused a change: \(error)"
            case .routerCalled:
                "the host called the router while the host was showing a change; call the router after 'done'"
            case .notReported(let act):
                "the user's action did not change the tree: report '\(act)' to the router"
            case .removedGuarded(let act):
                "the host removed guarded screens ('\(act)'); call 'guard(of:)' before removing screens"
            case .wrongRequests(let act, let count, let expected):
                "the user's action on guarded screens ('\(act)') made \(count) requests with the origin 'person' (\(expected) expected); call 'back' or 'dismiss' once if the guard is 'asks', and make no request if the guard is 'never'"
            case .notReselected(let count):
                "a tap on the selected tab was reported \(count) times; report 'reselected' once"
            case .notPushed(let count):
                "a push of the app's own code added \(count) foreign screens to the stack; report 'pushed' once"
            case .newView(let screen):
                "'\(screen)' remained on screen but has a different view now; a screen must keep its view"
            case .sharedView(let screen):
                "'\(screen)' has the view of another screen; a new screen needs a new view"
            case .keptView(let screen):
                "'\(screen)' was removed, but its view still exists; release the views of removed screens"
            case .wrongCount(let shown, let expected):
                "the host has \(shown) views for \(expected) screens; "
                    + "release the views of removed and discarded screens"
            }
        }
    }

    let problem: Problem
    /// The number of changes up to and including the one that failed.
    let count: Int
    let before: String
    let operations: [String]
    let expected: String
    let shown: String

    /// Returns the details of the failure.
    ///
    /// - Parameter changes: The kinds of the changes that led to the failure.
    /// - Returns: The details as lines, each with a title and a text.
    func details(after changes: [HostConformance.Kind]) -> String {
        var lines: [String] = []
        func add(_ title: String, _ text: String) {
            lines.append("  " + title + String(repeating: " ", count: 12 - title.count) + text)
        }
        add("changes", changes.isEmpty ? "none" : changes.map(\.rawValue).joined(separator: ", "))
        add("before", before.isEmpty ? "no window" : before)
        for (index, operation) in operations.enumerated() {
            add(index == 0 ? "operations" : "", operation)
        }
        add("expected", expected)
        if shown != expected {
            add("shown", shown.isEmpty ? "no window" : shown)
            let common = zip(expected, shown).prefix { $0 == $1 }.count
            add("", String(repeating: " ", count: common) + "^ the first difference")
        }
        return lines.joined(separator: "\n")
    }
}

extension Report {
    /// The report as text, for the message of a failure.
    var text: String {
        switch self {
        case .children(let children, _): "children (\(children.count) remain)"
        case .selected: "selected"
        case .reselected: "reselected"
        case .dismissed: "dismissed"
        case .presented(let name, _, _): "presented \(name)"
        case .pushed(let name, _, _): "pushed \(name)"
        case .opened(let name, _): "opened \(name)"
        case .closed(let name): "closed \(name)"
        }
    }
}
