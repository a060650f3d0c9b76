// SPDX-License-Identifier: MIT

import LuaRouteObservation
import LuaRouting
import Testing

/// The Swift examples of this library's documentation, word for word, so that they compile.
///
/// `DocumentationTests` of `LuaRouting` looks for each of them here.
@MainActor
struct DocumentationExamples {
    @Test("the example of a connected model shows the first tree")
    func connecting() throws {
        let bundle = ScriptBundle(files: ["main.lua": Fixture.script])
        let model = RouterModel()
        let router = try Router(scripts: bundle, host: model)
        model.connect(to: router)
        router.start()
        #expect(model.windows.count == 1)
    }

    @Test("the example of a sheet prints its style")
    func sheet() throws {
        let fixture = try Fixture()
        let (model, root) = (fixture.model, fixture.root)
        fixture.navigate("sheet")
        func print(_ style: String) { #expect(style == "formSheet") }
        let sheet = model[sheet: root]
        print(sheet?.presentation.style ?? "none")  // formSheet
    }
}
