// SPDX-License-Identifier: MIT

import ArgumentParser
import ScenarioKit

/// Says what the code of a diagnostic means.
struct ExplainError: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-error",
        abstract: "Say what the code of a diagnostic means, with an example.",
        discussion: """
            luaroute explain-error L0203   what this one means
            luaroute explain-error         all codes, one a line

            Exit codes: 0 all is fine, 64 there is no such code.
            """
    )

    @Argument(help: ArgumentHelp("The code, such as L0203.", valueName: "code"))
    var code: String?

    func validate() throws {
        guard let code, DiagnosticCode(named: code) == nil else { return }
        let known = DiagnosticCode.all.map(\.description)
        throw ValidationError(
            UsageError("there is no code '\(code)'", word: code.uppercased(), known: known).message
        )
    }

    func run() throws {
        let streams = Streams()
        if let code = code.flatMap(DiagnosticCode.init(named:)) {
            streams.output(code.explanation)
        } else {
            for code in DiagnosticCode.all { streams.output("\(code)  \(code.title)\n") }
        }
        throw streams.exit(.success)
    }
}
