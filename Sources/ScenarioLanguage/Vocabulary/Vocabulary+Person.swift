// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension Vocabulary {
    /// The steps for user actions.
    ///
    /// The host reports an action to the router, or requests the action from the router.
    static let person: [StepForm] = [
        Form(
            "user back [as NAME]",
            "the user goes back in the visible stack, or dismisses the level if only the first screen is left. For guarded screens, `leaving` is called first; for other screens, the host only reports the removal",
            example: ["given nav[Home, Show(id=1)]", "user back", "expect tree nav[Home]"],
            wordCount: 2
        ) { _ throws(SyntaxError) in
            .user(.back(1))
        },
        Form(
            "user dismisses [as NAME]",
            "the user dismisses the topmost level, which must not have been presented with 'modal = true'; `leaving` of guarded screens is called first",
            example: ["given nav[Home] ^ nav[Login]", "user dismisses", "expect modal none"],
            wordCount: 2
        ) {
            _ throws(SyntaxError) in
            .user(.dismiss)
        },
        Form(
            "user selects SCREEN | NUMBER [as NAME]",
            "the user selects the tab that contains the screen, or a tab by its number; selecting the current tab again pops it to its first screen",
            example: [
                "given tabs[*nav[Home, Show(id=1)], nav[Search]]", "user selects 1",
                "expect top Home",
                "user selects 2", "expect top Search",
            ],
            wordCount: 2
        ) {
            parser throws(SyntaxError) in
            parser.isAtDigit
                ? .user(.selectTab(try parser.count("a tab number", from: 1)))
                : .user(.select(try parser.screen()))
        },
        Form(
            "user makes TREE",
            "the user changes the screens of the main window: only these existing screens remain, in this order; foreign screens may be added on top",
            example: [
                "given nav[Home, Show(id=1), Show(id=2)]", "user makes nav[Home, Show(id=2)]",
                "expect ops none",
            ],
            wordCount: 2
        ) { parser throws(SyntaxError) in
            .userMakes(try parser.tree(.tree))
        },
        Form(
            "user opens window NAME TREE",
            "the user opens a window that shows the given tree",
            example: ["user opens window second nav[Search]", "expect window second nav[Search]"],
            wordCount: 2
        ) {
            parser throws(SyntaxError) in
            let name = try parser.windowOfPerson()
            return .user(.openWindow(name, try parser.tree(.tree)))
        },
        Form(
            "user closes window NAME",
            "the user closes a window",
            example: ["given window second nav[Search]", "user closes window second"],
            wordCount: 2
        ) {
            parser throws(SyntaxError) in
            .user(.closeWindow(try parser.windowOfPerson()))
        },
    ]
}

extension StepParser {
    fileprivate mutating func windowOfPerson() throws(SyntaxError) -> String {
        guard take("window") else { throw expected("'window'") }
        let name = try name("the name of a window")
        skipSpace()
        return name
    }
}
