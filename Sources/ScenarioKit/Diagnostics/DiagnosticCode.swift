// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The code of a diagnostic, such as `S0107`, for people and tools to refer to.
///
/// A code never changes its meaning. The families: `S01` errors in the text of a scenario, `S02`
/// problems with the files that it needs, `S03` failures of a run, `L` scripts, `C` the command
/// line.
public struct DiagnosticCode: Sendable, Hashable, CustomStringConvertible {
    /// The code itself.
    public let description: String

    package init(_ code: String) { description = code }

    init(_ code: Finding.Code) { description = code.description }

    /// The article of the code, as `luaroute explain-error` prints it.
    public var article: CodeArticle? { CodeArticle.named(description) }
}

extension DiagnosticCode {
    // MARK: The text of a scenario file

    static let notUTF8 = DiagnosticCode("S0101")
    static let fileTooLarge = DiagnosticCode("S0102")
    static let lineTooLong = DiagnosticCode("S0103")
    static let tooManySteps = DiagnosticCode("S0104")
    static let unknownBlock = DiagnosticCode("S0105")
    static let stepOutside = DiagnosticCode("S0106")
    static let unknownStep = DiagnosticCode("S0107")
    static let unknownWord = DiagnosticCode("S0108")
    static let missing = DiagnosticCode("S0109")
    static let notation = DiagnosticCode("S0110")
    static let leftOver = DiagnosticCode("S0111")
    static let leftOpen = DiagnosticCode("S0112")
    static let twice = DiagnosticCode("S0113")
    static let unknownName = DiagnosticCode("S0114")
    static let unknownParameter = DiagnosticCode("S0115")
    static let unusedColumn = DiagnosticCode("S0116")
    static let badTable = DiagnosticCode("S0117")
    static let cycle = DiagnosticCode("S0118")
    static let misplaced = DiagnosticCode("S0119")
    static let bareReturn = DiagnosticCode("S0120")
    static let noSteps = DiagnosticCode("S0121")

    // MARK: The files that a scenario needs

    static let scriptUnreadable = DiagnosticCode("S0201")
    static let noScript = DiagnosticCode("S0202")
    static let scenarioUnreadable = DiagnosticCode("S0203")
    static let outsideRoot = DiagnosticCode("S0204")
    static let unknownNameOfScripts = DiagnosticCode("S0205")

    // MARK: The results of a run

    static let expectationFailed = DiagnosticCode("S0301")
    static let stepFailed = DiagnosticCode("S0302")
    static let leftPending = DiagnosticCode("S0303")
    static let unexpectedWarning = DiagnosticCode("S0304")
    static let unusedStep = DiagnosticCode("S0305")
    static let unawaitedFailure = DiagnosticCode("S0306")
    static let knownPasses = DiagnosticCode("S0307")

    // MARK: The command line

    static let nothingSelected = DiagnosticCode("C0101")
    static let onlyIsLeft = DiagnosticCode("C0102")
    package static let inputUnreadable = DiagnosticCode("C0103")
    static let manifestUnreadable = DiagnosticCode("C0104")
    static let staleTypes = DiagnosticCode("C0105")
    static let coverageTooLow = DiagnosticCode("C0106")
    static let projectUnreadable = DiagnosticCode("C0107")
    static let uncoveredURL = DiagnosticCode("C0108")
    static let unusedLink = DiagnosticCode("C0109")
    static let uncomparedLink = DiagnosticCode("C0110")
}
