// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ScreenClassTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var screenClass: ScreenClass
        var kind: Screen.Kind
        var shows: Screen.Shows
        var max: Int?

        init(
            _ screenClass: ScreenClass,
            _ kind: Screen.Kind,
            _ shows: Screen.Shows,
            _ max: Int? = nil
        ) {
            testDescription = "\(screenClass.name): \(kind.rawValue) \(shows.rawValue)"
            (self.screenClass, self.kind, self.shows, self.max) = (screenClass, kind, shows, max)
        }
    }

    static let cases: [Case] = [
        Case(ScreenClass("Page"), .leaf, .all), Case(ScreenClass("foreign"), .foreign, .all),
        Case(ScreenClass("nav"), .nav, .last), Case(ScreenClass("tabs"), .tabs, .selected),
        Case(ScreenClass("split"), .split, .all, 2), Case(ScreenClass("container"), .leaf, .all),
        Case(ScreenClass("box", kind: .container), .container, .last),
        Case(ScreenClass("box", kind: .container, shows: .all, max: 4), .container, .all, 4),
        Case(ScreenClass("box", kind: .container, max: -1), .container, .last, 0),
        // The other kinds ignore the options of declared containers.
        Case(ScreenClass("exnav", kind: .nav, shows: .all, max: 4), .nav, .last),
        Case(ScreenClass("split", shows: .last, max: 4), .split, .all, 2),
    ]

    @Test(
        "a class determines which children of its screens are visible, and how many there may be",
        arguments: cases
    )
    func declares(_ given: Case) throws {
        #expect(given.screenClass.kind == given.kind)
        #expect(given.screenClass.shows == given.shows)
        #expect(given.screenClass.max == given.max)
        var tree = ScreenTree()
        let id = try tree.makeScreen(given.screenClass)
        let screen = try #require(tree.screen(id))
        #expect(screen.kind == given.kind)
        #expect(screen.shows == given.shows)
        #expect(screen.max == given.max)
    }

    @Test("after the kind of a class changes, its screens show their children as the new kind does")
    func changes() {
        var screenClass = ScreenClass("Box", kind: .container, shows: .all, max: 3)
        screenClass.kind = .tabs
        #expect(screenClass.shows == .selected)
        #expect(screenClass.max == nil)
        screenClass.kind = .container
        #expect(screenClass.shows == .all)
        screenClass.shows = .selected
        screenClass.max = 1
        #expect(screenClass.shows == .selected)
        #expect(screenClass.max == 1)
    }
}
