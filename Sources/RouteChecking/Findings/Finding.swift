// SPDX-License-Identifier: MIT

public import RouteCore

/// A problem that a check of scripts found: its code, message, location and fix.
///
/// An error keeps the scripts from loading, or from running with a host that does not meet their
/// needs. A warning reports code that is probably not intended.
///
/// ```swift
/// for finding in router.check() {
///     print(finding.code, finding.severity)  // L0102 warning
///     print(finding.message)  // interceptor 'login' is declared but never used
/// }
/// ```
public struct Finding: Error, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Sendable {
        /// The scripts are rejected.
        case error
        /// The scripts are accepted.
        case warning
    }

    /// The kind of finding.
    public let code: Code
    /// The severity.
    public let severity: Severity
    /// The problem in one sentence, without the location.
    public let message: String
    /// The source location of the problem, if there is one.
    public let location: RouteError.Location?
    /// The fix in one sentence, if it is known.
    public let help: String?
    /// The finding as the error of a rejected load.
    package let error: RouteError

    /// Creates a finding from an error.
    package init(_ code: Code, _ error: RouteError, help: String? = nil) {
        self.code = code
        severity = code.severity
        message = error.message
        location = error.location
        self.help = help
        self.error = error
    }

    /// Creates a finding without an underlying error.
    package init(
        _ code: Code,
        _ message: String,
        at location: RouteError.Location?,
        help: String? = nil
    ) {
        self.init(code, RouteError(.script, message, at: location), help: help)
    }
}

extension Finding: CustomStringConvertible {
    /// The location and the message: `routes/show.lua:12: no interceptor 'lgoin' is declared`.
    public var description: String { error.description }
}

extension [Finding] {
    /// Returns these findings and others, except other findings about a name for which there
    /// already is a finding in the same file, sorted by file and line.
    package func adding(_ others: [Finding]) -> [Finding] {
        let own = Dictionary(grouping: self, by: \.location?.file)
        return
            (self
            + others.filter { other in
                let name = other.message.split(separator: "'").dropFirst().first ?? ""
                return own[other.location?.file]?.contains { $0.message.contains("'\(name)'") }
                    != true
            }).byPlace()
    }

    /// Returns the findings sorted by file and line; findings on the same line keep their order.
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
    /// All findings if scripts were rejected by their check, in the order of files and lines,
    /// starting with this error; otherwise only this error.
    public var findings: [Finding] {
        if let rejection = cause as? Rejection { return rejection.findings }
        return [Finding(code == .budget ? .loadOverBudget : .loadFailed, self)]
    }

    /// Rejects scripts that have findings.
    ///
    /// - Throws: The first finding as an error, if there is one.
    package static func reject(findings: [Finding]) throws(RouteError) {
        guard var error = findings.first?.error else { return }
        error.cause = Rejection(findings: findings)
        throw error
    }
}

/// The findings of a check that rejected scripts.
private struct Rejection: Error, CustomStringConvertible {
    let findings: [Finding]

    var description: String {
        findings.count == 1 ? "1 finding" : "\(findings.count) findings"
    }
}
