// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

/// What actions say about presenting that no tree shows.
struct PresentationTests {
    private static let script = """
        router.start(function() return router.nav { router.screen "Home" } end)
        local function sheet(name, options)
          router.register("Sheet", name, {
            build = function() return router.screen "Sheet" end,
            via = router.present(options),
            from = "Home",
          })
        end
        sheet("plain")
        sheet("all", {
          style = "formSheet", transition = "crossDissolve", size = { width = 320, height = 480.5 },
          modal = true, contextual = true, options = { detents = { "medium", "large" } },
        })
        """

    private func presentation(of task: String) throws -> Screen.Presentation {
        let fixture = try RouterFixture(Self.script)
        fixture.navigate("Sheet", task)
        guard case .present(_, _, let presentation) = fixture.host.changes.last?.operations.last
        else { throw Failure() }
        return presentation
    }

    private struct Failure: Error {}

    @Test("a host is told all that an action says about presenting")
    func all() throws {
        let presentation = try presentation(of: "all")
        #expect(presentation.style == "formSheet")
        #expect(presentation.transition == "crossDissolve")
        #expect(presentation.size == .init(width: 320, height: 480.5))
        #expect(presentation.isModal)
        #expect(presentation.isContextual)
        #expect(presentation.options == ["detents": .table(Table(list: ["medium", "large"]))])
    }

    @Test("what an action leaves out is as usual")
    func plain() throws {
        let presentation = try presentation(of: "plain")
        #expect(presentation.style == "fullScreen")
        #expect(presentation.transition == "coverVertical")
        #expect(presentation.size == nil)
        #expect(!presentation.isModal)
        #expect(!presentation.isContextual)
        #expect(presentation.options == [:])
    }
}
