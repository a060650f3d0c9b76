// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

extension DocumentSchema {
    /// All documents: those that the command writes, then those that it reads.
    package static let all: [DocumentSchema] = [
        written("run", help: "the results of 'run --json'", fields: run(hasScenarios: true)),
        DocumentSchema(
            name: "lines",
            help: "a line of 'run --json=lines'",
            objects: [
                line(
                    "lines",
                    kind: "scenario",
                    fields: scenario.fields + [
                        .required("seconds", .number, help: "The time that it took.")
                    ]
                ),
                line("lines", kind: "end", fields: run(hasScenarios: false)),
            ]
        ),
        written(
            "list",
            help: "the scenarios of 'run --list --json'",
            fields: [
                .required(
                    "scenarios",
                    .list(.object(listed)),
                    help: "The scenarios that would run."
                )
            ]
        ),
        DocumentSchema(name: "watch", help: "a line of 'watch --json'", objects: watch),
        written(
            "check",
            help: "the findings of 'check --json'",
            fields: [
                .required(
                    "files",
                    .list(.object(checkedFile)),
                    help: "The scripts and scenario files."
                ),
                diagnostics,
                .required(
                    "counts",
                    .object(
                        DocumentObject(
                            name: "findings",
                            fields: [
                                .required("errors", .integer, help: "The number of errors."),
                                .required("warnings", .integer, help: "The number of warnings."),
                            ]
                        )
                    ),
                    help: "The numbers of findings."
                ),
                exitCode,
            ]
        ),
        written(
            "routes",
            help: "the declarations of 'routes --json'",
            fields: [
                script,
                .required(
                    "routes",
                    .list(.object(route)),
                    help: "The routes, in the order of matching."
                ),
                .required("classes", .list(.object(screenClass)), help: "The classes of screens."),
                .required("gates", texts, help: "The gates."),
                .required("exports", texts, help: "The exported functions."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "routes-diff",
            help: "the changes of 'routes --diff --json'",
            fields: [script, other] + changedRoutes(isOptional: false) + [diagnostics, exitCode]
        ),
        written(
            "explain",
            help: "the explanations of 'explain --json'",
            fields: [
                script,
                .required(
                    "targets",
                    .list(.object(explained)),
                    help: "The targets, in their order."
                ),
                diagnostics, exitCode,
            ]
        ),
        written(
            "explain-diff",
            help: "the changes of 'explain --diff --json'",
            fields: [
                script, other,
                .required(
                    "changes",
                    .list(.object(changedTarget)),
                    help: "The targets that changed."
                ),
                .required("targets", .integer, help: "The number of all targets."),
                .required("counts", .map(.integer), help: "The numbers of changes by kind."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "graph",
            help: "the graph of 'graph --json'",
            fields: [
                script,
                .required("nodes", .list(.object(node)), help: "The routes, screens and steps."),
                .required("edges", .list(.object(edge)), help: "The arrows."),
                .required("groups", .list(.object(group)), help: "The stacks and tabs."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "explore",
            help: "the findings of 'explore --json', which '--baseline' reads",
            fields: [
                .required("explorations", .list(.object(exploration)), help: "The searches."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "links",
            help: "the file of 'links --json'",
            fields: [
                script,
                .required(
                    "text",
                    .orNull(.text),
                    help: "The file; null if no URL is for the platform."
                ),
                .required("notes", texts, help: "The patterns that are left out."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "types",
            help: "the outcome of 'types --json'",
            fields: [
                .required("script", .orNull(.text), help: "The scripts."),
                .required("file", .orNull(.text), help: "The path of the first file."),
                .required(
                    "outcome",
                    .orNull(.words(outcomes)),
                    help: "The outcome of the first file."
                ),
                .required("files", .list(.object(typesFile)), help: "The files."),
                diagnostics, exitCode,
            ]
        ),
        written(
            "bundle-verify",
            help: "the outcome of 'bundle verify --json'",
            fields: [
                bundle, .optional("name", .text, help: "The name in the manifest."),
                .optional("version", .integer, help: "The version in the manifest."),
                digest, signer, diagnostics, exitCode,
            ]
        ),
        written(
            "bundle-inspect",
            help: "the manifest of 'bundle inspect --json'",
            fields: [
                bundle, digest, signer, verified, diagnostics, exitCode,
                .optional("manifest", .object(manifest), help: "The manifest, as in the bundle."),
            ]
        ),
        written(
            "bundle-diff",
            help: "the changes of 'bundle diff --json'",
            fields: [
                .required("old", .text, help: "The older bundle."),
                .required("new", .text, help: "The newer bundle."), verified,
            ] + changedRoutes(isOptional: true) + [
                .optional(
                    "links",
                    .list(.object(changedTarget)),
                    help: "The links that changed."
                ),
                .optional("gained", texts, help: "The capabilities that only the newer asks for."),
                .optional("lost", texts, help: "The capabilities that only the older asks for."),
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
            help: "The kind and version of the document."
        )
    }

    private static func written(
        _ name: String,
        help: String,
        fields: [DocumentObject.Field]
    ) -> DocumentSchema {
        let object = DocumentObject(name: name, fields: [schema(name)] + fields)
        return DocumentSchema(name: name, help: help, objects: [object])
    }

    /// Returns the object of a line, whose field `kind` has the name.
    private static func line(
        _ schemaName: String,
        kind: String,
        fields: [DocumentObject.Field]
    ) -> DocumentObject {
        let kindField = DocumentObject.Field.required(
            "kind",
            .constant(kind),
            help: "The kind of line."
        )
        return DocumentObject(name: kind, fields: [schema(schemaName), kindField] + fields)
    }

    private static let script = DocumentObject.Field.required("script", .text, help: "The scripts.")
    private static let other = DocumentObject.Field.required(
        "other",
        .text,
        help: "The older scripts."
    )
    private static let exitCode = DocumentObject.Field.required(
        "exitCode",
        .integer,
        help: "The exit code of the process."
    )
    private static let diagnostics = DocumentObject.Field.required(
        "diagnostics",
        .list(.object(diagnostic)),
        help: "The errors and warnings that belong to nothing else."
    )

    private static let location = DocumentObject(
        name: "location",
        fields: [
            .required("file", .text, help: "The path."),
            .required("line", .integer, help: "The line, from 1."),
            .required("column", .integer, help: "The column, from 1."),
            .required("length", .integer, help: "The number of characters."),
        ]
    )

    private static let note = DocumentObject(
        name: "note",
        fields: [
            .required("topic", .text, help: "The word before the text, such as 'help'."),
            .required("text", .text, help: "The text."),
        ]
    )

    private static let diagnostic = DocumentObject(
        name: "diagnostic",
        fields: [
            .required("code", .text, help: "The code, which 'luaroute doc' explains."),
            .required("severity", .words(["error", "warning"]), help: "The severity."),
            .required("message", .text, help: "The problem, in one sentence."),
            .optional("label", .text, help: "The text beside the location."),
            .optional("location", .object(location), help: "Where it is."),
            .required(
                "details",
                .list(.object(note)),
                help: "Values, such as expected and actual ones."
            ),
            .required("related", .list(.object(related)), help: "Other locations."),
            .required("notes", .list(.object(note)), help: "Causes and remedies."),
        ]
    )

    private static let related = DocumentObject(
        name: "related",
        fields: [
            .optional("label", .text, help: "The text beside the location."),
            .required("location", .object(location), help: "Where it is."),
        ]
    )

    private static let source = DocumentShape.orNull(
        .object(
            DocumentObject(
                name: "source",
                fields: [
                    .required("file", .text, help: "The path."),
                    .required("line", .integer, help: "The line, from 1."),
                ]
            )
        )
    )

    // MARK: Runs

    private static let listed = DocumentObject(
        name: "listed",
        fields: [
            .required("name", .text, help: "The name."),
            .required("tags", texts, help: "The tags, without '@'."),
            .required("file", .text, help: "The path of the file."),
            .required("line", .integer, help: "The line of the heading, or of the row."),
            .optional(
                "record",
                .integer,
                help: "The number of the record of a table in another file."
            ),
        ]
    )

    private static let scenario = DocumentObject(
        name: "scenario",
        fields: listed.fields + [
            .required(
                "outcome",
                .words(ScenarioReport.Outcome.allCases.map(\.rawValue)),
                help: "The outcome."
            ),
            .required("failures", .list(.object(diagnostic)), help: "The failures."),
            .optional("issue", .text, help: "The issue of the mark 'known'."),
            .optional(
                "knownFailures",
                .list(.object(diagnostic)),
                help: "The failures of that issue."
            ),
            .required("warnings", .list(.object(diagnostic)), help: "The warnings."),
            .required("notes", texts, help: "The texts of the steps 'note' and 'show'."),
        ]
    )

    private static func run(
        hasScenarios: Bool,
        hasCoverage: Bool = true
    ) -> [DocumentObject.Field] {
        let file = DocumentObject(
            name: "file",
            fields: [
                .required("file", .text, help: "The path."),
                .required("diagnostics", .list(.object(diagnostic)), help: "Why it did not run."),
                .required(
                    "failures",
                    .list(.object(diagnostic)),
                    help: "Failures that belong to no single scenario."
                ),
            ]
        )
        let counts =
            ScenarioReport.Outcome.allCases.map(\.rawValue)
            + ["notRun", "filesNotRun", "filesFailed", "warnings"]
        let list = DocumentShape.list(.object(scenario))
        return [
            .required("files", .list(.object(file)), help: "The files, in the order of the run.")
        ]
            + (hasScenarios
                ? [.required("scenarios", list, help: "The scenarios that ended.")] : [])
            + [diagnostics] + (hasCoverage ? [reached] : [])
            + [
                .required(
                    "counts",
                    .object(
                        DocumentObject(
                            name: "counts",
                            fields: counts.map { .required($0, .integer, help: "How many.") }
                        )
                    ),
                    help: "The numbers of scenarios, files and warnings."
                ),
                exitCode,
            ]
    }

    private static let reached = DocumentObject.Field.optional(
        "coverage",
        .object(coverage),
        help: "The coverage of the scenarios."
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
                                .required(
                                    "kind",
                                    .text,
                                    help: "The kind of part, such as 'route'."
                                ),
                                .required("name", .text, help: "The name."),
                                .optional("file", .text, help: "The path of the script."),
                                .optional("line", .integer, help: "The line of the declaration."),
                                .required(
                                    "scenarios",
                                    .integer,
                                    help: "The number of scenarios that reached it."
                                ),
                            ]
                        )
                    )
                ),
                help: "The routes and other parts of the scripts."
            ),
            .required(
                "files",
                .list(
                    .object(
                        DocumentObject(
                            name: "coveredFile",
                            fields: [
                                .required("file", .text, help: "The path of the script."),
                                .required(
                                    "lines",
                                    .integer,
                                    help: "The number of lines with code."
                                ),
                                .required(
                                    "reached",
                                    .integer,
                                    help: "The number of lines that ran."
                                ),
                                .required(
                                    "missed",
                                    .list(.integer),
                                    help: "The lines that did not run."
                                ),
                            ]
                        )
                    )
                ),
                help: "The scripts."
            ),
        ]
    )

    private static let watch = [
        line(
            "watch",
            kind: "reload",
            fields: [
                script,
                .required("status", .words(["accepted", "rejected"]), help: "The result."),
                .required("generation", .orNull(.integer), help: "The active generation."),
                .required("milliseconds", .number, help: "The time that it took."),
                .optional("digest", .text, help: "The digest of the scripts."),
                .optional("added", texts, help: "The new routes."),
                .optional("changed", texts, help: "The changed routes."),
                .optional("removed", texts, help: "The routes that are gone."),
                .optional("reason", .text, help: "Why it was rejected."),
                .optional("diagnostics", .list(.object(diagnostic)), help: "The errors."),
            ]
        ),
        line("watch", kind: "run", fields: run(hasScenarios: true, hasCoverage: false)),
        line(
            "watch",
            kind: "watching",
            fields: [
                .required("files", texts, help: "The files."),
                .required("folders", texts, help: "The folders."),
                .optional("polling", .text, help: "Why files are read each second."),
            ]
        ),
        line(
            "watch",
            kind: "end",
            fields: [
                .required("accepted", .integer, help: "The number of accepted reloads."),
                .required("rejected", .integer, help: "The number of rejected reloads."),
                exitCode,
            ]
        ),
    ]

    private static let checkedFile = DocumentObject(
        name: "file",
        fields: [
            .required("file", .text, help: "The path."),
            .required("kind", .words(["script", "scenarios"]), help: "The kind of file."),
            .required("diagnostics", .list(.object(diagnostic)), help: "The findings."),
            .optional("fixed", .text, help: "The path of the entry to which '--fix' added a line."),
            .optional(
                "needs",
                .list(
                    .object(
                        DocumentObject(
                            name: "need",
                            fields: [
                                .required("capability", .text, help: "The capability."),
                                .optional("name", .text, help: "What it is for, such as a class."),
                                .optional("file", .text, help: "The path of the script."),
                                .optional("line", .integer, help: "The line that needs it."),
                            ]
                        )
                    )
                ),
                help: "The capabilities that the scripts need."
            ),
        ]
    )

    // MARK: Routes

    /// A word as in scripts, or an object with 'oneOf', 'list' or 'fields'.
    private static let type = DocumentShape.either([.text, .map(.any)])

    private static let route = DocumentObject(
        name: "route",
        fields: [
            .required("name", .text, help: "The target as 'Service/task', or 'routing'."),
            .required("kind", .words(["screen", "task", "routing"]), help: "The kind."),
            .required(
                "pattern",
                .orNull(.text),
                help: "The pattern, without absent optional parts."
            ),
            .required("declaredPattern", .orNull(.text), help: "The pattern as it was declared."),
            .required("aliasOf", .orNull(.text), help: "The main pattern, if this is an alias."),
            .required("screen", .orNull(.text), help: "The class of the screen."),
            .required("reuse", .orNull(.text), help: "The rule by which a screen is reused."),
            .required("actions", texts, help: "The actions, with the options of presentations."),
            .required("interceptors", texts, help: "The interceptors, in their order."),
            .required("info", .orNull(.map(type)), help: "The parameters; null for any."),
            .required("result", .orNull(type), help: "The type of the result; null for any."),
            .required("source", source, help: "Where it is declared."),
        ]
    )

    private static let screenClass = DocumentObject(
        name: "class",
        fields: [
            .required("name", .text, help: "The name."),
            .required("kind", .text, help: "The kind of screen, such as 'nav'."),
            .required(
                "fields",
                .list(
                    .object(
                        DocumentObject(
                            name: "field",
                            fields: [
                                .required("name", .text, help: "The name."),
                                .required("type", type, help: "The type."),
                            ]
                        )
                    )
                ),
                help: "The fields."
            ),
            .required("source", source, help: "Where it is declared."),
        ]
    )

    private static let changedRoute = DocumentObject(
        name: "changed",
        fields: [
            .required("name", .text, help: "The target."),
            .required(
                "changes",
                .list(
                    .object(
                        DocumentObject(
                            name: "change",
                            fields: [
                                .required("column", .text, help: "The column."),
                                .required("before", .text, help: "The text before."),
                                .required("after", .text, help: "The text now."),
                            ]
                        )
                    )
                ),
                help: "The columns that changed."
            ),
            .required("source", source, help: "Where it is declared."),
        ]
    )

    /// Returns the lists of changed routes, which a comparison that failed may lack.
    private static func changedRoutes(isOptional: Bool) -> [DocumentObject.Field] {
        [
            ("added", route, "The new routes."), ("removed", route, "The routes that are gone."),
            ("changed", changedRoute, "The routes with other values."),
        ].map { name, object, help in
            DocumentObject.Field(
                name: name,
                shape: .list(.object(object)),
                isOptional: isOptional,
                help: help
            )
        }
    }

    private static let match = DocumentObject(
        name: "match",
        fields: [
            .required("parameters", .map(.any), help: "The parameters read from the URL."),
            .required("route", .object(route), help: "The route."),
        ]
    )

    private static let explained = DocumentObject(
        name: "target",
        fields: [
            .required("target", .text, help: "The target as it was given."),
            .required("kind", .text, help: "The kind, such as 'url'."),
            .required("destination", .orNull(.text), help: "The route that it leads to."),
            .required("problem", .orNull(.text), help: "Why it leads nowhere."),
            .optional("rewritten", .text, help: "The URL after 'router.rewrite'."),
            .required("matches", .list(.object(match)), help: "The routes that match, best first."),
            .required(
                "routings",
                .list(.object(match)),
                help: "The routings of 'router.dispatch'."
            ),
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
                                    help: "The segment that differs."
                                ),
                                .required("reason", .text, help: "The reason."),
                                .required("route", .object(route), help: "The route."),
                            ]
                        )
                    )
                ),
                help: "The routes that nearly match."
            ),
            .required("missesLeftOut", .integer, help: "The number of further ones."),
            .required("dropped", texts, help: "The parts of the URL that are ignored."),
            .required(
                "plan",
                .orNull(.map(.any)),
                help: "The dry run, as 'router.explain' returns it."
            ),
        ]
    )

    private static let destination = DocumentObject(
        name: "destination",
        fields: Destination.Part.allCases.map {
            .required($0.rawValue, .orNull(.text), help: "The part of the destination.")
        }
    )

    private static let changedTarget = DocumentObject(
        name: "changedTarget",
        fields: [
            .required("target", .text, help: "The target."),
            .required(
                "kind",
                .words(DestinationChange.Kind.allCases.map(\.rawValue)),
                help: "The kind of change."
            ),
            .required("parts", texts, help: "The parts that changed."),
            .required("was", .object(destination), help: "The destination before."),
            .required("now", .object(destination), help: "The destination now."),
        ]
    )

    // MARK: Graphs and searches

    private static let node = DocumentObject(
        name: "node",
        fields: [
            .required("id", .text, help: "The identifier."),
            .required(
                "kind",
                .words(RouteGraph.Node.Kind.allCases.map(\.rawValue)),
                help: "The kind."
            ),
            .required("title", .text, help: "The title."),
            .required(
                "patterns",
                .list(
                    .object(
                        DocumentObject(
                            name: "pattern",
                            fields: [
                                .required("pattern", .text, help: "The pattern."),
                                .required(
                                    "aliasOf",
                                    .orNull(.text),
                                    help: "The main pattern, if this is an alias."
                                ),
                            ]
                        )
                    )
                ),
                help: "The URL patterns."
            ),
            .required("screens", texts, help: "The classes of the screens."),
            .required("interceptors", texts, help: "The interceptors."),
            .required("note", .orNull(.text), help: "A remark."),
            .required("group", .orNull(.integer), help: "The index of its group."),
            .required("source", source, help: "Where it is declared."),
        ]
    )

    private static let edge = DocumentObject(
        name: "edge",
        fields: [
            .required("from", .text, help: "The identifier of a node."),
            .required("to", .text, help: "The identifier of a node."),
            .required("kind", .text, help: "The kind, such as 'redirect'."),
            .required("label", .orNull(.text), help: "The action, unless it is 'push'."),
        ]
    )

    private static let group = DocumentObject(
        name: "group",
        fields: [
            .required("title", .text, help: "The title."),
            .required("kind", .text, help: "The kind of container."),
            .required("parent", .orNull(.integer), help: "The index of the group around it."),
        ]
    )

    private static let exploration = DocumentObject(
        name: "exploration",
        fields: [
            .required("name", .text, help: "The name of the block, or of the scripts."),
            .required("path", .text, help: "The path."),
            .required("line", .orNull(.integer), help: "The line of the block."),
            .required("states", .integer, help: "The number of states."),
            .required("steps", .integer, help: "The number of steps."),
            .required("depth", .integer, help: "The number of steps to the furthest state."),
            .required("ending", .text, help: "Why the search ended, such as 'complete'."),
            .required("isExhausted", .boolean, help: "Whether there are no further states."),
            .required(
                "findings",
                .list(
                    .object(
                        DocumentObject(
                            name: "finding",
                            fields: [
                                .required("code", .text, help: "The code."),
                                .required(
                                    "severity",
                                    .words(["error", "warning"]),
                                    help: "How bad."
                                ),
                                .required("title", .text, help: "The finding, in one sentence."),
                                .required(
                                    "key",
                                    .text,
                                    help: "The key by which a baseline identifies it."
                                ),
                                .required("steps", texts, help: "The shortest steps to it."),
                                .required("details", texts, help: "More about it."),
                                .required(
                                    "file",
                                    .orNull(.text),
                                    help: "The scenario that reproduces it."
                                ),
                                .required(
                                    "isKnown",
                                    .boolean,
                                    help: "Whether the baseline has it."
                                ),
                            ]
                        )
                    )
                ),
                help: "The findings."
            ),
            .required(
                "gone",
                texts,
                help: "The findings of the baseline that a complete search did not find again."
            ),
            .required("notReproduced", texts, help: "The defects that did not occur again."),
            .required("notExplored", texts, help: "What could not be tried."),
            .required("notEntered", texts, help: "The routes that no step reached."),
            .required("notSeen", texts, help: "The classes that were never on screen."),
        ]
    )

    private static let outcomes = ["written", "unchanged", "stale", "printed", "failed"]

    private static let typesFile = DocumentObject(
        name: "file",
        fields: [
            .required("language", .words(["swift", "lua"]), help: "The language."),
            .required("file", .text, help: "The path."),
            .required("outcome", .words(outcomes), help: "What was done."),
        ]
    )

    private static let events = [
        DocumentObject(
            name: "header",
            fields: [
                schema("events"),
                .optional("scenario", .text, help: "The name of the scenario."),
                .optional("location", .text, help: "Its location."),
                .optional("script", .text, help: "The scripts."),
            ],
            others: .any
        ),
        DocumentObject(
            name: "event",
            fields: [
                .required("seq", .integer, help: "The number of the event."),
                .required("time", .number, help: "The time, in seconds since 1970."),
                .optional("navigation", .integer, help: "The number of the navigation."),
                .optional("parent", .integer, help: "The number of the navigation that began it."),
                .required("generation", .integer, help: "The generation of the scripts."),
                .optional("location", .text, help: "The line of a script that caused it."),
                .required(
                    "kind",
                    .text,
                    help: "The kind, whose further fields 'luaroute doc' lists."
                ),
            ],
            others: .any
        ),
    ]

    // MARK: Bundles

    private static let bundle = DocumentObject.Field.required(
        "file",
        .text,
        help: "The path of the bundle."
    )
    private static let digest = DocumentObject.Field.optional(
        "digest",
        .text,
        help: "The SHA-256 digest of the bundle."
    )
    private static let signer = DocumentObject.Field.optional(
        "signer",
        .text,
        help: "The public key of the signature."
    )
    private static let verified = DocumentObject.Field.optional(
        "verified",
        .boolean,
        help: "Whether signatures were verified."
    )

    private static let manifest = DocumentObject(
        name: "manifest",
        fields: [
            schema("bundle"), .required("name", .text, help: "The name."),
            .required("version", .integer, help: "The version, from 1."),
            .required("api", .integer, help: "The API level of the scripts."),
            .required("entry", .text, help: "The file that runs first."),
            .optional("created", .integer, help: "The time of creation, in seconds since 1970."),
            .optional("notAfter", .integer, help: "The last second in which apps take it."),
            .required(
                "needs",
                .object(
                    DocumentObject(
                        name: "needs",
                        fields: [
                            .required("tasks", texts, help: "The tasks of the host."),
                            .optional("screens", texts, help: "The classes of screens."),
                            .required("dependencies", texts, help: "The dependencies."),
                        ]
                    )
                ),
                help: "The needs that 'router.expects' declares."
            ),
            .required("capabilities", texts, help: "The capabilities that it asks for."),
            .required("canary", texts, help: "The scenarios that run before apps take it."),
            .required(
                "files",
                .list(
                    .object(
                        DocumentObject(
                            name: "bundled",
                            fields: [
                                .required("path", .text, help: "The path in the bundle."),
                                .required("size", .integer, help: "The number of bytes."),
                                .required("sha256", .text, help: "The SHA-256 digest."),
                            ]
                        )
                    )
                ),
                help: "The files, sorted by their paths."
            ),
        ]
    )

    // MARK: Documents to read

    private static let capabilities: [DocumentObject.Field] = [
        .optional("screens", texts, help: "The classes that scripts may show."),
        .optional("tasks", texts, help: "The tasks that scripts may call, as 'Service/task'."),
        .optional("urls", texts, help: "The origins whose URLs scripts may claim."),
        .optional("tree", texts, help: "The changes of the tree, such as 'push' or 'windows(2)'."),
        .optional("leaving", .boolean, help: "Whether scripts may ask before screens are left."),
        .optional("interceptAll", .boolean, help: "Whether scripts may intercept all routes."),
        .optional("timeout", .number, help: "The longest timeout, in seconds."),
        .optional("timers", numbers("timers", ["count", "period"]), help: "The limits of timers."),
        .optional(
            "rates",
            numbers("rates", ["navigations", "presents", "logBytes", "events"]),
            help: "The limits in a second."
        ),
        .optional(
            "time",
            numbers("time", ["turn", "second"]),
            help: "The limits of time, in seconds."
        ),
        .optional("memory", .integer, help: "The limit of memory, in bytes."),
        .optional("pending", .integer, help: "The limit of pending work."),
    ]

    private static func numbers(_ name: String, _ keys: [String]) -> DocumentShape {
        let fields = keys.map { DocumentObject.Field.optional($0, .number, help: "The limit.") }
        return .object(DocumentObject(name: name, fields: fields, isClosed: true))
    }

    private static let names = DocumentShape.either([texts, .map(.map(.any))])

    private static let host = DocumentObject(
        name: "host",
        fields: [
            schema("host"),
            .optional("tasks", names, help: "The tasks that the app performs, as 'Service/task'."),
            .optional(
                "screens",
                .either([
                    texts,
                    .map(
                        .object(
                            DocumentObject(
                                name: "screenClass",
                                fields: [
                                    .optional("kind", .text, help: "The kind of screen."),
                                    .optional("fields", texts, help: "The fields that it shows."),
                                ],
                                isClosed: true
                            )
                        )
                    ),
                ]),
                help: "The classes of the screens that the app shows."
            ),
            .optional("dependencies", names, help: "The dependencies that the app provides."),
            .optional("styles", names, help: "The presentation styles of the app."),
            .optional(
                "capabilities",
                .object(
                    DocumentObject(
                        name: "capabilities",
                        fields: [.optional("schema", .text, help: "Ignored.")] + capabilities,
                        isClosed: true
                    )
                ),
                help: "The rights of the scripts."
            ),
        ],
        isClosed: true
    )
}
