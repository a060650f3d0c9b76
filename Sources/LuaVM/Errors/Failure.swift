// SPDX-License-Identifier: MIT

internal import CLuaRoute

extension LuaState {
    /// Returns the error with which the last entry failed.
    ///
    /// The status must not be `LUAROUTE_OK`.
    func failure(_ status: Int32) -> ScriptError {
        var failure = LuaRouteFailure()
        luaroute_failure(context, &failure)
        if let end = ended {
            ended = nil
            // If a budget was exceeded after the entry was ended, the error about the budget takes
            // precedence.
            if status == LUAROUTE_ENDED { return error(endedBy: end, failure) }
        }
        let hostError = thrown[failure.hostError]
        if let inner = hostError as? ScriptError {
            // The error has passed through an inner entry. The inner entry has recorded the
            // location of the error.
            guard inner.kind == .ended else { return inner }
            // Only the inner entry was ended. For this entry, the failure of the inner entry is an
            // ordinary error, which a script could have caught.
            var error = inner
            error.kind = .runtime
            error.underlying = inner
            return error
        }
        var error = ScriptError(
            kind: ScriptError.Kind(status: status),
            message: text(failure.message, failure.messageLength)
        )
        error.place(at: failure, in: self)
        error.traceback = text(failure.traceback, failure.tracebackLength)
        error.underlying = hostError
        return error
    }

    private func error(endedBy end: any ScriptEnd, _ failure: LuaRouteFailure) -> ScriptError {
        var message = end.scriptMessage
        if message.utf8.count > Int(LUAROUTE_MESSAGE) {
            message = String(decoding: message.utf8.prefix(Int(LUAROUTE_MESSAGE)), as: UTF8.self)
        }
        var error = ScriptError(kind: .ended, message: message, underlying: end)
        error.place(at: failure, in: self)
        return error
    }

    /// Converts bytes to a string.
    ///
    /// Invalid UTF-8 is replaced with U+FFFD.
    func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
        return String(decoding: buffer, as: UTF8.self)
    }
}

/// The errors that host functions have thrown and that scripts may still raise, by the numbers that
/// identify the errors in C.
final class ThrownErrors {
    private static let none = [(any Error)?](repeating: nil, count: Int(LUAROUTE_THROWN))

    // Exclusivity checks would slow down each call, which reads these properties. The release of an
    // error may run code that also accesses them, but never during another access.
    @exclusivity(unchecked) private(set) var isEmpty = true
    @exclusivity(unchecked) private var errors = none

    /// The error with the given number; nil for 0.
    subscript(_ number: Int32) -> (any Error)? {
        number > 0 ? errors[Int(number) - 1] : nil
    }

    func set(_ number: Int32, to error: any Error) {
        var old: (any Error)? = error
        swap(&errors[Int(number) - 1], &old)
        isEmpty = false
        withExtendedLifetime(old) {}  // releasing an error may run code, so this comes last
    }

    /// The way in which errors of a type are reported to scripts.
    enum Manner {
        case end
        case message(any ScriptMessage.Type)
        case description
    }

    // The manners are cached, because looking up a conformance would take longer than all other
    // work for an error.
    @exclusivity(unchecked) private var manners: [ObjectIdentifier: Manner] = [:]
    @exclusivity(unchecked) private var latest: (type: ObjectIdentifier, manner: Manner)?

    func manner(of error: any Error) -> Manner {
        let type = type(of: error)
        let identifier = ObjectIdentifier(type)
        if let latest, latest.type == identifier { return latest.manner }
        let manner =
            manners[identifier]
            ?? (type is any ScriptEnd.Type
                ? .end : (type as? any ScriptMessage.Type).map(Manner.message) ?? .description)
        manners[identifier] = manner
        latest = (identifier, manner)
        return manner
    }

    /// The errors, in a form that ``restore(_:)`` accepts.
    var saved: [(any Error)?] { isEmpty ? [] : errors }

    func restore(_ saved: [(any Error)?]) {
        let old = errors
        isEmpty = saved.isEmpty
        errors = saved.isEmpty ? Self.none : saved
        withExtendedLifetime(old) {}  // releasing an error may run code, so this comes last
    }

    func removeAll() {
        let old = errors
        errors = Self.none
        isEmpty = true
        withExtendedLifetime(old) {}  // releasing an error may run code, so this comes last
    }
}

extension ScriptMessage {
    /// Returns the text of an error of this type, and whether the location of the call precedes the
    /// text.
    static func message(of error: some Error) -> (text: String, addsPosition: Bool) {
        // The error has exactly this type, because the conformance was looked up by the type of the
        // error. A cast would look up the type again.
        let error = unsafeBitCast(error, to: Self.self)
        return (error.scriptMessage, error.addsPosition)
    }
}

extension ScriptError {
    /// Sets the location of the error to the location of a failure, if the failure occurred in a
    /// script.
    fileprivate mutating func place(at failure: LuaRouteFailure, in state: LuaState) {
        guard failure.line > 0 else { return }
        chunk = state.text(failure.chunk, failure.chunkLength)
        line = Int(failure.line)
    }
}

extension ScriptError.Kind {
    init(status: Int32) {
        switch Int(status) {
        case LUAROUTE_SYNTAX: self = .syntax
        case LUAROUTE_HANDLER: self = .handler
        case LUAROUTE_MEMORY: self = .memory
        case LUAROUTE_INSTRUCTIONS: self = .instructions
        case LUAROUTE_DEADLINE: self = .deadline
        case LUAROUTE_CONVERSION: self = .conversion
        case LUAROUTE_CANCELLED: self = .cancelled
        case LUAROUTE_ENDED: self = .ended
        case LUAROUTE_REWOUND: self = .rewound
        default: self = .runtime
        }
    }
}
