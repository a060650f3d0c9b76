// SPDX-License-Identifier: MIT

public import RouteCore

/// Something that a check of scripts found: what, where, and what to do.
///
/// What is an error keeps the scripts from loading, or from a host that lacks what they need. A
/// warning does not: it tells of what hardly anybody means.
public struct Finding: Error, Sendable {
    /// How grave a finding is.
    public enum Severity: String, Sendable {
        /// The scripts are refused.
        case error
        /// They are not.
        case warning
    }

    /// The kind.
    public let code: Code
    /// How grave it is.
    public let severity: Severity
    /// What was found, in one sentence without the place.
    public let message: String
    /// The line of the script that is to blame, if one is.
    public let location: RouteError.Location?
    /// The way out, in one sentence, if it can be told.
    public let help: String?
    /// The finding as the error of a load that it ends.
    package let error: RouteError

    /// Makes a finding of an error.
    package init(_ code: Code, _ error: RouteError, help: String? = nil) {
        self.code = code
        severity = code.severity
        message = error.message
        location = error.location
        self.help = help
        self.error = error
    }

    /// Makes a finding of what is suspicious and no error.
    init(
        _ code: Code,
        _ message: String,
        at location: RouteError.Location?,
        help: String? = nil
    ) {
        self.init(code, RouteError(.script, message, at: location), help: help)
    }
}

extension Finding: CustomStringConvertible {
    /// The place and the message: `routes/show.lua:12: no interceptor 'lgoin' is declared`.
    public var description: String { error.description }
}

extension [Finding] {
    /// The findings by file and line; those of one line as they were found.
    func byPlace() -> [Finding] {
        enumerated().sorted { left, right in
            left.element.order(left.offset) < right.element.order(right.offset)
        }.map(\.element)
    }
}

extension Finding {
    fileprivate func order(_ offset: Int) -> (String, Int, Int) {
        (location?.file ?? "", location?.line ?? 0, offset)
    }
}

extension RouteError {
    /// All that is wrong where scripts did not load: what their check found, in the order of
    /// files and lines, of which this error is the first; else this error alone.
    public var findings: [Finding] {
        if let rejection = cause as? Rejection { return rejection.findings }
        return [Finding(code == .budget ? .loadOverBudget : .loadFailed, self)]
    }

    /// Refuses scripts in which something is wrong.
    ///
    /// - Throws: The first of the findings as an error, if there are some.
    package static func reject(findings: [Finding]) throws(RouteError) {
        guard var error = findings.first?.error else { return }
        error.cause = Rejection(findings: findings)
        throw error
    }
}

/// All that a check found that refused scripts.
private struct Rejection: Error, CustomStringConvertible {
    let findings: [Finding]

    var description: String {
        findings.count == 1 ? "1 finding" : "\(findings.count) findings"
    }
}
