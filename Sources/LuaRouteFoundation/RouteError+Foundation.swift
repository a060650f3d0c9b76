// SPDX-License-Identifier: MIT

public import Foundation
public import LuaRouting

extension RouteError: LocalizedError {
    /// The message for users, without the file and line of the script.
    public var errorDescription: String? { message }

    /// The code and, if a script caused the error, the location in the script; for developers.
    public var failureReason: String? {
        location.map { "\(code.rawValue) at \($0)" } ?? code.rawValue
    }
}

extension RouteError: CustomNSError {
    /// The domain of all routing errors.
    public static var errorDomain: String { "luaroute.RouteError" }

    /// The number of the code as listed in <doc:Errors>, starting at 1; 0 for a code that is not
    /// documented.
    ///
    /// The number of a code never changes, so crash reports can be grouped by the number.
    public var errorCode: Int { Code.numbers.first { $0.code == code }?.number ?? 0 }

    /// The texts of the error, the debug description with the traceback of the script, and the
    /// cause.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: message,
            NSDebugDescriptionErrorKey: [description, traceback].compactMap(\.self)
                .joined(separator: "\n"),
        ]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSUnderlyingErrorKey] = cause
        return info
    }
}
