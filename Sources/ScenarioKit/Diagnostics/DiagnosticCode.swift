// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The kind of a diagnostic, as people and tools cite it: `S0107`.
///
/// Codes do not change their meaning. The families: `S01` the text of a scenario, `S02` what
/// a scenario file needs, `S03` what a run found, `L` the scripts, `C` the command line.
public struct DiagnosticCode: Sendable, Hashable, CustomStringConvertible {
    /// What is told about it.
    public let article: CodeArticle

    init(_ article: CodeArticle) { self.article = article }

    init(_ code: Finding.Code) {
        guard let known = Self.ofScripts[code] else { preconditionFailure("a code in no list") }
        article = known
    }

    /// The code itself.
    public var description: String { article.code }

    /// What it stands for, in a few words.
    public var title: String { article.title }

    /// Whether two codes are the same.
    public static func == (left: DiagnosticCode, right: DiagnosticCode) -> Bool {
        left.description == right.description
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// All codes, in order.
    public static let all: [DiagnosticCode] =
        ofTexts + ofRuns + Finding.Code.all.map { DiagnosticCode($0) } + ofCommands

    private static let ofScripts: [Finding.Code: CodeArticle] = Dictionary(
        uniqueKeysWithValues: Finding.Code.all.map { ($0, CodeArticle($0)) }
    )
}
