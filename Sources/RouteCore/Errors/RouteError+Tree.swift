// SPDX-License-Identifier: MIT

/// Errors for changes that would break a rule of the tree.
extension RouteError {
    package static func noField(_ field: String, of its: ScreenClass) -> RouteError {
        RouteError(
            .script,
            "class '\(its.name)' has no field '\(field)'\(Suggestion.hint(for: field, among: its.fields))"
        )
    }

    static func isInTree(_ screen: Screen) -> RouteError {
        RouteError(
            .composition,
            "screen '\(screen.class)' is in the tree already (a new or detached screen expected)"
        )
    }

    static func isGone(_ id: ScreenID, _ screen: Screen?) -> RouteError {
        RouteError(.composition, "screen '\(screen?.class ?? "#\(id.serial)")' is gone")
    }

    static func isOfAnotherRouter(_ id: ScreenID) -> RouteError {
        RouteError(
            .composition,
            "screen '#\(id.serial)' is a screen of another router (one of this router expected)"
        )
    }

    static func insideItself(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' cannot be put inside itself")
    }

    static func tooDeep(_ screen: Screen) -> RouteError {
        RouteError(
            .composition,
            "screen '\(screen.class)' would be nested too deeply (at most \(ScreenTree.depthLimit) screens in or above each other)"
        )
    }

    package static func insertedTwice(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' is inserted twice")
    }

    static func isPresentingAlready(_ presenter: Screen, modal: Screen) -> RouteError {
        RouteError(
            .composition,
            "screen '\(presenter.class)' is presenting '\(modal.class)' already"
        )
    }

    static func notInStack(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' is not in a stack")
    }

    static func notATab(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' is not a tab")
    }

    static func holdsNoChildren(_ name: String, _ kind: Screen.Kind) -> RouteError {
        RouteError(.composition, "'\(name)' is a \(kind.rawValue), which has no children")
    }

    static func tooManyChildren(_ screenClass: ScreenClass, _ count: Int) -> RouteError {
        RouteError(.composition, tooManyChildrenText(screenClass, count))
    }

    static func tooManyChildrenText(_ screenClass: ScreenClass, _ count: Int) -> String {
        let limit = screenClass.max ?? 0
        return screenClass.kind == .split
            ? "split '\(screenClass.name)' has a primary and one detail (got \(count) children)"
            : "'\(screenClass.name)' has at most \(limit) \(limit == 1 ? "child" : "children") (got \(count))"
    }

    static func detailWithoutPrimary(_ split: Screen) -> RouteError {
        RouteError(
            .composition,
            "split '\(split.class)' has no primary (one expected before a detail)"
        )
    }

    static func detailIsNoStack(_ split: Screen, _ detail: Screen) -> RouteError {
        RouteError(
            .composition,
            "nav expected as the detail of split '\(split.class)', got '\(detail.class)' (\(detail.kind.rawValue))"
        )
    }

    static func stackOnStack(_ nav: Screen, in split: Screen) -> RouteError {
        RouteError(
            .composition,
            "nav '\(nav.class)' cannot be pushed onto the detail of split '\(split.class)', a nav itself"
        )
    }

    static func notARoot(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' is not the root of a window")
    }

    static func wrongPlace(_ place: Screen, needs kind: Screen.Kind) -> RouteError {
        RouteError(
            .typeMismatch,
            "\(kind.rawValue) expected, got '\(place.class)' (\(place.kind.rawValue))"
        )
    }

    package static func noWindow(_ name: String, among known: [String]) -> RouteError {
        RouteError(
            .composition,
            "no window '\(name)'\(Suggestion.hint(for: name, among: known))"
        )
    }

    package static func windowIsOpen(_ name: String) -> RouteError {
        RouteError(.composition, "window '\(name)' is open already (another name expected)")
    }

    static func fieldHoldsReference(_ name: String, path: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad field '\(name)\(path)' (plain data expected, got a function, screen or host object)"
        )
    }

    static func optionHoldsReference(_ path: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad field 'options\(path)' (plain data expected, got a function, screen or host object)"
        )
    }

    static func badFieldName(_ name: String) -> RouteError {
        RouteError(
            .badInfo,
            "bad field name '\(name)' (a letter expected, then letters, digits, '_' and '-')"
        )
    }
}
