// SPDX-License-Identifier: MIT

extension Event.Kind {
    /// The description of the kind and the names of its fields, for documentation.
    package var reference: (help: String, fields: [String]) {
        switch self {
        case .navigate:
            (
                "a navigation began. `url` or `route` is the link that it opens, and `rewritten` is the URL after `router.rewrite`. `verb` names a request that is neither a link nor a target, such as `back`. If the app began the navigation, the event also has the parameters and options of the request. `nested` is true if the app began it within a call by the router, such as a completion handler",
                [
                    "url", "rewritten", "route", "service", "task", "defined", "verb", "origin",
                    "info", "name",
                    "number", "screen", "value", "tree", "via", "from", "options", "nested",
                ]
            )
        case .joined:
            (
                "a navigation was coalesced with an identical pending navigation, whose number is `leader`",
                ["leader"]
            )
        case .gate: ("a navigation waits at a gate", ["name"])
        case .wait:
            (
                "a navigation waits. `name` is `turn`, `intercept` (an interceptor has not decided), `question` or `dialog`. A question or dialog belongs to another navigation, which `of` names",
                ["name", "of"]
            )
        case .intercept: ("an interceptor is called", ["name"])
        case .plan:
            (
                "a navigation is planned. `found` is the screen where the plan starts, `steps` are its steps, and `cases` are the chosen cases of switches",
                ["found", "steps", "cases"]
            )
        case .replan:
            (
                "a navigation is planned again, because an interceptor waited or changed something",
                []
            )
        case .redirect:
            (
                "a navigation is redirected by an interceptor, by `router.next`, or by the declaration of a route, in which case `route` names that route",
                ["route", "service", "task"]
            )
        case .fallback:
            (
                "the feature flag of `route` is off, and its fallback is used",
                ["route", "service", "task"]
            )
        case .find: ("a step found an existing screen", ["by", "class", "screen"])
        case .build:
            (
                "a screen was built. `route` is the screen's route if another route builds the tree",
                ["route", "class", "screen"]
            )
        case .update: ("a screen is updated for a navigation", ["class", "screen"])
        case .stage:
            (
                "the screens of a navigation are placed and can still be rolled back. `operations` lists the operations, such as `push` or `present(style=\"sheet\")`. If a deep link closes dialogs, `leaves` lists their navigations",
                ["operations", "leaves"]
            )
        case .commit:
            (
                "the transaction is committed: the new tree is current, and the host applies it",
                ["operations", "revision"]
            )
        case .after: ("the `after` function of a route starts", ["class", "screen"])
        case .done: ("a navigation succeeded", [])
        case .failed: ("a navigation failed, and changed nothing", ["code", "message"])
        case .stayed: ("a navigation ended without changing the tree", ["reason"])
        case .cancelled: ("a navigation was cancelled", ["code", "message"])
        case .shown:
            (
                "another screen became visible in a window",
                ["window", "screen", "previous", "cause"]
            )
        case .reselected: ("the user tapped the selected tab", ["window", "tabs", "screen"])
        case .created: ("a screen was added to the tree", ["class", "screen"])
        case .reused: ("the target of a navigation is an existing screen", ["class", "screen"])
        case .removed: ("a screen was removed from the tree", ["class", "screen"])
        case .task:
            (
                "a task began (with `info`) or ended (with `finished`, or with `code` and `message`)",
                [
                    "id", "service", "task", "phase", "info", "timeout", "nested", "finished",
                    "code", "message",
                ]
            )
        case .timer: ("the time of a `router.delay` has come", [])
        case .reload:
            (
                "a reload was accepted, or rejected with `reason` and `errors`",
                [
                    "status", "digest", "milliseconds", "added", "changed", "removed", "reason",
                    "errors",
                ]
            )
        case .restore:
            (
                "a snapshot was restored. `lost` lists the first 100 screens that were not restored, with `path` and `reason`. `trees`, `state` and `gates` are the restored values",
                ["windows", "screens", "lost", "trees", "state", "gates", "links"]
            )
        case .rewind:
            (
                "the router went back to a checkpoint. The event has the number of the last event before the checkpoint, and scripts are not notified",
                []
            )
        case .link:
            (
                "a dispatched deep link changed its phase or ended",
                [
                    "id", "phase", "url", "pattern", "key", "pathParameters", "queryParameters",
                    "result", "rewritten",
                    "links", "code", "message",
                ]
            )
        case .host:
            (
                "the app called the router, or the host answered late or with an error. `act` is "
                    + "`answer`, `back`, `cancel`, `complete`, `dispatch`, `given`, `ready`, "
                    + "`reload`, `report`, `set`, `shutDown` or `unready`",
                [
                    "act", "id", "request", "name", "value", "window", "tree", "reports",
                    "service", "task", "finished", "info", "url", "timeout", "origin", "key",
                    "persist", "path", "revision", "late", "handled", "message", "nested",
                ]
            )
        case .call:
            (
                "a function that the app called began (with `info`) or ended",
                ["id", "name", "phase", "info", "nested", "code", "message"]
            )
        case .log: ("a script or the router logged a message", ["level", "message"])
        case .slow:
            (
                "a Lua function used more than a tenth of its instruction budget, which is `limit`",
                ["instructions", "limit"]
            )
        case .breach:
            (
                "scripts exceeded their capabilities. `suspended` is whether the timers and listeners of the scripts are suspended",
                ["capability", "code", "message", "suspended"]
            )
        }
    }
}
