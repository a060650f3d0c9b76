// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

extension DocumentSchema {
    /// All documents: those that the command writes, then those that it reads.
    package static let all: [DocumentSchema] = [
        written("run", "the results of 'run --json'", run(hasScenarios: true)),
        DocumentSchema(
            name: "lines",
            help: "a line of 'run --json=lines'",
            objects: [
                line(
                    "lines",
                    "scenario",
                    scenario.fields + [
                        .required("seconds", .number, "The time that it took.")
                    ]
                ),
                line("lines", "end", run(hasScenarios: false)),
            ]
        ),
        written(
            "list",
            "the scenarios of 'run --list --json'",
            [
                .required("scenarios", .list(.object(listed)), "The scenarios that would run.")
            ]
        ),
        DocumentSchema(name: "watch", help: "a line of 'watch --json'", objects: watch),
        written(
            "check",
            "the findings of 'check --json'",
            [
                .required("files", .list(.object(checkedFile)), "The scripts and scenario files."),
                diagnostics,
                .required(
                    "counts",
                    .object(
                        DocumentObject(
                            name: "findings",
                            fields: [
                                .required("errors", .integer, "The number of errors."),
                                .required("warnings", .integer, "The number of warnings."),
                            ]
                        )
                    ),
                    "The numbers of findings."
                ),
                exitCode,
            ]
        ),
        written(
            "routes",
            "the declarations of 'routes --json'",
            [
                script,
                .required("routes", .list(.object(route)), "The routes, in the order of matching."),
                .required("classes", .list(.object(screenClass)), "The classes of screens."),
                .required("gates", texts, "The gates."),
                .required("exports", texts, "The exported functions."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "routes-diff",
            "the changes of 'routes --diff --json'",
            [
                script, other,
                .required("added", .list(.object(route)), "The new routes."),
                .required("removed", .list(.object(route)), "The routes that are gone."),
                .required("changed", .list(.object(changedRoute)), "The routes with other values."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "explain",
            "the explanations of 'explain --json'",
            [
                script,
                .required("targets", .list(.object(explained)), "The targets, in their order."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "explain-diff",
            "the changes of 'explain --diff --json'",
            [
                script, other,
                .required("changes", .list(.object(changedTarget)), "The targets that changed."),
                .required("targets", .integer, "The number of all targets."),
                .required("counts", .map(.integer), "The numbers of changes by kind."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "graph",
            "the graph of 'graph --json'",
            [
                script,
                .required("nodes", .list(.object(node)), "The routes, screens and steps."),
                .required("edges", .list(.object(edge)), "The arrows."),
                .required("groups", .list(.object(group)), "The stacks and tabs."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "explore",
            "the findings of 'explore --json', which '--baseline' reads",
            [
                .required("explorations", .list(.object(exploration)), "The searches."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "links",
            "the file of 'links --json'",
            [
                script,
                .required("text", .orNull(.text), "The file; null if no URL is for the platform."),
                .required("notes", texts, "The patterns that are left out."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "types",
            "the outcome of 'types --json'",
            [
                .required("script", .orNull(.text), "The scripts."),
                .required("file", .orNull(.text), "The path of the first file."),
                .required("outcome", .orNull(.words(outcomes)), "The outcome of the first file."),
                .required("files", .list(.object(typesFile)), "The files."),
                diagnostics, exitCode,
            ]
        ),
        DocumentSchema(name: "events", help: "a line of an event stream", objects: events),
        DocumentSchema(
            name: "project",
            help: "the file 'luaroute.json' of a project",
            objects: [ProjectFile.shape]
        ),
        DocumentSchema(
            name: "host",
            help: "the manifest of a host, 'host.json'",
            objects: [host]
        ),
        DocumentSchema(
            name: "capabilities",
            help: "the file of '--capabilities'",
            objects: [
                DocumentObject(
                    name: "capabilities",
                    fields: [schema("capabilities")] + capabilities,
                    isClosed: true
                )
            ]
        ),
    ]

    // MARK: Parts of several documents

    private static let texts = DocumentShape.list(.text)

    private static func schema(_ name: String) -> DocumentObject.Field {
        .required(
            "schema",
            .constant("luaroute.\(name)/1"),
            "The kind and version of the document."
        )
    }

    private static func written(
        _ name: String,
        _ help: String,
        _ fields: [DocumentObject.Field]
    ) -> DocumentSchema {
        let object = DocumentObject(name: name, fields: [schema(name)] + fields)
        return DocumentSchema(name: name, help: help, objects: [object])
    }

    /// Returns the object of a line, whose field `kind` has the name.
    private static func line(
        _ schemaName: String,
        _ kind: String,
        _ fields: [DocumentObject.Field]
    ) -> DocumentObject {
        let kindField = DocumentObject.Field.required("kind", .constant(kind), "The kind of line.")
        return DocumentObject(name: kind, fields: [schema(schemaName), kindField] + fields)
    }

    private static let script = DocumentObject.Field.required("script", .text, "The scripts.")
    private static let other = DocumentObject.Field.required("other", .text, "The older scripts.")
    private static let exitCode = DocumentObject.Field.required(
        "exitCode",
        .integer,
        "The exit code of the process."
    )
    private static let diagnostics = DocumentObject.Field.required(
        "diagnostics",
        .list(.object(diagnostic)),
        "The errors and warnings that belong to nothing else."
    )

    private static let location = DocumentObject(
        name: "location",
        fields: [
            .required("file", .text, "The path."),
            .required("line", .integer, "The line, from 1."),
            .required("column", .integer, "The column, from 1."),
            .required("length", .integer, "The number of characters."),
        ]
    )

    private static let note = DocumentObject(
        name: "note",
        fields: [
            .required("topic", .text, "The word before the text, such as 'help'."),
            .required("text", .text, "The text."),
        ]
    )

    private static let diagnostic = DocumentObject(
        name: "diagnostic",
        fields: [
            .required("code", .text, "The code, which 'luaroute doc' explains."),
            .required("severity", .words(["error", "warning"]), "How bad it is."),
            .required("message", .text, "The problem, in one sentence."),
            .optional("label", .text, "The text beside the location."),
            .optional("location", .object(location), "Where it is."),
            .required("details", .list(.object(note)), "Values, such as expected and actual ones."),
            .required("related", .list(.object(related)), "Other locations."),
            .required("notes", .list(.object(note)), "Causes and remedies."),
        ]
    )

    private static let related = DocumentObject(
        name: "related",
        fields: [
            .optional("label", .text, "The text beside the location."),
            .required("location", .object(location), "Where it is."),
        ]
    )

    private static let source = DocumentShape.orNull(
        .object(
            DocumentObject(
                name: "source",
                fields: [
                    .required("file", .text, "The path."),
                    .required("line", .integer, "The line, from 1."),
                ]
            )
        )
    )

    // MARK: Runs

    private static let listed = DocumentObject(
        name: "listed",
        fields: [
            .required("name", .text, "The name."),
            .required("tags", texts, "The tags, without '@'."),
            .required("file", .text, "The path of the file."),
            .required("line", .integer, "The line of the heading, or of the row."),
            .optional("record", .integer, "The number of the record of a table in another file."),
        ]
    )

    private static let scenario = DocumentObject(
        name: "scenario",
        fields: listed.fields + [
            .required(
                "outcome",
                .words(ScenarioReport.Outcome.allCases.map(\.rawValue)),
                "The outcome."
            ),
            .required("failures", .list(.object(diagnostic)), "The failures."),
            .optional("issue", .text, "The issue of the mark 'known'."),
            .optional("knownFailures", .list(.object(diagnostic)), "The failures of that issue."),
            .required("warnings", .list(.object(diagnostic)), "The warnings."),
            .required("notes", texts, "The texts of the steps 'note' and 'show'."),
        ]
    )

    private static func run(
        hasScenarios: Bool,
        hasCoverage: Bool = true
    ) -> [DocumentObject.Field] {
        let file = DocumentObject(
            name: "file",
            fields: [
                .required("file", .text, "The path."),
                .required("diagnostics", .list(.object(diagnostic)), "Why it did not run."),
                .required("failures", .list(.object(diagnostic)), "Failures of no one scenario."),
            ]
        )
        let counts =
            ScenarioReport.Outcome.allCases.map(\.rawValue)
            + ["notRun", "filesNotRun", "filesFailed", "warnings"]
        let list = DocumentShape.list(.object(scenario))
        return [.required("files", .list(.object(file)), "The files, in the order of the run.")]
            + (hasScenarios ? [.required("scenarios", list, "The scenarios that ended.")] : [])
            + [diagnostics] + (hasCoverage ? [reached] : [])
            + [
                .required(
                    "counts",
                    .object(
                        DocumentObject(
                            name: "counts",
                            fields: counts.map { .required($0, .integer, "How many.") }
                        )
                    ),
                    "The numbers of scenarios, files and warnings."
                ),
                exitCode,
            ]
    }

    private static let reached = DocumentObject.Field.optional(
        "coverage",
        .object(coverage),
        "What the scenarios reached."
    )

    private static let coverage = DocumentObject(
        name: "coverage",
        fields: [
            .required(
                "parts",
                .list(
                    .object(
                        DocumentObject(
                            name: "part",
                            fields: [
                                .required("kind", .text, "The kind of part, such as 'route'."),
                                .required("name", .text, "The name."),
                                .optional("file", .text, "The path of the script."),
                                .optional("line", .integer, "The line of the declaration."),
                                .required("scenarios", .integer, "How many reached it."),
                            ]
                        )
                    )
                ),
                "The routes and other parts of the scripts."
            ),
            .required(
                "files",
                .list(
                    .object(
                        DocumentObject(
                            name: "coveredFile",
                            fields: [
                                .required("file", .text, "The path of the script."),
                                .required("lines", .integer, "The number of lines with code."),
                                .required("reached", .integer, "The number of those that ran."),
                                .required("missed", .list(.integer), "The lines that did not."),
                            ]
                        )
                    )
                ),
                "The scripts."
            ),
        ]
    )

    private static let watch = [
        line(
            "watch",
            "reload",
            [
                script,
                .required("status", .words(["accepted", "rejected"]), "The result."),
                .required("generation", .orNull(.integer), "The active generation."),
                .required("milliseconds", .number, "The time that it took."),
                .optional("digest", .text, "The digest of the scripts."),
                .optional("added", texts, "The new routes."),
                .optional("changed", texts, "The changed routes."),
                .optional("removed", texts, "The routes that are gone."),
                .optional("reason", .text, "Why it was rejected."),
                .optional("diagnostics", .list(.object(diagnostic)), "The errors."),
            ]
        ),
        line("watch", "run", run(hasScenarios: true, hasCoverage: false)),
        line(
            "watch",
            "watching",
            [
                .required("files", texts, "The files."),
                .required("folders", texts, "The folders."),
                .optional("polling", .text, "Why files are read each second."),
            ]
        ),
        line(
            "watch",
            "end",
            [
                .required("accepted", .integer, "The number of accepted reloads."),
                .required("rejected", .integer, "The number of rejected reloads."),
                exitCode,
            ]
        ),
    ]

    private static let checkedFile = DocumentObject(
        name: "file",
        fields: [
            .required("file", .text, "The path."),
            .required("kind", .words(["script", "scenarios"]), "What the file is."),
            .required("diagnostics", .list(.object(diagnostic)), "The findings."),
            .optional("fixed", .text, "The path of the entry to which '--fix' added a line."),
            .optional(
                "needs",
                .list(
                    .object(
                        DocumentObject(
                            name: "need",
                            fields: [
                                .required("capability", .text, "The capability."),
                                .optional("name", .text, "What it is for, such as a class."),
                                .optional("file", .text, "The path of the script."),
                                .optional("line", .integer, "The line that needs it."),
                            ]
                        )
                    )
                ),
                "The capabilities that the scripts need."
            ),
        ]
    )

    // MARK: Routes

    /// A word as in scripts, or an object with 'oneOf', 'list' or 'fields'.
    private static let type = DocumentShape.either([.text, .map(.any)])

    private static let route = DocumentObject(
        name: "route",
        fields: [
            .required("name", .text, "The target as 'Service/task', or 'routing'."),
            .required("kind", .words(["screen", "task", "routing"]), "The kind."),
            .required("pattern", .orNull(.text), "The pattern, without absent optional parts."),
            .required("declaredPattern", .orNull(.text), "The pattern as it was declared."),
            .required("aliasOf", .orNull(.text), "The main pattern, of an alias."),
            .required("screen", .orNull(.text), "The class of the screen."),
            .required("reuse", .orNull(.text), "The rule by which a screen is reused."),
            .required("interceptors", texts, "The interceptors, in their order."),
            .required("info", .orNull(.map(type)), "The parameters; null for any."),
            .required("result", .orNull(type), "The type of the result; null for any."),
            .required("source", source, "Where it is declared."),
        ]
    )

    private static let screenClass = DocumentObject(
        name: "class",
        fields: [
            .required("name", .text, "The name."),
            .required("kind", .text, "The kind of screen, such as 'nav'."),
            .required(
                "fields",
                .list(
                    .object(
                        DocumentObject(
                            name: "field",
                            fields: [
                                .required("name", .text, "The name."),
                                .required("type", type, "The type."),
                            ]
                        )
                    )
                ),
                "The fields."
            ),
            .required("source", source, "Where it is declared."),
        ]
    )

    private static let changedRoute = DocumentObject(
        name: "changed",
        fields: [
            .required("name", .text, "The target."),
            .required(
                "changes",
                .list(
                    .object(
                        DocumentObject(
                            name: "change",
                            fields: [
                                .required("column", .text, "The column."),
                                .required("before", .text, "The text before."),
                                .required("after", .text, "The text now."),
                            ]
                        )
                    )
                ),
                "The columns that changed."
            ),
            .required("source", source, "Where it is declared."),
        ]
    )

    private static let match = DocumentObject(
        name: "match",
        fields: [
            .required("parameters", .map(.any), "The parameters read from the URL."),
            .required("route", .object(route), "The route."),
        ]
    )

    private static let explained = DocumentObject(
        name: "target",
        fields: [
            .required("target", .text, "The target as it was given."),
            .required("kind", .text, "The kind, such as 'url'."),
            .required("destination", .orNull(.text), "The route that it leads to."),
            .required("problem", .orNull(.text), "Why it leads nowhere."),
            .optional("rewritten", .text, "The URL after 'router.rewrite'."),
            .required("matches", .list(.object(match)), "The routes that match, best first."),
            .required("routings", .list(.object(match)), "The routings of 'router.dispatch'."),
            .required(
                "misses",
                .list(
                    .object(
                        DocumentObject(
                            name: "miss",
                            fields: [
                                .required(
                                    "segment",
                                    .orNull(.integer),
                                    "The segment that differs."
                                ),
                                .required("reason", .text, "The reason."),
                                .required("route", .object(route), "The route."),
                            ]
                        )
                    )
                ),
                "The routes that nearly match."
            ),
            .required("missesLeftOut", .integer, "The number of further ones."),
            .required("dropped", texts, "The parts of the URL that are ignored."),
            .required("plan", .orNull(.map(.any)), "The dry run, as 'router.explain' returns it."),
        ]
    )

    private static let destination = DocumentObject(
        name: "destination",
        fields: Destination.Part.allCases.map {
            .required($0.rawValue, .orNull(.text), "The part of the destination.")
        }
    )

    private static let changedTarget = DocumentObject(
        name: "change",
        fields: [
            .required("target", .text, "The target."),
            .required(
                "kind",
                .words(DestinationChange.Kind.allCases.map(\.rawValue)),
                "The kind of change."
            ),
            .required("parts", texts, "The parts that changed."),
            .required("was", .object(destination), "The destination before."),
            .required("now", .object(destination), "The destination now."),
        ]
    )

    // MARK: Graphs and searches

    private static let node = DocumentObject(
        name: "node",
        fields: [
            .required("id", .text, "The identifier."),
            .required("kind", .words(RouteGraph.Node.Kind.allCases.map(\.rawValue)), "The kind."),
            .required("title", .text, "The title."),
            .required(
                "patterns",
                .list(
                    .object(
                        DocumentObject(
                            name: "pattern",
                            fields: [
                                .required("pattern", .text, "The pattern."),
                                .required("aliasOf", .orNull(.text), "The main one, of an alias."),
                            ]
                        )
                    )
                ),
                "The URL patterns."
            ),
            .required("screens", texts, "The classes of the screens."),
            .required("interceptors", texts, "The interceptors."),
            .required("note", .orNull(.text), "A remark."),
            .required("group", .orNull(.integer), "The index of its group."),
            .required("source", source, "Where it is declared."),
        ]
    )

    private static let edge = DocumentObject(
        name: "edge",
        fields: [
            .required("from", .text, "The identifier of a node."),
            .required("to", .text, "The identifier of a node."),
            .required("kind", .text, "The kind, such as 'redirect'."),
            .required("label", .orNull(.text), "The action, unless it is 'push'."),
        ]
    )

    private static let group = DocumentObject(
        name: "group",
        fields: [
            .required("title", .text, "The title."),
            .required("kind", .text, "The kind of container."),
            .required("parent", .orNull(.integer), "The index of the group around it."),
        ]
    )

    private static let exploration = DocumentObject(
        name: "exploration",
        fields: [
            .required("name", .text, "The name of the block, or of the scripts."),
            .required("path", .text, "The path."),
            .required("line", .orNull(.integer), "The line of the block."),
            .required("states", .integer, "The number of states."),
            .required("steps", .integer, "The number of steps."),
            .required("depth", .integer, "The number of steps to the furthest state."),
            .required("ending", .text, "Why the search ended, such as 'complete'."),
            .required("isExhausted", .boolean, "Whether there are no further states."),
            .required(
                "findings",
                .list(
                    .object(
                        DocumentObject(
                            name: "finding",
                            fields: [
                                .required("code", .text, "The code."),
                                .required("severity", .words(["error", "warning"]), "How bad."),
                                .required("title", .text, "The finding, in one sentence."),
                                .required("key", .text, "What a baseline knows it by."),
                                .required("steps", texts, "The shortest steps to it."),
                                .required("details", texts, "More about it."),
                                .required("file", .orNull(.text), "The scenario that has it."),
                                .required("isKnown", .boolean, "Whether the baseline has it."),
                            ]
                        )
                    )
                ),
                "The findings."
            ),
            .required("notReproduced", texts, "What did not occur again."),
            .required("notExplored", texts, "What could not be tried."),
            .required("notEntered", texts, "The routes that no step reached."),
            .required("notSeen", texts, "The classes that were never on screen."),
        ]
    )

    private static let outcomes = ["written", "unchanged", "stale", "printed", "failed"]

    private static let typesFile = DocumentObject(
        name: "file",
        fields: [
            .required("language", .words(["swift", "lua"]), "The language."),
            .required("file", .text, "The path."),
            .required("outcome", .words(outcomes), "What was done."),
        ]
    )

    private static let events = [
        DocumentObject(
            name: "header",
            fields: [
                schema("events"),
                .optional("scenario", .text, "The name of the scenario."),
                .optional("location", .text, "Its location."),
                .optional("script", .text, "The scripts."),
            ],
            others: .any
        ),
        DocumentObject(
            name: "event",
            fields: [
                .required("seq", .integer, "The number of the event."),
                .required("time", .number, "The time, in seconds since 1970."),
                .optional("navigation", .integer, "The number of the navigation."),
                .optional("parent", .integer, "The number of the navigation that began it."),
                .required("generation", .integer, "The generation of the scripts."),
                .optional("location", .text, "The line of a script that caused it."),
                .required("kind", .text, "The kind, whose further fields 'luaroute doc' lists."),
            ],
            others: .any
        ),
    ]

    // MARK: Documents to read

    private static let capabilities: [DocumentObject.Field] = [
        .optional("screens", texts, "The classes that scripts may show."),
        .optional("tasks", texts, "The tasks that scripts may call, as 'Service/task'."),
        .optional("urls", texts, "The origins whose URLs scripts may claim."),
        .optional("tree", texts, "The changes of the tree, such as 'push' or 'windows(2)'."),
        .optional("leaving", .boolean, "Whether scripts may ask before screens are left."),
        .optional("interceptAll", .boolean, "Whether scripts may intercept all routes."),
        .optional("timeout", .number, "The longest timeout, in seconds."),
        .optional("timers", numbers("timers", ["count", "period"]), "The limits of timers."),
        .optional(
            "rates",
            numbers("rates", ["navigations", "presents", "logBytes", "events"]),
            "The limits in a second."
        ),
        .optional("time", numbers("time", ["turn", "second"]), "The limits of time, in seconds."),
        .optional("memory", .integer, "The limit of memory, in bytes."),
        .optional("pending", .integer, "The limit of pending work."),
    ]

    private static func numbers(_ name: String, _ keys: [String]) -> DocumentShape {
        let fields = keys.map { DocumentObject.Field.optional($0, .number, "The limit.") }
        return .object(DocumentObject(name: name, fields: fields, isClosed: true))
    }

    private static let names = DocumentShape.either([texts, .map(.map(.any))])

    private static let host = DocumentObject(
        name: "host",
        fields: [
            schema("host"),
            .optional("tasks", names, "The tasks that the app performs, as 'Service/task'."),
            .optional(
                "screens",
                .either([
                    texts,
                    .map(
                        .object(
                            DocumentObject(
                                name: "screenClass",
                                fields: [
                                    .optional("kind", .text, "The kind of screen."),
                                    .optional("fields", texts, "The fields that it shows."),
                                ],
                                isClosed: true
                            )
                        )
                    ),
                ]),
                "The classes of the screens that the app shows."
            ),
            .optional("dependencies", names, "The dependencies that the app provides."),
            .optional("styles", names, "The presentation styles of the app."),
            .optional(
                "capabilities",
                .object(
                    DocumentObject(
                        name: "capabilities",
                        fields: [.optional("schema", .text, "Ignored.")] + capabilities,
                        isClosed: true
                    )
                ),
                "The rights of the scripts."
            ),
        ],
        isClosed: true
    )
}
