// SPDX-License-Identifier: MIT

public import RouteCore

/// A problem that a check found in scripts, with its code, message, location and fix.
///
/// An error prevents the scripts from loading, or from running with a host that does not meet their
/// needs. A warning reports code that is probably a mistake.
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
    /// The source location of the problem; nil if unknown.
    public let location: RouteError.Location?
    /// The fix in one sentence; nil if unknown.
    public let help: String?
    /// The error that a load throws if this finding rejects the scripts.
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
    /// Returns these findings together with the given findings, sorted by file and line.
    ///
    /// A given finding is left out if this array already has a finding about the same name in the
    /// same file.
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
    /// All findings of the check, if a check has rejected the scripts; otherwise a single finding
    /// with this error.
    ///
    /// The findings are sorted by file and line. The first finding corresponds to this error.
    public var findings: [Finding] {
        if let rejection = cause as? Rejection { return rejection.findings }
        return [Finding(code == .budget ? .loadOverBudget : .loadFailed, self)]
    }

    /// Throws an error if there are findings.
    ///
    /// - Throws: The error of the first finding. Its `cause` contains all findings.
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
