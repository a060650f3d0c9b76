// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

extension DocumentSchema {
    /// All documents: first the documents that `luaroute` writes, then the documents that it reads.
    ///
    /// The fields of a written document are declared next to the code that writes the document.
    package static let all: [DocumentSchema] = [
        DocumentSchema(RunReport.document, help: "the results of 'run --json'"),
        DocumentSchema(
            name: "lines",
            help: "a line of 'run --json=lines'",
            objects: [JSONLinesReport.scenario.object, JSONLinesReport.end.object]
        ),
        DocumentSchema(ListedScenario.list, help: "the scenarios of 'run --list --json'"),
        DocumentSchema(
            name: "watch",
            help: "a line of 'watch --json'",
            objects: WatchWriter.objects
        ),
        DocumentSchema(CheckCommand.document, help: "the findings of 'check --json'"),
        DocumentSchema(RoutesCommand.document, help: "the declarations of 'routes --json'"),
        DocumentSchema(RoutesCommand.differences, help: "the changes of 'routes --diff --json'"),
        DocumentSchema(ExplainCommand.document, help: "the explanations of 'explain --json'"),
        DocumentSchema(
            ExplainCommand.differences,
            help: "the changes of 'explain --diff --json'"
        ),
        DocumentSchema(GraphCommand.document, help: "the graph of 'graph --json'"),
        DocumentSchema(
            ExploreResults.document,
            help: "the findings of 'explore --json', which '--baseline' reads"
        ),
        DocumentSchema(LinksCommand.document, help: "the generated file of 'links --json'"),
        DocumentSchema(TypesCommand.document, help: "the results of 'types --json'"),
        DocumentSchema(BundleResults.verify, help: "the results of 'bundle verify --json'"),
        DocumentSchema(
            name: BundleResults.inspect.name,
            help: "the manifest of 'bundle inspect --json'",
            objects: [
                DocumentObject(
                    name: BundleResults.inspect.name,
                    fields: BundleResults.inspect.object.fields + [
                        .optional(
                            "manifest",
                            .object(manifest),
                            help: "The manifest of the bundle."
                        ),
                        .optional(
                            "store",
                            .object(
                                DocumentObject(
                                    name: "store",
                                    fields: [schema("store")],
                                    others: .any
                                )
                            ),
                            help: "The content of the file 'state.json' of the store."
                        ),
                    ]
                )
            ]
        ),
        DocumentSchema(BundleResults.diff, help: "the changes of 'bundle diff --json'"),
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
            help: "the capabilities file of '--capabilities'",
            objects: [
                DocumentObject(
                    name: "capabilities",
                    fields: [schema("capabilities")] + capabilities,
                    isClosed: true
                )
            ]
        ),
    ]

    private static let texts = DocumentShape.list(.text)

    private static func schema(_ name: String) -> DocumentObject.Field {
        DocumentField<Void>.schema(name).entry
    }

    private static let events = [
        DocumentObject(
            name: "header",
            fields: [
                schema("events"),
                .optional("scenario", .text, help: "The name of the scenario."),
                .optional("location", .text, help: "The location of the scenario."),
                .optional("script", .text, help: "The path of the scripts."),
            ],
            others: .any
        ),
        DocumentObject(
            name: "event",
            fields: [
                .required("seq", .integer, help: "The sequence number of the event."),
                .required("time", .number, help: "The router's time, in seconds since 1970."),
                .optional("navigation", .integer, help: "The number of the navigation."),
                .optional(
                    "parent",
                    .integer,
                    help: "The number of the navigation that started this navigation."
                ),
                .required("generation", .integer, help: "The generation of the scripts."),
                .optional(
                    "location",
                    .text,
                    help: "The location of the script line that caused the event."
                ),
                .required(
                    "kind",
                    .text,
                    help: "The kind of event. 'luaroute doc KIND' lists the other fields."
                ),
            ],
            others: .any
        ),
    ]

    // MARK: Bundles

    private static let manifest = DocumentObject(
        name: "manifest",
        fields: [
            schema("bundle"), .required("name", .text, help: "The name of the bundle."),
            .required("version", .integer, help: "The version of the bundle, from 1."),
            .required("api", .integer, help: "The API level of the scripts."),
            .required("entry", .text, help: "The file that runs first."),
            .optional("created", .integer, help: "The time of creation, in seconds since 1970."),
            .optional(
                "notAfter",
                .integer,
                help: "The last second in which apps accept the bundle, in seconds since 1970."
            ),
            .required(
                "needs",
                .object(
                    DocumentObject(
                        name: "needs",
                        fields: [
                            .required("tasks", texts, help: "The required tasks."),
                            .optional("screens", texts, help: "The required screen classes."),
                            .required("dependencies", texts, help: "The required dependencies."),
                        ]
                    )
                ),
                help: "The parts of the host that 'router.expects' requires."
            ),
            .required(
                "capabilities",
                texts,
                help: "The capabilities that the bundle requests."
            ),
            .required("canary", texts, help: "The scenarios to run before publication."),
            .required(
                "files",
                .list(
                    .object(
                        DocumentObject(
                            name: "bundled",
                            fields: [
                                .required("path", .text, help: "The path in the bundle."),
                                .required(
                                    "size",
                                    .integer,
                                    help: "The size of the file, in bytes."
                                ),
                                .required("sha256", .text, help: "The SHA-256 digest of the file."),
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
        .optional(
            "tree",
            texts,
            help: "The tree changes that scripts may make, such as 'push' or 'windows(2)'."
        ),
        .optional(
            "leaving",
            .boolean,
            help: "Whether scripts may declare `leaving`, which runs before screens are left."
        ),
        .optional("interceptAll", .boolean, help: "Whether scripts may intercept all routes."),
        .optional(
            "timeout",
            .number,
            help: "The longest timeout that scripts may set, in seconds."
        ),
        .optional("timers", numbers("timers", ["count", "period"]), help: "The limits of timers."),
        .optional(
            "rates",
            numbers("rates", ["navigations", "presents", "logBytes", "events"]),
            help: "The limits per second."
        ),
        .optional(
            "time",
            numbers("time", ["turn", "second"]),
            help: "The limits of the scripts' running time, in seconds."
        ),
        .optional("memory", .integer, help: "The limit of memory, in bytes."),
        .optional(
            "pending",
            .integer,
            help: "The limit of pending navigations, and of pending tasks."
        ),
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
                                    .optional("kind", .text, help: "The screen kind."),
                                    .optional(
                                        "fields",
                                        texts,
                                        help: "The fields that the screen shows."
                                    ),
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
                help: "The capabilities that are granted to scripts."
            ),
        ],
        isClosed: true
    )
}
