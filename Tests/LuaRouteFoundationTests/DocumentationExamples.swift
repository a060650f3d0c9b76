// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteFoundation
import LuaRouting

/// The Swift examples of the documentation, word for word, so that they compile.
///
/// `DocumentationTests` looks for each of them here.
enum DocumentationExamples {
    static func bundle(_ url: URL) throws -> ScriptBundle {
        let scripts = try ScriptBundle(directory: url)
        return scripts
    }

    static func open(_ url: URL, _ router: Router) async throws {
        try await router.open(url, origin: .external)
    }
}
