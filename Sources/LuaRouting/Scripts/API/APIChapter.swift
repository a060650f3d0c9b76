// SPDX-License-Identifier: MIT

/// The name and the description of a property that scripts read.
package typealias APIMember = (name: String, text: String)

/// The name and the description of a navigation's property, and a condition in Lua as an example.
package typealias NavigationMember = (name: String, text: String, example: String)

/// A chapter of the reference: a group of related functions.
package struct APIChapter: Sendable {
    package let title: String
    /// The object that has the functions, such as `router` or `nav`.
    package let object: String
    package let functions: [APIFunction]
    /// The properties of the object, or of the screens or tables that the functions return.
    package var members: [APIMember] = []

    /// The chapters, in the order in which a reader needs them.
    package static let all: [APIChapter] = [
        APIChapter(title: "Routes and navigation", object: "router", functions: APIFunction.verbs),
        APIChapter(title: "Groups of routes", object: "group", functions: APIFunction.group),
        APIChapter(title: "Leaving screens", object: "router", functions: APIFunction.leaving),
        APIChapter(
            title: "Screens and trees",
            object: "router",
            functions: APIFunction.screens,
            members: ScreenProperty.allCases.map { ("screen.\($0.rawValue)", $0.text) }
        ),
        APIChapter(title: "Reading the tree", object: "router", functions: APIFunction.reading),
        APIChapter(title: "Steps and actions", object: "router", functions: Step.functions),
        APIChapter(title: "Bodies of actions", object: "nav", functions: APIFunction.acting),
        APIChapter(title: "URLs", object: "router", functions: APIFunction.urls),
        APIChapter(title: "Deep links and gates", object: "router", functions: APIFunction.links),
        APIChapter(title: "Routings", object: "routing", functions: APIFunction.routing),
        APIChapter(
            title: "Tickets",
            object: "ticket",
            functions: APIFunction.ticket,
            members: APIFunction.ticketMembers.map { ("ticket.\($0.name)", $0.text) }
        ),
        APIChapter(title: "Route strings", object: "router", functions: APIFunction.handlers),
        APIChapter(title: "Interceptors", object: "router", functions: APIFunction.interceptors),
        APIChapter(title: "Navigations", object: "nav", functions: APIFunction.navigation),
        APIChapter(
            title: "Tasks",
            object: "task",
            functions: APIFunction.task,
            members: [("task.status", "`pending`, `done`, `failed` or `cancelled`")]
        ),
        APIChapter(title: "Waiting and time", object: "router", functions: APIFunction.waiting),
        APIChapter(title: "Timers", object: "timer", functions: APIFunction.timer),
        APIChapter(title: "Reloading", object: "router", functions: APIFunction.reloading),
        APIChapter(title: "Snapshots", object: "router", functions: APIFunction.restoring),
        APIChapter(title: "Windows", object: "router", functions: APIFunction.windows),
        APIChapter(title: "Dependencies", object: "router", functions: APIFunction.dependencies),
        APIChapter(title: "Setup", object: "router", functions: APIFunction.setup),
        APIChapter(
            title: "Explaining",
            object: "router",
            functions: APIFunction.explaining,
            members: Explanation.keys.map { ("plan.\($0.name)", $0.text) }
        ),
        APIChapter(title: "The log", object: "router.log", functions: APIFunction.log),
        APIChapter(title: "The library 'os'", object: "os", functions: APIFunction.os(.trusted)),
    ]
}

extension APIFunction {
    /// All functions of `router`.
    static let all = APIChapter.all.filter { $0.object == "router" }.flatMap(\.functions)
}

/// A member of `router` that is not a function.
package struct APIValue: Sendable {
    package let name: String
    package let text: String
    package let example: APIExample

    package static let all = [
        APIValue(
            name: "state",
            text:
                "Plain data of the scripts, which a reload keeps. A table that is read from `router.state` cannot be changed: assign a new table.",
            example: APIExample(
                lua: """
                    router.export("visit", function()
                      router.state.visits = (router.state.visits or 0) + 1
                    end)
                    """,
                steps: ["call visit", "reload", "call visit", "expect state.visits = 2"]
            )
        ),
        APIValue(
            name: "later",
            text: "The second result of a worker that returns a value now and calls `done` later.",
            example: APIExample(
                lua: """
                    router.registerTask("Cart", "send", function(info, done)
                      router.delay(5, function() done(true, { sent = info.count }) end)
                      return "sending", router.later
                    end)
                    """,
                steps: ["doTask Cart/send(count=2)", "advance 5s", "expect done"]
            )
        ),
        APIValue(
            name: "next",
            text:
                "A value that `prepare` or `build` returns to continue the navigation with the next route that matches the URL.",
            example: APIExample(
                lua: """
                    router.register("Show", "special", {
                      url = "/shows/100",
                      build = function() return router.next end,
                    })
                    """,
                steps: ["open podcast://shows/100", "expect top Show(id=100)"]
            )
        ),
    ]
}
