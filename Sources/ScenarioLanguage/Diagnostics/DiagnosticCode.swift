// SPDX-License-Identifier: MIT

/// The code of a diagnostic, such as `S0107`.
///
/// Users and tools refer to a problem by its code.
///
/// A code never changes its meaning. The first characters of a code show what the problem is about:
/// `S01` the text of a scenario, `S02` the files that a scenario needs, `S03` a run, `L` scripts,
/// `C` the command line.
public struct DiagnosticCode: Sendable, Hashable, CustomStringConvertible {
    /// The text of the code.
    public let description: String

    package init(_ code: String) { description = code }
}

extension DiagnosticCode {
    static let notUTF8 = DiagnosticCode("S0101")
    package static let fileTooLarge = DiagnosticCode("S0102")
    static let lineTooLong = DiagnosticCode("S0103")
    static let tooManySteps = DiagnosticCode("S0104")
    static let unknownBlock = DiagnosticCode("S0105")
    static let stepOutside = DiagnosticCode("S0106")
    static let unknownStep = DiagnosticCode("S0107")
    static let unknownWord = DiagnosticCode("S0108")
    static let missing = DiagnosticCode("S0109")
    package static let notation = DiagnosticCode("S0110")
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
    package static let scenarioUnreadable = DiagnosticCode("S0203")
    package static let outsideRoot = DiagnosticCode("S0204")
}
