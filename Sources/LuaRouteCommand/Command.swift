// SPDX-License-Identifier: MIT

import ScenarioKit

/// A command: its words are described once, for reading, for help and for completions.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// What it does, in one sentence without a full stop.
    static var summary: String { get }
    /// What stands behind the options, such as `[paths…]`; nil where nothing does.
    static var operandsHelp: String? { get }
    /// Lines at the end of the help.
    static var remarks: String { get }
    static var options: [Option<Self>] { get }

    var operands: [String] { get set }

    init()

    func run(_ streams: Streams) throws(UsageError) -> ExitCode
}

/// An option of a command, such as `--seed N`.
struct Option<Owner>: Sendable {
    let name: String
    /// What stands for its value in the help; nil where it has none.
    let value: String?
    /// The values, where there are few.
    let values: [String]
    let help: String
    let apply: @Sendable (inout Owner, String) throws(UsageError) -> Void

    /// An option with a value.
    init(
        _ name: String,
        _ value: String,
        values: [String] = [],
        _ help: String,
        _ apply: @escaping @Sendable (inout Owner, String) throws(UsageError) -> Void
    ) {
        self.name = name
        self.value = value
        self.values = values
        self.help = help
        self.apply = apply
    }

    /// An option that is said or not.
    init(_ name: String, _ help: String, _ path: any WritableKeyPath<Owner, Bool> & Sendable) {
        self.name = name
        value = nil
        values = []
        self.help = help
        apply = { owner, _ throws(UsageError) in owner[keyPath: path] = true }
    }
}
