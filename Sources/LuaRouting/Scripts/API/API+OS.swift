// SPDX-License-Identifier: MIT

internal import LuaVM
internal import SystemGaps

/// The functions of `os`, which use the router's clock.
extension APIFunction {
    /// Returns the functions of `os` in a profile.
    static func os(_ profile: ScriptProfile) -> [APIFunction] {
        profile == .trusted ? os + [environment] : os
    }

    /// The function that only scripts with the profile `trusted` may call.
    private static let environment = APIFunction(
        "getenv",
        "Returns the value of an environment variable, or nil if the variable is not set. Exists only in the profile `trusted`.",
        parameters: [.required("name", .string, text: "the name of the variable")],
        results: "string or nil",
        example: """
            local home = os.getenv "HOME"
            assert(home == nil or #home > 0)
            """
    ) { _, arguments in
        let name = arguments.text(0)
        guard !name.utf8.contains(0), let value = getenv(name) else { return [.value(.nil)] }
        return [.value(Value(String(cString: value)))]
    }

    static let os: [APIFunction] = [
        APIFunction(
            "time",
            "Returns the seconds since 1970 of a date in UTC; without a date, of the current time.",
            parameters: [
                .optional(
                    "date",
                    .table,
                    text:
                        "the fields `year`, `month` and `day`, and optionally `hour`, `min` and `sec`"
                )
            ],
            results: "integer",
            example: """
                assert(os.time { year = 2026, month = 1, day = 1, hour = 0 } == 1767225600)
                """
        ) { generation, arguments in
            guard case .table(let date) = arguments[0] else {
                return [.value(.integer(generation.router.wholeSeconds))]
            }
            return [.value(.integer(try ScriptClock.time(date)))]
        },
        APIFunction(
            "clock",
            "Returns the seconds since the router was created.",
            results: "number",
            example: "assert(os.clock() >= 0)"
        ) {
            generation,
            _ in
            let router = generation.router
            return [.value(.number(router.now - router.startTime))]
        },
        APIFunction(
            "date",
            "Returns a time in UTC, as text or as a table.",
            parameters: [
                .optional(
                    "format",
                    .string,
                    text: "a format as in C's `strftime`, or `*t` for a table; default `%c`"
                ),
                .optional("time", .integer, text: "the time, in seconds since 1970; default: now"),
            ],
            results: "string or table",
            example: "assert(os.date(\"%Y-%m-%d\", 1767225600) == \"2026-01-01\")"
        ) { generation, arguments in
            let time = arguments[1].integer ?? generation.router.wholeSeconds
            return [.value(try ScriptClock.date(arguments[0].text ?? "%c", time))]
        },
        APIFunction(
            "difftime",
            "Returns the number of seconds between two times.",
            parameters: [
                .required("later", .number, text: "the later time, in seconds since 1970"),
                .required("earlier", .number, text: "the earlier time, in seconds since 1970"),
            ],
            results: "number",
            example: "assert(os.difftime(1767225610, 1767225600) == 10.0)"
        ) { _, arguments in
            [.value(.number((arguments[0].double ?? 0) - (arguments[1].double ?? 0)))]
        },
    ]
}
