// SPDX-License-Identifier: MIT

internal import RouteCore

/// The results of a `luaroute bundle` command, for its JSON document.
///
/// If the command failed, these are the results up to the failure.
package struct BundleResults {
    /// A command that can print a JSON document.
    package enum Command: Sendable {
        case verify, inspect, diff
    }

    /// A field of the manifest, or the signer, that differs between two bundles.
    package struct FieldChange: Sendable {
        let name: String
        /// The values in the older and in the newer bundle; nil if the field is absent.
        let old: String?, new: String?

        package init(name: String, old: String?, new: String?) {
            (self.name, self.old, self.new) = (name, old, new)
        }

        /// The change as text, such as `version 1 → 2`.
        package var text: PrintedText { "\(name) \(old ?? "none") → \(new ?? "none")" }
    }

    /// The path of the bundle.
    package var file = ""
    /// The paths of two bundles that are compared.
    package var compared = (old: "", new: "")
    /// The name and version in the manifest.
    package var name: String?, version: Int?
    /// The SHA-256 digest of the bundle.
    package var digest: String?
    /// The digest of the bundle's scripts, as it appears in events.
    package var scripts: String?
    /// The public key of the signature.
    ///
    /// The inner optional is nil if the bundle is not signed.
    package var signer: String??
    /// Whether signatures were verified.
    package var verified: Bool?
    /// The differences between the scripts.
    package var comparison: ScriptComparison?
    /// The capabilities that only the newer bundle requests, and those that only the older bundle
    /// requests.
    package var gained: [String]?, lost: [String]?
    /// The files that differ between the bundles, or that only one of the bundles contains.
    package var files: [String]?
    /// The fields of the manifest, and the signer, that differ.
    package var fields: [FieldChange]?
    /// The manifest, as JSON.
    package var manifest: String?
    /// The record of the bundle store, as JSON.
    package var store: String?
    /// The reasons for a failure.
    package var diagnostics: [Diagnostic] = []
    /// The exit code of the process.
    package var code = ExitCode.success

    /// Creates empty results.
    package init() {}

    /// Returns the document of a command.
    package func text(of command: Command) -> PrintedText {
        switch command {
        case .verify: Self.verify.text(of: self)
        case .inspect:
            // The JSON of the manifest is copied unchanged from the bundle.
            PrintedText(
                json: Self.inspect.members(of: self).text
                    + (manifest.map { ",\"manifest\":\($0)" } ?? "")
                    + (store.map { ",\"store\":\($0)" } ?? "") + "}\n"
            )
        case .diff: Self.diff.text(of: self)
        }
    }
}

extension BundleResults {
    typealias Field = DocumentField<Self>

    private static let path = Field("file", \.file, help: "The path of the bundle or store.")
    private static let digestField = Field(
        optional: "digest",
        \.digest,
        help: "The SHA-256 digest of the bundle."
    )
    private static let verifiedField = Field(
        optional: "verified",
        \.verified,
        help: "Whether signatures were verified."
    )

    static let verify = DocumentFields<Self>("bundle-verify") {
        Field.schema("bundle-verify")
        path
        Field(optional: "name", \.name, help: "The name of the bundle.")
        Field(optional: "version", \.version, help: "The version of the bundle.")
        digestField
        Field(optional: "signer", { $0.signer ?? nil }, help: "The public key of the signer.")
        Field.diagnostics(\.diagnostics)
        Field.exitCode(\.code)
    }

    static let inspect = DocumentFields<Self>("bundle-inspect") {
        Field.schema("bundle-inspect")
        path
        digestField
        Field(
            optional: "scripts",
            \.scripts,
            help: "The digest of the bundle's scripts, as in the event 'reload'."
        )
        Field(optional: "signer", \.signer, help: "The public key of the signer.")
        verifiedField
        Field.diagnostics(\.diagnostics)
        Field.exitCode(\.code)
    }

    static let diff = DocumentFields<Self>("bundle-diff") {
        Field.schema("bundle-diff")
        Field("old", \.compared.old, help: "The older bundle.")
        Field("new", \.compared.new, help: "The newer bundle.")
        verifiedField
        Field(
            optional: "fields",
            \.fields,
            help:
                "The fields of the manifest that differ, except for the capabilities and files, and the signer."
        )
        ScriptComparison.document.list.map { $0.optional(\.comparison) }
        Field(
            optional: "gained",
            \.gained,
            help: "The capabilities that only the newer bundle requests."
        )
        Field(
            optional: "lost",
            \.lost,
            help: "The capabilities that only the older bundle requests."
        )
        Field(
            optional: "files",
            \.files,
            help: "The files that differ, or that only one of the bundles contains."
        )
        Field.diagnostics(\.diagnostics)
        Field.exitCode(\.code)
    }
}

extension BundleResults.FieldChange: DocumentRecord {
    static let document = DocumentFields<Self>("field") {
        Field("name", \.name, help: "The name of the field.")
        Field(optional: "old", \.old, help: "The value in the older bundle, if there is one.")
        Field(optional: "new", \.new, help: "The value in the newer bundle, if there is one.")
    }
}
