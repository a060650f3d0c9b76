// SPDX-License-Identifier: MIT

#if CommandLine
import ArgumentParser
import ScenarioKit

/// Says what a code means.
struct ExplainError: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-error",
        abstract: "Say what the code of a diagnostic or an error means, with an example.",
        discussion: """
            luaroute explain-error L0203      what this one means
            luaroute explain-error notFound   what a navigation that ends so says
            luaroute explain-error            all codes, one a line

            Exit codes: 0 all is fine, 64 there is no such code.
            """
    )

    @Argument(help: ArgumentHelp("The code, such as L0203 or notFound.", valueName: "code"))
    var code: String?

    func validate() throws {
        guard let code, CodeArticle.named(code) == nil else { return }
        // The letter of a numbered code is a capital, which nobody has to know.
        let word = code.contains(where: \.isNumber) ? code.uppercased() : code
        let known = CodeArticle.all.map(\.code)
        let error = UsageError("there is no code '\(code)'", word: word, known: known)
        throw ValidationError(error.message)
    }

    func run() throws {
        let streams = Streams()
        if let article = code.flatMap(CodeArticle.named) {
            streams.output(article.text)
        } else {
            streams.output(CodeArticle.list)
        }
        throw streams.exit(.success)
    }
}
#endif
