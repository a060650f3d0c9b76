// SPDX-License-Identifier: MIT

internal import RouteCore

extension Vocabulary {
    /// The steps that have other scripts serve.
    static let reloading: [StepForm] = [
        Form(
            "reload [[failing] PATH]",
            "has the scripts at a path serve, or the same ones anew; 'failing' sees them rejected"
        ) { parser throws(SyntaxError) in
            guard !parser.isAtEnd else { return .reload(nil, fails: false) }
            let fails = parser.take("failing")
            let path = try parser.plainText("a path")
            return .reload(path.text ?? path.description, fails: fails)
        },
        Form("restart", "ends the app and begins it again, without its tree and state") {
            _ throws(SyntaxError) in .restart
        },
    ]
}
