// SPDX-License-Identifier: MIT

/// The reason why an entry into a script failed.
///
/// The state stays usable: the stack is unwound to the caller of the entry, and later entries work.
public struct ScriptError: Error {
    /// The kind of the failure.
    public enum Kind: String, Sendable, CaseIterable {
        /// A chunk does not compile.
        case syntax
        /// A script or a host function raised an error.
        case runtime
        /// An error occurred while another one was handled.
        case handler
        /// The state needs more memory than its limit.
        case memory
        /// The entry ran more instructions than its budget.
        case instructions
        /// The entry took longer than its budget.
        case deadline
        /// A value cannot be converted between Swift and Lua, or is not of the requested kind.
        case conversion
        /// A canceller stopped the entry.
        case cancelled
        /// The function was created after the checkpoint to which the state was rewound; no code
        /// was run.
        case rewound
        /// A host function ended the entry with a ``ScriptEnd``, its ``ScriptError/underlying``.
        case ended
    }

    /// The kind of the failure.
    public var kind: Kind
    /// The message without the location, of at most 4 KiB.
    public var message: String
    /// The name of the chunk in which the error happened, if a script line is known.
    public var chunk: String?
    /// The line in ``chunk``, counted from 1.
    public var line: Int?
    /// The script lines that were running, innermost first, at most 22, one per line; empty for an
    /// error of the kind `ended`.
    public var traceback: String
    /// The error that a host function threw and no script caught: the very instance.
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
    /// The error in the form for scripts: `routes/show.lua:12: message`.
    public var description: String {
        guard let chunk, let line else { return message }
        return "\(chunk):\(line): \(message)"
    }
}

/// The text of an error for the script that called the host function.
///
/// The text of an error without this conformance is its description, with the location of the call.
public protocol ScriptMessage: Error {
    /// The text of the error.
    var scriptMessage: String { get }
    /// Whether the line that called the host function is put before the text.
    var addsPosition: Bool { get }
}

extension ScriptMessage {
    /// Whether the line that called the host function is put before the text: yes.
    public var addsPosition: Bool { true }
}

/// An error that ends the script which called the host function that throws it.
///
/// Unlike other errors, the script cannot catch it: the call does not return, and no more of the
/// script runs. It ends the innermost entry, the last call of Swift into the state, which fails
/// with an error of the kind ``ScriptError/Kind/ended``. Outer entries continue: the host function
/// in between decides what to throw. A budget exceeded at the same time takes precedence.
public protocol ScriptEnd: ScriptMessage {}

extension ScriptEnd {
    /// The message of the error that the entry fails with: "ended".
    public var scriptMessage: String { "ended" }
}

extension ScriptError: ScriptMessage {
    /// The text of the error, with its own location.
    public var scriptMessage: String { description }
    /// Whether the line of the call is added: only if the error has no location.
    public var addsPosition: Bool { line == nil }
}
