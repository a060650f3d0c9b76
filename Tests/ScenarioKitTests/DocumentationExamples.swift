// SPDX-License-Identifier: MIT

import LuaRouting
import ScenarioKit

/// The Swift examples of this library's documentation, word for word, so that they compile.
///
/// `DocumentationTests` of the other library looks for each of them here.
enum DocumentationExamples {
    static func watch(wait: (_ inputs: WatchedInputs) -> Bool) {
        let watch = Watch(WatchCommand(paths: ["routes"]), Console { print($0) })
        _ = watch.begin()
        while wait(watch.inputs) {
            if watch.hasNews { watch.update() }
        }
    }

    static func article() {
        if let article = CodeArticle.named("S0107") { print(article.text) }
    }

    static func explorer() throws {
        let explorer = Explorer(bundle: try ScriptBundle(path: "scripts/podcast"))
        let report = try explorer.explore()
        for finding in report.findings { print(finding.code, finding.title, finding.steps) }
    }

    static func canary() throws -> Router.Configuration {
        let canary = try Canary(paths: ["smoke.scenario"])
        var configuration = Router.Configuration()
        configuration.canary = canary.check
        return configuration
    }
}
