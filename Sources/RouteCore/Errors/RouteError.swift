// SPDX-License-Identifier: MIT

/// What went wrong, where, and why.
///
/// After a navigation that ends with an error the tree is as it was before it.
public struct RouteError: Error, Sendable {
    /// The kind of error: one of a closed list.
    public enum Code: String, Sendable, CaseIterable {
        /// No such service, task, route identifier or URL.
        case notFound
        /// A task was navigated to, or a screen route was done as a task.
        case wrongKind
        /// A parameter is missing, unknown or of the wrong type, or a provider returned nil.
        case badInfo
        /// The origin may not ask for the target.
        case forbidden
        /// The start of the chain finds no screen.
        case startNotFound
        /// There is no place of the kind that the action needs.
        case typeMismatch
        /// A rule of the tree would be broken.
        case composition
        /// A screen would go that may not.
        case notDismissible
        /// An interceptor stopped the navigation.
        case stopped
        /// Interceptors redirect in a circle.
        case redirectLoop
        /// The route is switched off and has no fallback.
        case disabled
        /// A dependency that the route needs is not provided.
        case missingDependency
        /// A wait was longer than its deadline.
        case timeout
        /// Another navigation is pending and the policy refuses a second one.
        case busy
        /// A script raised an error, or does not compile.
        case script
        /// The navigation or task was cancelled.
        case cancelled
        /// A newer request or generation took the place of this one.
        case superseded
        /// A limit of instructions, time, memory or size was reached.
        case budget
        /// The host refused.
        case host
        /// A text does not parse.
        case parse
    }

    /// A line of a script.
    public struct Location: Sendable, Hashable, CustomStringConvertible {
        /// The file, as a path relative to the root of its bundle.
        public var file: String
        /// The line, from 1 on.
        public var line: Int

        /// Creates a location.
        public init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// The location as messages have it: `routes/show.lua:12`.
        public var description: String { "\(file):\(line)" }
    }

    /// The kind of error.
    public var code: Code
    /// What happened, in one sentence without the location.
    public var message: String
    /// The line of the script that is to blame, if one is.
    public var location: Location?
    /// The route, as `service/task`, whose step failed, if one did.
    public var step: String?
    /// The error that this one came from, if any.
    public var cause: (any Error)?
    /// The script's frames at the time, innermost first, one a line, if there were any.
    public var traceback: String?

    /// Creates an error.
    public init(
        _ code: Code,
        _ message: String,
        at location: Location? = nil,
        step: String? = nil,
        cause: (any Error)? = nil,
        traceback: String? = nil
    ) {
        self.code = code
        self.message = message
        self.location = location
        self.step = step
        self.cause = cause
        self.traceback = traceback
    }
}

extension RouteError: CustomStringConvertible {
    /// The location and the message: `routes/show.lua:12: bad field 'showId' (…)`.
    public var description: String {
        location.map { "\($0): \(message)" } ?? message
    }
}
