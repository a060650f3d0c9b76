// SPDX-License-Identifier: MIT

internal import CLuaRoute

extension LuaState {
    /// The error of the last entry with a status other than `LUAROUTE_OK`.
    func failure(_ status: Int32) -> ScriptError {
        var failure = LuaRouteFailure()
        luaroute_failure(context, &failure)
        if let end = ended {
            ended = nil
            // A budget that broke after it was asked for comes first.
            if status == LUAROUTE_ENDED { return error(endedBy: end, failure) }
        }
        let hostError = thrown[failure.hostError]
        if let inner = hostError as? ScriptError {
            // It passed through an entry within this one, where it is known best.
            guard inner.kind == .ended else { return inner }
            // But this entry was not ended: its script could have caught what came through.
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

    /// Bytes as text, with invalid UTF-8 replaced.
    func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
        return String(decoding: buffer, as: UTF8.self)
    }
}

/// The errors that host functions threw and a script may still raise, by the numbers of C.
final class ThrownErrors {
    private static let none = [(any Error)?](repeating: nil, count: Int(LUAROUTE_THROWN))

    // Read by each call, or part of each throw. No access is open when the end of an error runs
    // code that could use them too.
    @exclusivity(unchecked) private(set) var isEmpty = true
    @exclusivity(unchecked) private var errors = none

    /// The error of a number; nil for 0.
    subscript(_ number: Int32) -> (any Error)? {
        number > 0 ? errors[Int(number) - 1] : nil
    }

    func set(_ number: Int32, to error: any Error) {
        var old: (any Error)? = error
        swap(&errors[Int(number) - 1], &old)
        isEmpty = false
        withExtendedLifetime(old) {}  // what its end does comes after
    }

    /// The texts of errors of a type for scripts.
    enum Manner {
        case end
        case message(any ScriptMessage.Type)
        case description
    }

    // To look for a conformance takes longer than all else that an error costs.
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

    /// The errors, to be restored by ``restore(_:)``.
    var saved: [(any Error)?] { isEmpty ? [] : errors }

    func restore(_ saved: [(any Error)?]) {
        let old = errors
        isEmpty = saved.isEmpty
        errors = saved.isEmpty ? Self.none : saved
        withExtendedLifetime(old) {}  // what their end does comes after
    }

    func removeAll() {
        let old = errors
        errors = Self.none
        isEmpty = true
        withExtendedLifetime(old) {}  // what their end does comes after
    }
}

extension ScriptMessage {
    /// The text of an error of this type, and whether the line of the call precedes it.
    static func message(of error: some Error) -> (text: String, addsPosition: Bool) {
        // Of exactly this type: its manner was looked up by it. A cast would look the type up again.
        let error = unsafeBitCast(error, to: Self.self)
        return (error.scriptMessage, error.addsPosition)
    }
}

extension ScriptError {
    /// Replaces the location of a failure, if a script line is known.
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
