// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the presentation options of actions, which the tree does not show.
@Suite(.failureReports)
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

    @Test("the host receives all presentation options")
    func all() throws {
        let presentation = try presentation(of: "all")
        #expect(presentation.style == "formSheet")
        #expect(presentation.transition == "crossDissolve")
        #expect(presentation.size == .init(width: 320, height: 480.5))
        #expect(presentation.isModal)
        #expect(presentation.isContextual)
        #expect(presentation.options == ["detents": .table(InfoTable(list: ["medium", "large"]))])
    }

    @Test("omitted presentation options have their defaults")
    func plain() throws {
        let presentation = try presentation(of: "plain")
        #expect(presentation.style == "fullScreen")
        #expect(presentation.transition == "coverVertical")
        #expect(presentation.size == nil)
        #expect(!presentation.isModal)
        #expect(!presentation.isContextual)
        #expect(presentation.options == [:])
    }

    @Test("a contextual presentation finds its presenting screen with the info of its step")
    func start() throws {
        let fixture = try RouterFixture(
            """
            router.start(function()
              return router.split {
                router.screen("Card", { id = 1 }), router.screen("Card", { id = 2 }),
              }
            end)
            router.register("Page", "show", {
              info = { id = "integer" },
              build = function(info) return router.screen("Page", { id = info.id }) end,
              adapt = function(info) return { id = info.id + 1 } end,
              from = router.newNav {
                via = router.present { contextual = true, start = { class = "Card", by = "id" } },
                from = "current",
              },
            })
            """
        )
        fixture.navigate("Page", "show", ["id": 1])
        #expect(fixture.tree == "split[Card(id=1), Card(id=2) ^ nav[Page(id=1)]]")
        let navigation = fixture.navigate("Page", "show", ["id": 7])
        #expect(navigation.error?.code == .composition)
        #expect(
            navigation.error?.message
                == "the presenting screen is missing: screen 'Card' is not in the tree"
        )
    }
}
