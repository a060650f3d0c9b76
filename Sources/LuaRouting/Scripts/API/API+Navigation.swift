// SPDX-License-Identifier: MIT

/// The members of a navigation, which scripts read as `nav.info`, and its functions for the bodies of
/// actions, which they call as `nav:act(…)`.
extension APIFunction {
    /// The members that every navigation has; one that a URL led to a route has more.
    static let navigationMembers: [(name: String, text: String)] = [
        ("service", "the service of the route that is taken; nil for a verb that leaves"),
        ("task", "its task"),
        (
            "step",
            "the step whose function runs: `Service/task`, or where the script makes a link; that of the target in an interceptor of all routes"
        ),
        ("info", "the parameters of the target; in an interceptor of a step those of that step"),
        ("origin", "who asks: `script` `host` `url` or `external`"),
        ("from", "the screen at which the caller lets the navigation start"),
        ("window", "the name of the window"),
        ("deps", "the dependencies that the definition needs, by name"),
        ("found", "the screen at which the navigation starts; nil before it is planned"),
        ("stack", "the screens of the steps, each once: the found one first"),
        ("status", "`pending` `done` `failed` `stayed` or `cancelled`"),
    ]

    static let acting: [APIFunction] = [
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
