// SPDX-License-Identifier: MIT

/// An error in a text in tree notation, with the range of the error.
///
/// ```swift
/// do {
///     _ = try TreeNotation("nav[Home, *]")
/// } catch {
///     print(error.message)  // a class expected, got ']'
///     print(error.range)  // 11..<12
/// }
/// ```
public struct NotationError: Error, Sendable, Equatable {
    /// The message: what was expected, and what was found instead.
    public var message: String
    /// The range of the error in the text, in UTF-8 offsets; empty at the end of the text.
    public var range: Range<Int>
    /// A hint that explains how to fix the text, if there is one.
    public var help: String?

    /// Creates an error.
    public init(_ message: String, at range: Range<Int>, help: String? = nil) {
        self.message = message
        self.range = range
        self.help = help
    }
}

extension RouteError {
    /// Creates an error with the code `parse`, whose message includes the help.
    public init(_ error: NotationError) {
        self.init(.parse, error.help.map { "\(error.message) (\($0))" } ?? error.message)
    }
}

// MARK: Syntax errors

extension NotationError {
    static func expected(
        _ expected: String,
        after previous: String? = nil,
        got found: (text: String, range: Range<Int>),
        help: String? = nil
    ) -> NotationError {
        let place = previous.map { " after \($0)" } ?? ""
        return NotationError(
            "\(expected) expected\(place), got \(found.text)",
            at: found.range,
            help: help
        )
    }

    static func unknownKind(_ kind: String, at range: Range<Int>) -> NotationError {
        let kinds = Screen.Kind.allCases.map(\.rawValue)
        return NotationError(
            "unknown kind '\(kind)'",
            at: range,
            help: Suggestion.nearest(to: kind, among: kinds).map { "did you mean '\($0)'?" }
                ?? "the kinds are \(kinds.joined(separator: ", "))"
        )
    }

    static func onlyInExpectations(_ symbol: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "'\(symbol)' is allowed only in expectations",
            at: range,
            help: symbol == "_" ? "write the name of a class" : "list the screens instead"
        )
    }

    static func matcherOutside(_ range: Range<Int>) -> NotationError {
        NotationError(
            "a matcher is allowed only in the values of conditions",
            at: range,
            help: "write a value, with text in quotes"
        )
    }

    static func secondRest(at range: Range<Int>) -> NotationError {
        NotationError(
            "the list contains a second '...'",
            at: range,
            help: "one '...' matches any number of items"
        )
    }

    static func secondSelection(at range: Range<Int>) -> NotationError {
        NotationError(
            "the list contains a second '*'",
            at: range,
            help: "only one tab can be selected"
        )
    }

    static func duplicateField(_ name: String, at range: Range<Int>) -> NotationError {
        NotationError("field '\(name)' is given twice", at: range)
    }

    static func readOnlyField(_ name: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "'\(name)' is a read-only property of every screen, not a field",
            at: range,
            help: "rename the field"
        )
    }

    static func duplicateKey(_ key: InfoTable.Key, at range: Range<Int>) -> NotationError {
        NotationError("key '\(key.pathComponent)' is given twice", at: range)
    }

    static func tooDeep(at range: Range<Int>) -> NotationError {
        NotationError(
            "the text is nested more than \(NotationParser.maximumDepth) levels deep",
            at: range
        )
    }

    static func malformedNumber(_ text: String, at range: Range<Int>) -> NotationError {
        NotationError(
            "'\(text)' is not a number",
            at: range,
            help: "quote it to make it a string: \"\(text)\""
        )
    }

    static func badEscape(_ reason: String, at range: Range<Int>) -> NotationError {
        NotationError("bad escape in a string: \(reason)", at: range)
    }
}

// MARK: Errors in trees to build

extension NotationError {
    static func holdsNoChildren(_ screen: ScreenNotation, kind: Screen.Kind) -> NotationError {
        NotationError(
            "'\(screen.name)' is \(kind.rawValue.withArticle), which cannot have children",
            at: screen.childrenRange,
            help: kind == .leaf
                ? "if '\(screen.name)' is a container, write '\(screen.name):nav[…]' or another kind"
                : nil
        )
    }

    static func contradictsKind(_ screen: ScreenNotation, kind: Screen.Kind) -> NotationError {
        let written = screen.kind.map { ", not \($0.rawValue)" } ?? ""
        return NotationError(
            "'\(screen.name)' has the kind \(kind.rawValue)\(written)",
            at: screen.kindRange
        )
    }

    static func tooManyChildren(_ screenClass: ScreenClass, _ count: Int, at range: Range<Int>)
        -> NotationError
    {
        NotationError(RouteError.tooManyChildrenText(screenClass, count), at: range)
    }

    static func selectedOutsideTabs(_ screenClass: ScreenClass, at range: Range<Int>)
        -> NotationError
    {
        let (name, kind) = (screenClass.name, screenClass.kind)
        guard kind == .container else {
            return NotationError(
                "'*' marks the selected tab, but '\(name)' is \(kind.rawValue.withArticle)",
                at: range
            )
        }
        return NotationError(
            "'*' marks the selected child, but '\(name)' shows \(screenClass.shows == .all ? "all children" : "the last child")",
            at: range,
            help: "declare '\(name)' as a container that shows the selected child"
        )
    }
}
