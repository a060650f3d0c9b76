// SPDX-License-Identifier: MIT

extension Finding {
    /// A code that identifies a kind of finding in messages and in tools, such as `L0203`.
    ///
    /// The meaning of a code never changes. The first digits show the category:
    ///
    /// - `L01`: a warning.
    /// - `L020`, `L021`: a mistake that prevents the scripts from loading.
    /// - `L023`: the scripts do not fit the host or the app.
    /// - `L03`, `L04`: an error that occurred while the scripts loaded.
    ///
    /// `luaroute explain-error` prints an article about a code, with an example.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The text of the code, such as `L0203`.
        public let description: String
        /// The severity of findings with this code.
        public let severity: Severity

        init(_ code: String, _ severity: Severity) {
            description = code
            self.severity = severity
        }
    }
}

extension Finding.Code {
    static let unknownService = Finding.Code("L0101", .warning)
    static let unused = Finding.Code("L0102", .warning)
    static let droppedParameter = Finding.Code("L0103", .warning)
    static let missingParameter = Finding.Code("L0104", .warning)
    static let otherParameter = Finding.Code("L0105", .warning)
    static let badExample = Finding.Code("L0106", .warning)
    static let closedToURLs = Finding.Code("L0107", .warning)
    static let unexpectedClass = Finding.Code("L0108", .warning)
    static let unreachablePattern = Finding.Code("L0109", .warning)
    static let fallbackCircle = Finding.Code("L0110", .warning)
    static let unknownDependency = Finding.Code("L0111", .warning)
    static let nearlyAnotherGate = Finding.Code("L0112", .warning)
    static let missingFallback = Finding.Code("L0113", .warning)
    static let sharedPattern = Finding.Code("L0114", .warning)
    static let comparesNothing = Finding.Code("L0115", .warning)
    static let idleParameter = Finding.Code("L0116", .warning)
    static let unlistedField = Finding.Code("L0117", .warning)
    static let undeclaredClass = Finding.Code("L0118", .warning)
    /// A construct that some Lua releases execute incorrectly.
    package static let unportable = Finding.Code("L0119", .warning)
    static let interceptsItself = Finding.Code("L0120", .warning)
    /// A constant timeout that makes a call fail each time.
    package static let badTimeout = Finding.Code("L0121", .warning)
    /// A name that a function uses but that is not declared.
    package static let undeclaredName = Finding.Code("L0122", .warning)
    static let missingInPass = Finding.Code("L0123", .warning)
    /// A member that `router` does not have.
    ///
    /// Without a check, such an access fails only when the line runs.
    package static let unknownMember = Finding.Code("L0124", .warning)
    static let undeclaredRead = Finding.Code("L0125", .warning)

    static let unknownRoute = Finding.Code("L0201", .error)
    static let taskAsRoute = Finding.Code("L0202", .error)
    static let unknownInterceptor = Finding.Code("L0203", .error)
    static let unknownAction = Finding.Code("L0204", .error)
    static let endlessWay = Finding.Code("L0205", .error)
    static let endlessTree = Finding.Code("L0206", .error)
    /// A URL pattern that cannot be parsed.
    package static let badPattern = Finding.Code("L0207", .error)
    /// Two URL patterns that match the same URLs.
    package static let ambiguousPattern = Finding.Code("L0208", .error)
    /// An alias for a pattern that does not belong to a route.
    package static let badAlias = Finding.Code("L0209", .error)
    static let leafBuildsNothing = Finding.Code("L0210", .error)
    static let nothingRegistered = Finding.Code("L0211", .error)
    static let unknownField = Finding.Code("L0212", .error)
    static let redirectCircle = Finding.Code("L0213", .error)

    static let missingTask = Finding.Code("L0231", .error)
    static let missingClass = Finding.Code("L0232", .error)
    static let missingDependency = Finding.Code("L0233", .error)
    static let otherClass = Finding.Code("L0234", .error)
    /// A capability that the scripts need but do not have.
    package static let notGranted = Finding.Code("L0235", .error)
    static let brokenContract = Finding.Code("L0236", .error)
    static let missingStyle = Finding.Code("L0237", .error)

    static let loadFailed = Finding.Code("L0301", .error)
    static let loadOverBudget = Finding.Code("L0401", .error)

    /// All codes, in ascending order.
    public static let all: [Finding.Code] = [
        unknownService, unused, droppedParameter, missingParameter, otherParameter, badExample,
        closedToURLs, unexpectedClass, unreachablePattern, fallbackCircle, unknownDependency,
        nearlyAnotherGate, missingFallback, sharedPattern, comparesNothing, idleParameter,
        unlistedField, undeclaredClass, unportable, interceptsItself, badTimeout, undeclaredName,
        missingInPass, unknownMember, undeclaredRead,
        unknownRoute, taskAsRoute, unknownInterceptor, unknownAction, endlessWay, endlessTree,
        badPattern, ambiguousPattern, badAlias, leafBuildsNothing, nothingRegistered,
        unknownField, redirectCircle,
        missingTask, missingClass, missingDependency, otherClass, notGranted, brokenContract,
        missingStyle,
        loadFailed, loadOverBudget,
    ]
}
