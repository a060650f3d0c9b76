// SPDX-License-Identifier: MIT

internal import LuaRouting

extension Vocabulary {
    /// The actions of a user, which the host only reports.
    static let person: [StepForm] = [
        Form(
            "user back",
            "the user goes back in the visible stack, or at its first screen leaves the level",
            wordCount: 2
        ) { _ throws(SyntaxError) in
            .user(.back)
        },
        Form("user dismisses", "the user dismisses the topmost level", wordCount: 2) {
            _ throws(SyntaxError) in
            .user(.dismisses)
        },
        Form(
            "user selects SCREEN | NUMBER",
            "the user selects the tab that contains the screen, or one by its number",
            wordCount: 2
        ) {
            parser throws(SyntaxError) in
            parser.isAtDigit
                ? .user(.selectsTab(try parser.count("a tab", from: 1)))
                : .user(.selects(try parser.screen()))
        },
        Form(
            "user makes TREE",
            "the user keeps only these existing screens, in this order; foreign ones may be added on top",
            wordCount: 2
        ) { parser throws(SyntaxError) in
            .user(.makes(try parser.tree(.tree)))
        },
        Form("user opens window NAME TREE", "the user opens a window", wordCount: 2) {
            parser throws(SyntaxError) in
            let name = try parser.windowOfPerson()
            return .user(.opensWindow(name, try parser.tree(.tree)))
        },
        Form("user closes window NAME", "the user closes a window", wordCount: 2) {
            parser throws(SyntaxError) in
            .user(.closesWindow(try parser.windowOfPerson()))
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
