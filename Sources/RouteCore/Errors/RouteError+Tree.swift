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
            "screen '\(screen.class)' is already in the tree (a new or detached screen expected)"
        )
    }

    static func isGone(_ id: ScreenID, _ screen: Screen?) -> RouteError {
        RouteError(.composition, "screen '\(screen?.class ?? "#\(id.serial)")' is gone")
    }

    static func isOfAnotherRouter(_ id: ScreenID) -> RouteError {
        RouteError(
            .composition,
            "screen '#\(id.serial)' belongs to another router (a screen of this router expected)"
        )
    }

    static func insideItself(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' cannot be put inside itself")
    }

    static func tooDeep(_ screen: Screen) -> RouteError {
        RouteError(
            .composition,
            "screen '\(screen.class)' would be nested too deeply (at most \(ScreenTree.depthLimit) levels of containers and modals)"
        )
    }

    package static func insertedTwice(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' is inserted twice")
    }

    static func isPresentingAlready(_ presenter: Screen, modal: Screen) -> RouteError {
        RouteError(
            .composition,
            "screen '\(presenter.class)' is already presenting '\(modal.class)'"
        )
    }

    static func notInStack(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' is not in a stack")
    }

    static func notATab(_ screen: Screen) -> RouteError {
        RouteError(.composition, "screen '\(screen.class)' is not a tab")
    }

    static func holdsNoChildren(_ name: String, _ kind: Screen.Kind) -> RouteError {
        RouteError(
            .composition,
            "'\(name)' is \(kind.rawValue.withArticle), which cannot have children"
        )
    }

    static func tooManyChildren(_ screenClass: ScreenClass, _ count: Int) -> RouteError {
        RouteError(.composition, tooManyChildrenText(screenClass, count))
    }

    static func tooManyChildrenText(_ screenClass: ScreenClass, _ count: Int) -> String {
        let limit = screenClass.max ?? 0
        return screenClass.kind == .split
            ? "split '\(screenClass.name)' can have only a primary and one detail (got \(count) children)"
            : "'\(screenClass.name)' can have at most \(limit) \(limit == 1 ? "child" : "children") (got \(count))"
    }

    static func detailWithoutPrimary(_ split: Screen) -> RouteError {
        RouteError(
            .composition,
            "split '\(split.class)' has no primary (a primary expected before a detail)"
        )
    }

    static func detailIsNoStack(_ split: Screen, _ detail: Screen) -> RouteError {
        RouteError(
            .composition,
            "the detail of split '\(split.class)' must be a nav, got '\(detail.class)' (\(detail.kind.rawValue))"
        )
    }

    static func stackOnStack(_ nav: Screen, in split: Screen) -> RouteError {
        RouteError(
            .composition,
            "nav '\(nav.class)' cannot be pushed onto the detail of split '\(split.class)', which is a nav itself"
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
            "there is no window '\(name)'\(Suggestion.hint(for: name, among: known))"
        )
    }

    package static func windowIsOpen(_ name: String) -> RouteError {
        RouteError(.composition, "window '\(name)' is already open (another name expected)")
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
            "bad field name '\(name)' (must begin with an ASCII letter, followed by ASCII letters, digits, '_', '-', or '.' before a letter)"
        )
    }
}
