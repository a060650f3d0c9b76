// SPDX-License-Identifier: MIT

package import RouteCore

/// A description of the screen to find and of the part of the tree to search.
package struct Finder: Sendable {
    /// The screen at which the search starts.
    package enum Start: Sendable {
        case topmost
        case root
        /// `(info, nav)` → screen. Nothing is found if the function returns nil.
        case function(ScriptFunction)
    }

    package var `class`: String?
    /// The classes that match, if ``class`` is nil; nil if any class matches.
    package var classes: [String]?
    package var kind: Screen.Kind?
    /// The fields whose values must equal the values in `info`.
    package var fields: [String] = []
    package var match: ScriptFunction?
    package var screen: ScreenID?
    package var scope = SearchScope.fullStack
    package var start = Start.topmost
    package var isTopDown = false
    /// Whether the finder finds the screen that presents the topmost level.
    package var isPresenter = false
    /// Whether the finder finds no screen at all.
    package var isNever = false

    /// A finder for the screen that presents the topmost level.
    package static let presenter: Finder = {
        var finder = Finder(.nil)
        finder.isPresenter = true
        return finder
    }()

    /// The keys with which a finder or a reuse policy determines where to search.
    package static let search: [APIParameter] = [
        .optional(
            "search",
            .either([.word(SearchScope.words), .list(.word(SearchScope.words), [])]),
            text: "the screens to visit; the words of a list are combined; default `fullStack`"
        ),
        .optional(
            "start",
            .either([.function, .word(["topmost", "root"])]),
            text: "the first screen, or `(info, nav)` → screen; default `topmost`"
        ),
    ]

    /// The type of a finder that is written as a table.
    package static let table: APIType = .options(
        [
            .optional("class", .name(of: .class), text: "the class of the screen"),
            .optional(
                "kind",
                .word(Screen.Kind.allCases.map(\.rawValue)),
                text: "the kind of the screen"
            ),
            .optional(
                "by",
                .either([.name(of: .field), .list(.name(of: .field), [])]),
                text: "the fields that must equal the values in the info"
            ),
            .optional(
                "match",
                .function,
                text: "`(screen, info, nav)` → whether the screen matches"
            ),
        ] + search + [
            .optional(
                "direction",
                .word(["topDown", "bottomUp"]),
                text:
                    "the order in which children that are not visible are searched; default `bottomUp`"
            )
        ],
        title: "Finder"
    )

    /// The forms of a finder, with their descriptions and examples in Lua.
    package static let forms: [(form: String, help: String, example: String)] = [
        (
            "a class",
            "the first screen of the class",
            "assert(router.find \"Show\" == router.visible())"
        ),
        (
            "a table",
            "the first screen that matches all keys",
            "assert(router.find({ class = \"Show\", by = \"id\" }, { id = 1 }) == router.visible())"
        ),
        (
            "a function",
            "`(screen, info, nav)` → whether the screen matches",
            "assert(router.find(function(screen) return screen.id == 1 end) == router.visible())"
        ),
        (
            "a screen",
            "the screen, if it exists",
            "assert(router.find(router.visible()) == router.visible())"
        ),
        (
            "router.presenting()",
            "the screen that presents the topmost level",
            """
            router.navigate("Login", "show"):await()
            assert(router.find(router.presenting()) == router.root())
            """
        ),
        ("\"never\"", "no screen", "assert(router.find \"never\" == nil)"),
    ]

    /// Creates a finder from a script's value.
    ///
    /// The value must already have been checked.
    package init(_ value: Value) {
        switch value {
        case .string(let name) where name.text == "never": isNever = true
        case .string(let name): `class` = name.text
        case .screen(let id): screen = id
        case .function(let function): match = function
        case .object(let object): if let finder = object.base as? Finder { self = finder }
        case .table(let table):
            `class` = table["class"].text
            kind = table["kind"].text.flatMap { Screen.Kind(rawValue: $0) }
            fields = table["by"].names
            match = table["match"].function
            isTopDown = table["direction"].text == "topDown"
            readSearch(table)
        default: break
        }
    }

    /// Reads the keys that determine where to search.
    package mutating func readSearch(_ table: InfoTable) {
        if !table["search"].isNil { scope = SearchScope(table["search"].names) }
        switch table["start"] {
        case .function(let function): start = .function(function)
        case .string(let word) where word.text == "root": start = .root
        default: break
        }
    }

    /// The description of the finder, for messages.
    package var title: String {
        if isPresenter { return "a screen that presents the topmost level" }
        if isNever { return "'never'" }
        if let `class` { return "screen '\(`class`)'" }
        if let classes { return "screen '\(classes.joined(separator: "' or '"))'" }
        if let kind { return kind.rawValue.withArticle }
        if match != nil { return "the screen that a function accepts" }
        if fields.isEmpty { return "a screen" }
        return "a screen with the same '\(fields.joined(separator: "', '"))'"
    }

    /// The reason why a screen does not match a finder.
    package enum Mismatch {
        /// The screen's class is different.
        case `class`
        /// The screen is foreign, and the finder names no class.
        case foreign
        /// The screen's kind is different.
        case kind
        /// The value of the field at this index of ``Finder/fields`` is different.
        case field(Int)
    }

    /// Returns the reason why a screen does not match; nil if the screen meets all conditions
    /// except ``match``, which is not called.
    package func mismatch(_ candidate: Screen, _ info: InfoTable) -> Mismatch? {
        if let `class`, `class` != candidate.class { return .class }
        if let classes, !classes.contains(candidate.class) { return .class }
        // Only the class of a foreign screen is known.
        if candidate.kind == .foreign, `class` == nil, classes == nil { return .foreign }
        if let kind, kind != candidate.kind { return .kind }
        return fields.firstIndex { !candidate.fields[$0].isEqual(to: info[$0]) }.map(Mismatch.field)
    }

    /// Whether a screen meets all conditions except ``match``, which is not called.
    package func accepts(_ candidate: Screen, _ info: InfoTable) -> Bool {
        mismatch(candidate, info) == nil
    }
}

extension SearchScope {
    /// Creates the combined scope for the given words.
    fileprivate init(_ words: [String]) {
        self = words.reduce(into: []) { scope, word in
            if let part = SearchScope(word: word) { scope.formUnion(part) }
        }
    }
}
