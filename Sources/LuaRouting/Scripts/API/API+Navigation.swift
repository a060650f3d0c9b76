// SPDX-License-Identifier: MIT

/// The functions of a navigation, which scripts call as `nav:act(…)`.
extension APIFunction {
    static let navigation: [APIFunction] = [
        APIFunction(
            "act",
            "Performs an action, in the body of one that `router.action` declares.",
            [
                .required("action", Step.viaType, "the action"),
                .required("place", .screen, "the place; the container is the one at or above it"),
                .required("screen", .screen, "what is put into the tree"),
            ],
            use: .running
        ) { generation, arguments in
            guard let navigation = arguments.navigation, let action = Action(arguments[0]),
                let place = arguments.screen(1), let screen = arguments.screen(2)
            else { return [] }
            try generation.router.act(action, screen, at: place, navigation)
            return []
        },
        APIFunction(
            "setChildren",
            "Sets the children of a container, in the body of an action that `router.action` declares.",
            [
                .required("container", .screen, "the container"),
                .required("children", .list(.screen, []), "the screens in it"),
            ],
            use: .running
        ) { generation, arguments in
            guard let navigation = arguments.navigation, let container = arguments.screen(0) else {
                return []
            }
            let children = arguments.table(1).list.compactMap(\.screen)
            try generation.router.setChildren(children, of: container, navigation)
            return []
        },
    ]
}
