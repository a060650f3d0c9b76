// SPDX-License-Identifier: MIT

/// The reason why an entry into a script failed.
///
/// The Lua state remains usable: the stack is unwound to the caller of the entry, and later entries
/// work.
public struct ScriptError: Error {
    /// The kind of the failure.
    public enum Kind: String, Sendable, CaseIterable {
        /// A chunk has a syntax error.
        case syntax
        /// A script or a host function raised an error.
        case runtime
        /// An error occurred while another error was being handled.
        case handler
        /// The state exceeded its memory limit.
        case memory
        /// The entry ran more instructions than its budget allows.
        case instructions
        /// The entry took longer than its budget allows.
        case deadline
        /// A value cannot be converted between Swift and Lua, or is not of the expected kind.
        case conversion
        /// A canceller stopped the entry.
        case cancelled
        /// The state was rewound to a checkpoint that is older than the function; no code was run.
        case rewound
        /// A host function ended the entry by throwing a ``ScriptEnd``. ``ScriptError/underlying``
        /// is the thrown error.
        case ended
    }

    /// The kind of the failure.
    public var kind: Kind
    /// The message without the location; at most 4 KiB.
    public var message: String
    /// The name of the chunk in which the error occurred; nil if there is no script line.
    public var chunk: String?
    /// The line in ``chunk``, starting at 1.
    public var line: Int?
    /// The script lines that were running: one per line, the innermost first, and at most 22.
    ///
    /// The traceback is empty for an error of the kind `ended`.
    public var traceback: String
    /// The error instance that a host function threw and that no script caught; nil if there is
    /// none.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(
        kind: Kind,
        message: String,
        chunk: String? = nil,
        line: Int? = nil,
        traceback: String = "",
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.chunk = chunk
        self.line = line
        self.traceback = traceback
        self.underlying = underlying
    }
}

extension ScriptError: CustomStringConvertible {
    /// The error as scripts see it, such as `routes/show.lua:12: message`.
    public var description: String {
        guard let chunk, let line else { return message }
        return "\(chunk):\(line): \(message)"
    }
}

/// An error that provides the message for the script that called the host function.
///
/// The message for any other error is its description, preceded by the location of the call.
public protocol ScriptMessage: Error {
    /// The message for the script.
    var scriptMessage: String { get }
    /// Whether the location of the call precedes the message.
    var addsPosition: Bool { get }
}

extension ScriptMessage {
    /// Whether the location of the call precedes the message; true by default.
    public var addsPosition: Bool { true }
}

/// An error with which a host function ends the script that called it.
///
/// Unlike other errors, the script cannot catch this error: the call does not return, and no more
/// code of the script runs. The innermost entry, which is the last call from Swift into the state,
/// fails with an error of the kind ``ScriptError/Kind/ended``. Outer entries continue: the host
/// function that made the innermost entry decides what to throw. If a budget is exceeded at the
/// same time, the budget takes precedence.
public protocol ScriptEnd: ScriptMessage {}

extension ScriptEnd {
    /// The message of the error with which the entry fails: "ended".
    public var scriptMessage: String { "ended" }
}

extension ScriptError: ScriptMessage {
    /// The message, with the error's own location.
    public var scriptMessage: String { description }
    /// Whether the location of the call precedes the message: true if the error has no location.
    public var addsPosition: Bool { line == nil }
}
