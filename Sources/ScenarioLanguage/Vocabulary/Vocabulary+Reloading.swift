// SPDX-License-Identifier: MIT

internal import RouteCore

extension Vocabulary {
    /// The steps that reload the scripts or restart the app.
    static let reloading: [StepForm] = [
        Form(
            "reload [[failing] PATH]",
            "loads the scripts at the given path, or reloads the active scripts; with 'failing', the scripts must be rejected",
            example: ["reload failing broken.lua", "navigate Show/open(id=7)", "expect done"]
        ) { parser throws(SyntaxError) in
            guard !parser.isAtEnd else { return .reload(nil, fails: false) }
            let fails = parser.take("failing")
            let path = try parser.plainText("a path")
            return .reload(path.text ?? path.description, fails: fails)
        },
        Form(
            "restart",
            "ends the app and starts it again without its previous tree and state",
            example: ["navigate Show/open(id=7)", "restart", "start", "expect tree nav[Home]"]
        ) {
            _ throws(SyntaxError) in .restart
        },
        Form(
            "snapshot NAME",
            "takes a snapshot and saves it under the given name; the snapshot survives 'restart'",
            example: [
                "navigate Show/open(id=7)", "snapshot evening", "restart", "restore evening",
                "expect top Show(id=7)",
            ]
        ) {
            parser throws(SyntaxError) in
            let name = try parser.name("a name")
            parser.skipSpace()
            return .snapshot(name)
        },
        Form(
            "restore NAME",
            "restores a snapshot, which replaces all existing screens",
            example: [
                "snapshot before", "navigate Show/open(id=7)", "restore before",
                "expect tree nav[Home]",
            ]
        ) {
            parser throws(SyntaxError) in
            .restore(try parser.snapshotToRestore())
        },
    ]
}

extension StepParser {
    fileprivate mutating func snapshotToRestore() throws(SyntaxError) -> String {
        let start = position
        let name = try name("the name of a snapshot")
        guard names.hasSnapshot(name) else {
            throw .unknownSnapshot(name, start..<position, among: names.snapshots)
        }
        skipSpace()
        return name
    }
}

extension SyntaxError {
    fileprivate static func unknownSnapshot(
        _ name: String,
        _ range: Range<Int>,
        among known: Set<String>
    ) -> SyntaxError {
        SyntaxError(
            code: .unknownName,
            message: "no snapshot before this step is named '\(name)'"
                + Suggestion.hint(for: name, among: known),
            range: range,
            help: "take the snapshot with 'snapshot \(name)' in an earlier step"
        )
    }
}
