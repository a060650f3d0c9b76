// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The kind of a diagnostic, as people and tools cite it: `S0107`.
///
/// Codes do not change their meaning. The families: `S01` the text of a scenario, `S02` what
/// a scenario file needs, `S03` what a run found, `L` the scripts, `C` the command line.
public struct DiagnosticCode: Sendable, Hashable, CustomStringConvertible {
    /// The code itself.
    public let description: String
    /// What it stands for, in a few words.
    public let title: String

    private init(_ code: String, _ title: String) {
        description = code
        self.title = title
    }

    init(_ code: Finding.Code) { self.init(code.description, code.title) }

    static let notUTF8 = DiagnosticCode("S0101", "the file is not UTF-8")
    static let fileTooLarge = DiagnosticCode("S0102", "the file is too large")
    static let lineTooLong = DiagnosticCode("S0103", "the line is too long")
    static let tooManySteps = DiagnosticCode("S0104", "the file has too many steps")
    static let unknownBlock = DiagnosticCode("S0105", "no block starts with this word")
    static let stepOutside = DiagnosticCode("S0106", "a step stands outside of a block")
    static let unknownStep = DiagnosticCode("S0107", "no step starts with this word")
    static let unknownWord = DiagnosticCode("S0108", "a word is not one of those that fit")
    static let missing = DiagnosticCode("S0109", "something is missing")
    static let notation = DiagnosticCode("S0110", "a tree, screen or value does not parse")
    static let leftOver = DiagnosticCode("S0111", "there is more text than expected")
    static let leftOpen = DiagnosticCode("S0112", "a bracket is left open")
    static let twice = DiagnosticCode("S0113", "something stands twice")
    static let unknownName = DiagnosticCode("S0114", "nothing has this name")
    static let unknownParameter = DiagnosticCode("S0115", "nothing declares a parameter")
    static let unusedColumn = DiagnosticCode("S0116", "a column of a table is used nowhere")
    static let badTable = DiagnosticCode("S0117", "a table has not the form of one")
    static let cycle = DiagnosticCode("S0118", "files or macros lead back to themselves")
    static let misplaced = DiagnosticCode("S0119", "a word cannot stand here")

    static let scriptUnreadable = DiagnosticCode("S0201", "a script cannot be read")
    static let noScript = DiagnosticCode("S0202", "the file names no script")
    static let scenarioUnreadable = DiagnosticCode("S0203", "a scenario file cannot be read")

    static let expectationFailed = DiagnosticCode("S0301", "an expectation does not hold")
    static let stepFailed = DiagnosticCode("S0302", "a step failed")
    static let leftPending = DiagnosticCode("S0303", "work is pending at the end")
    static let unexpectedWarning = DiagnosticCode("S0304", "a warning that nobody expected")

    static let nothingSelected = DiagnosticCode("C0101", "nothing is selected to run")
    static let onlyIsLeft = DiagnosticCode("C0102", "a scenario keeps all others from running")
    static let inputUnreadable = DiagnosticCode("C0103", "the input cannot be read")
    static let manifestUnreadable = DiagnosticCode("C0104", "a manifest of a host cannot be read")

    /// All codes, in order.
    public static let all: [DiagnosticCode] =
        [
            notUTF8, fileTooLarge, lineTooLong, tooManySteps, unknownBlock, stepOutside,
            unknownStep,
            unknownWord, missing, notation, leftOver, leftOpen, twice, unknownName,
            unknownParameter,
            unusedColumn, badTable, cycle, misplaced,
            scriptUnreadable, noScript, scenarioUnreadable,
            expectationFailed, stepFailed, leftPending, unexpectedWarning,
        ] + Finding.Code.all.map(DiagnosticCode.init) + [
            nothingSelected, onlyIsLeft, inputUnreadable, manifestUnreadable,
        ]
}

extension DiagnosticCode {
    /// The code of a name, whatever the case of its letter; nil where there is none.
    public init?(named name: String) {
        guard let code = Self.all.first(where: { $0.description == name.uppercased() }) else {
            return nil
        }
        self = code
    }

    /// What the code means, as text of some lines: for those of scripts with an example.
    public var explanation: String {
        var text = "\(description): \(title)\n"
        guard let code = Finding.Code.all.first(where: { $0.description == description }) else {
            return text
        }
        text += "\n\(Self.wrapped(code.explanation))\n"
        text += "\nFound in\n\n\(Self.indented(code.example))\n"
        if let host = code.host { text += "\nwith the host\n\n\(Self.indented(host))\n" }
        text += "\nand not in\n\n\(Self.indented(code.remedy))\n"
        return text
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= 80 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
