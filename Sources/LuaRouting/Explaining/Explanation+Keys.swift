// SPDX-License-Identifier: MIT

extension Explanation {
    /// The keys of ``table``, for documentation.
    static let keys: [(name: String, text: String)] = [
        ("kind", "`target`, `url` or `routeString`"),
        ("text", "what was asked for, as it came"),
        ("service", "the service of the target"),
        ("task", "its task"),
        ("info", "the parameters, as they were converted"),
        ("origin", "who asks"),
        ("window", "the name of the window"),
        (
            "outcome",
            "how it would end, if all interceptors let it pass: `done` `joined` `pending` `failed`"
        ),
        ("waitsFor", "where it would wait: a gate, or `turn`"),
        (
            "failure",
            "why it would fail: `{ phase =, code =, message =, place =, step =, certain = }`; the phase is `match` `queue` `resolve` `plan` `stage` or `dismissible`; it is not certain where a script wants the value of a call that is not run"
        ),
        (
            "turn",
            "what others that are pending mean for it: `{ state =, others = { … } }`; the state is `now` `waits` `joins` `supersedes` or `busy`"
        ),
        (
            "detours",
            "the routes that are passed over: a list of `{ reason =, route =, place =, taken = }`; the reason is `disabled` `next` or `unknown`"
        ),
        ("route", "the route that is taken, as `service/task`"),
        ("place", "the line that declares it"),
        ("gates", "a list of `{ name =, open =, route = }`"),
        (
            "needs",
            "a list of `{ name =, state =, route = }`; the state is `there` `made` `host` or `missing`"
        ),
        (
            "interceptors",
            "what would be asked, in order: a list of `{ kind =, name =, of =, place =, timeout = }`; the kind is `search` `every` `step` or `leaving`"
        ),
        ("start", "the screen where the way begins, in tree notation"),
        ("startedBy", "what found it: `find` `reuse` `from`"),
        (
            "steps",
            "from the target backwards: a list of `{ route =, place =, info =, action =, outcome =, by =, screen =, container =, searches =, choices = }`; the outcome is `found` `built` `reused` `foundAfter` or `passes`; a search is `{ purpose =, finder =, visits = { { screen =, reason = } }, more =, found =, note = }`, a choice `{ case =, place = }`"
        ),
        ("built", "the screens that would be made: a list of `{ screen =, place = }`"),
        ("updated", "the screens whose `update` would run, likewise"),
        ("leaving", "the screens that would go: a list of `{ screen =, asked = }`"),
        (
            "operations",
            "what the host would be told: a list of texts such as `push(Show(id=1))`; none if it would fail"
        ),
        ("before", "what the window shows, in tree notation"),
        ("after", "what it would show; absent if it would fail"),
        ("windows", "every window: a list of `{ name =, before =, after = }`"),
        ("afterRuns", "the screens whose `after` would run: a list of `{ screen =, place = }`"),
        (
            "calls",
            "what scripts called for and what is not run: a list of `{ kind =, call =, place = }`; the kind is `task` `navigation` `timer` or `other`"
        ),
        ("log", "what would be written to the log: a list of `{ level =, message =, place = }`"),
        (
            "matches",
            "of a URL, best first: a list of `{ service =, task =, pattern =, place =, params = }`"
        ),
        (
            "misses",
            "of a URL, nearest first: a list of `{ service =, task =, pattern =, place =, segment =, reason = }`"
        ),
        (
            "routings",
            "of a URL, what `router.dispatch` finds, best first: a list of `{ pattern =, place =, params =, action = }`"
        ),
        (
            "routingMisses",
            "of a URL, the routings it nearly matches: a list of `{ pattern =, place =, segment =, reason = }`"
        ),
        ("missesLeftOut", "of a URL: how many more it comes near"),
        ("dropped", "of a URL: what of it takes no part"),
    ]
}
