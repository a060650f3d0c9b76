// SPDX-License-Identifier: MIT

internal import RouteChecking

extension DiagnosticCode {
    init(_ code: Finding.Code) { self.init(code.description) }

    /// The article of the code, as printed by `luaroute explain-error`.
    package var article: CodeArticle? { CodeArticle.named(description) }

    // MARK: The files that a scenario needs

    static let scriptUnreadable = DiagnosticCode("S0201")
    static let noScript = DiagnosticCode("S0202")
    static let unknownNameOfScripts = DiagnosticCode("S0205")
    static let badParameter = DiagnosticCode("S0206")

    // MARK: The results of a run

    static let expectationFailed = DiagnosticCode("S0301")
    static let stepFailed = DiagnosticCode("S0302")
    static let leftPending = DiagnosticCode("S0303")
    static let unexpectedWarning = DiagnosticCode("S0304")
    static let unusedStep = DiagnosticCode("S0305")
    static let unawaitedFailure = DiagnosticCode("S0306")
    static let knownPasses = DiagnosticCode("S0307")

    // MARK: The command line

    package static let nothingSelected = DiagnosticCode("C0101")
    static let onlyIsLeft = DiagnosticCode("C0102")
    package static let inputUnreadable = DiagnosticCode("C0103")
    static let manifestUnreadable = DiagnosticCode("C0104")
    static let staleTypes = DiagnosticCode("C0105")
    static let coverageTooLow = DiagnosticCode("C0106")
    static let projectUnreadable = DiagnosticCode("C0107")
    static let uncoveredURL = DiagnosticCode("C0108")
    static let unusedLink = DiagnosticCode("C0109")
    static let uncomparedLink = DiagnosticCode("C0110")
    static let notFormatted = DiagnosticCode("C0111")
    static let notRun = DiagnosticCode("C0112")
}

extension Diagnostic {
    /// Returns the error for a file that cannot be written, with the reason that the system gives.
    static func unwritable(_ path: String, _ reason: String) -> Diagnostic {
        Diagnostic(.inputUnreadable, "'\(path)' cannot be written: \(reason)")
    }
}
