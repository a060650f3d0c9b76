// SPDX-License-Identifier: MIT

/// The members of a navigation, such as `nav.info`, and the methods that actions call, such as
/// `nav:act(…)`.
extension APIFunction {
    /// The members of every navigation.
    ///
    /// A navigation to a URL has additional members.
    package static let navigationMembers: [NavigationMember] = [
        (
            "service",
            "the service of the route; nil for a navigation that leaves screens, such as `router.back`",
            "nav.service == \"Sample\""
        ),
        ("task", "the task of the route", "nav.task == \"show\""),
        (
            "step",
            "the current step: `Service/task`, or the location of a `router.link`; in an interceptor for all routes, the step of the target",
            "nav.step == \"Sample/show\""
        ),
        (
            "info",
            "the parameters of the target; in an interceptor of a step, the parameters of that step",
            "nav.info.id == 7"
        ),
        (
            "origin",
            "the origin: `script`, `host`, `url`, `external`, or `person` if a user gesture leaves a screen",
            "nav.origin == \"url\""
        ),
        ("from", "the screen that the caller passed as `from`", "nav.from == nil"),
        ("window", "the name of the window", "nav.window == \"main\""),
        (
            "deps", "the dependencies that the definition needs, by name",
            "nav.deps.player.volume == 5"
        ),
        (
            "found",
            "the existing screen from which the plan starts; nil before the navigation is planned",
            "nav.found.class == \"nav\""
        ),
        (
            "stack",
            "the screens of the plan, each once: the found screen, then the screens of the steps",
            "nav.stack[2].class == \"Sample\""
        ),
        (
            "status", "`pending`, `done`, `failed`, `stayed` or `cancelled`",
            "nav.status == \"pending\""
        ),
    ]

    static let acting: [APIFunction] = [
        APIFunction(
            "act",
            "Performs an action. Only callable in the body of an action that `router.action` declares.",
            parameters: [
                .required("action", Step.viaType, text: "the action"),
                .required(
                    "place",
                    .screen,
                    text:
                        "the screen where the action is performed; the action uses the container at or above this screen"
                ),
                .required("screen", .screen, text: "the screen to put into the tree"),
            ],
            use: .running,
            example: """
                router.action("sheet", function(place, screen, nav)
                  nav:act(router.present { style = "sheet" }, place, screen)
                end)
                router.register("Share", "show", {
                  build = function() return router.screen "Share" end,
                  via = "sheet",
                })
                """,
            steps: ["navigate Share/show", "expect modal Share"]
        ) { generation, arguments in
            guard let navigation = arguments.navigation, let action = Action(arguments[0]),
                let place = arguments.screen(1), let screen = arguments.screen(2)
            else { return [] }
            try generation.router.act(action, on: screen, at: place, in: navigation)
            return []
        },
        APIFunction(
            "setChildren",
            "Sets the children of a container, in the body of an action that `router.action` declares.",
            parameters: [
                .required("container", .screen, text: "the container"),
                .required("children", .list(.screen, []), text: "the new children, in order"),
            ],
            use: .running,
            example: """
                router.action("only", { needs = "nav" }, function(stack, screen, nav)
                  nav:setChildren(stack, { screen })
                end)
                router.register("Share", "show", {
                  build = function() return router.screen "Share" end,
                  via = "only",
                })
                """,
            steps: ["navigate Share/show", "expect tree nav[Share]"]
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
