// SPDX-License-Identifier: MIT

package import RouteCore

extension Action {
    /// Returns the options of a built-in action, with their names in scripts and scenarios; empty
    /// for an action without options.
    package static func options(of word: String) -> [APIParameter] {
        switch word {
        case present.name: presentOptions
        case addTab.name: tabOptions
        default: []
        }
    }

    private static let presentOptions: [APIParameter] = [
        .optional("style", .string, text: "the style; default `fullScreen`"),
        .optional("transition", .string, text: "the transition; default `coverVertical`"),
        .optional(
            "start",
            .either([
                .declaration([Finder.declarationName]), .name(of: .class), .screen, .function,
                Finder.table,
            ]),
            text:
                "the presenting screen: `current`, `topmostParent` or a finder; default `current`"
        ),
        .optional(
            "contextual",
            .boolean,
            text:
                "whether the modal covers only the area of the presenting screen within its container"
        ),
        .optional(
            "size",
            .options([
                .required("width", .number, text: "in points"),
                .required("height", .number, text: "in points"),
            ]),
            text: "the size; default: the size of the style"
        ),
        .optional("modal", .boolean, text: "whether the user cannot dismiss the modal by swiping"),
        .optional("options", .table, text: "other options for the host"),
    ]

    private static let tabOptions: [APIParameter] = [
        .optional(
            "at",
            .integer,
            text: "the position of the tab, from 1; default: after the last tab"
        ),
        .optional("replacing", .boolean, text: "whether to replace the tab at this position"),
    ]

    /// Creates the action with the given name and options.
    ///
    /// The options must already have been checked.
    package init(word: String, options: InfoTable) {
        self.init(word: word)
        switch kind {
        case .present: self.init(kind: .present(PresentOptions(options)))
        case .addTab:
            self.init(
                kind: .addTab(
                    at: options["at"].integer.map { Int(clamping: $0) },
                    isReplacing: options["replacing"].boolean ?? false
                )
            )
        default: break
        }
    }

    /// The options that differ from the defaults.
    ///
    /// A finder for the presenting screen is not included.
    package var options: [(name: String, value: Value)] {
        var options: [(name: String, value: Value)] = []
        switch kind {
        case .present(let present), .presentWithNav(let present):
            options = present.presentation.attributes
            if present.presentation.isContextual { options.append(("contextual", .boolean(true))) }
            if case .topmostParent = present.start { options.append(("start", "topmostParent")) }
        case .addTab(let index, let isReplacing):
            if let index { options.append(("at", .integer(Int64(index)))) }
            if isReplacing { options.append(("replacing", .boolean(true))) }
        default: break
        }
        return options
    }

    /// The presenting screen, if the action is `present` and names a specific screen; otherwise
    /// nil.
    package var presenter: ScreenID? {
        if case .present(let options) = kind, case .finder(let finder) = options.start {
            finder.screen
        } else {
            nil
        }
    }

    /// Returns the action with the given presenting screen.
    ///
    /// Actions other than `present` are returned unchanged.
    package func presenting(from screen: ScreenID) -> Action {
        guard case .present(var options) = kind else { return self }
        options.start = .finder(Finder(.screen(screen)))
        return Action(kind: .present(options))
    }
}

extension PresentOptions {
    fileprivate init(_ table: InfoTable) {
        self.init()
        presentation.isContextual = table["contextual"].boolean ?? false
        presentation.isModal = table["modal"].boolean ?? false
        if let style = table["style"].text { presentation.style = style }
        if let transition = table["transition"].text { presentation.transition = transition }
        if case .table(let size) = table["size"] {
            presentation.size = Screen.Presentation.Size(
                width: size["width"].double ?? 0,
                height: size["height"].double ?? 0
            )
        }
        if case .table(let options) = table["options"] { presentation.options = options }
        switch table["start"] {
        case .nil: start = .current
        case .string(let word) where word.text == "current": start = .current
        case .string(let word) where word.text == "topmostParent": start = .topmostParent
        case let finder: start = .finder(Finder(finder))
        }
    }
}
