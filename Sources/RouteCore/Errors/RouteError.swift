// SPDX-License-Identifier: MIT

/// An error with a code, a message, and optionally a location and a cause.
///
/// After a navigation that ends with an error, the tree is unchanged.
///
/// ```swift
/// do {
///     try await router.navigate(Target("Page", "show"), info: ["id": "seven"])
/// } catch {
///     print(error.code)  // badInfo
///     print(error)  // main.lua:4: bad field 'id' (integer expected, got string)
/// }
/// ```
public struct RouteError: Error, Sendable {
    /// The kind of an error.
    ///
    /// A later release may add codes, so a `switch` over codes needs a `default`.
    ///
    /// ```swift
    /// switch error.code {
    /// case .notFound, .disabled: print("there is no such page")
    /// case .cancelled, .superseded: break
    /// default: print(error)
    /// }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word that scripts, scenarios and events use, such as `notFound`.
        public let rawValue: String

        /// Creates a code from a word, which need not be one of ``allCases``.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word, as in ``rawValue``.
        public var description: String { rawValue }

        /// There is no such service, task, route identifier or URL.
        public static var notFound: Code { Code(rawValue: "notFound") }
        /// A task was used as a screen route, or a screen route as a task.
        public static var wrongKind: Code { Code(rawValue: "wrongKind") }
        /// A parameter is missing, unknown or of the wrong type, or a provider returned nil.
        public static var badInfo: Code { Code(rawValue: "badInfo") }
        /// Requests with this origin may not navigate to the target.
        public static var forbidden: Code { Code(rawValue: "forbidden") }
        /// The first step of the route finds no existing screen.
        public static var startNotFound: Code { Code(rawValue: "startNotFound") }
        /// The action cannot be performed, because there is no screen of the required kind.
        public static var typeMismatch: Code { Code(rawValue: "typeMismatch") }
        /// The change would break a rule of the tree.
        public static var composition: Code { Code(rawValue: "composition") }
        /// A screen that the navigation would remove may not be dismissed.
        public static var notDismissible: Code { Code(rawValue: "notDismissible") }
        /// An interceptor stopped the navigation, or the worker of an awaited task did not finish
        /// the task.
        public static var stopped: Code { Code(rawValue: "stopped") }
        /// Redirects by interceptors form a loop.
        public static var redirectLoop: Code { Code(rawValue: "redirectLoop") }
        /// The route's feature flag is off, and the route has no fallback.
        public static var disabled: Code { Code(rawValue: "disabled") }
        /// A dependency that the route needs is unavailable.
        public static var missingDependency: Code { Code(rawValue: "missingDependency") }
        /// A wait exceeded its deadline.
        public static var timeout: Code { Code(rawValue: "timeout") }
        /// Another navigation is pending, and the policy rejects a second one.
        public static var busy: Code { Code(rawValue: "busy") }
        /// A script raised an error, or does not compile.
        public static var script: Code { Code(rawValue: "script") }
        /// The navigation or task was cancelled.
        public static var cancelled: Code { Code(rawValue: "cancelled") }
        /// A newer request, or a newer generation of scripts, replaced the request.
        public static var superseded: Code { Code(rawValue: "superseded") }
        /// A limit of instructions, time, memory or size was reached.
        public static var budget: Code { Code(rawValue: "budget") }
        /// The host failed or refused a request.
        public static var host: Code { Code(rawValue: "host") }
        /// A text cannot be parsed.
        public static var parse: Code { Code(rawValue: "parse") }
    }

    /// A source location in a script.
    public struct Location: Sendable, Hashable, CustomStringConvertible {
        /// The file, as a path relative to the root of its bundle.
        public var file: String
        /// The line number, from 1.
        public var line: Int

        /// Creates a location.
        public init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// The location as text: `routes/show.lua:12`.
        public var description: String { "\(file):\(line)" }
    }

    /// The code of the error.
    public var code: Code
    /// The description of the error in one sentence, without the location.
    public var message: String
    /// The source location of the error in a script, if known.
    public var location: Location?
    /// The route whose step failed, as `service/task`; nil if no step failed.
    public var step: String?
    /// The underlying error, if any.
    public var cause: (any Error)?
    /// The Lua stack traceback, innermost frame first, one frame per line, if there is one.
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

extension RouteError.Code: CaseIterable {
    /// The documented codes, in their documented order.
    public static let allCases: [RouteError.Code] = numbers.map(\.code)

    /// The codes with the numbers by which crash reports group errors.
    ///
    /// A number never changes and is never reused. A new code gets the next free number, wherever
    /// it is inserted in this list.
    package static let numbers: [(code: RouteError.Code, number: Int)] = [
        (.notFound, 1), (.wrongKind, 2), (.badInfo, 3), (.forbidden, 4),
        (.startNotFound, 5), (.typeMismatch, 6), (.composition, 7), (.notDismissible, 8),
        (.stopped, 9), (.redirectLoop, 10), (.disabled, 11), (.missingDependency, 12),
        (.timeout, 13), (.busy, 14), (.script, 15), (.cancelled, 16),
        (.superseded, 17), (.budget, 18), (.host, 19), (.parse, 20),
    ]
}
