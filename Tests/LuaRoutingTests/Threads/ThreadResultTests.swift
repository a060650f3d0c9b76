// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// Tests of the results of screens that the host awaits.
@Suite(.timeLimit(.minutes(10)), .failureReports)
@MainActor struct ThreadResultTests {
    private let fixture: RouterFixture
    private var router: Router { fixture.router }
    private static let picker = Target("Picker", "show")

    init() throws {
        fixture = try RouterFixture(
            """
            router.start(function() return router.nav { router.screen "Main" } end)
            router.register("Picker", "show", {
              build = function() return router.nav { router.screen "Picker" } end,
              via = "present",
              intercept = function(nav)
                if nav.info.wait then router.sleep(2) end
                if nav.info.stop then router.stop("not now") end
                if nav.info.stay then router.stay("later") end
              end,
            })
            router.export("hear", function()
              local ok, value = router.navigate("Picker", "show", {}, { again = true }):result()
              router.state.heard = value
            end)
            """
        )
    }

    private var visible: ScreenID { router.tree.visibleLeaf(of: router.tree.windows[0]) }

    @Test(
        "the result of a screen is the value with which the screen is closed, in Swift and in Lua"
    )
    func value() async throws {
        let result = Task { try await router.result(of: Self.picker) }
        await until { fixture.tree == "nav[Main] ^ nav[Picker]" }
        try await router.close(visible, value: ["size": "M"])
        #expect(try await result.value == ["size": "M"])
        router.call("hear") { _ in }
        try await router.close(visible, value: "L")
        #expect(router.state["heard"] == "L")
    }

    @Test(
        "the result of a screen that is closed without a value, dismissed, or left by the user is nil",
        arguments: ["close", "dismiss", "report"]
    )
    func none(way: String) async throws {
        let result = Task { try await router.result(of: Self.picker) }
        await until { fixture.tree == "nav[Main] ^ nav[Picker]" }
        switch way {
        case "close": try await router.close(visible)
        case "dismiss": try await router.dismiss()
        default: router.report(.dismissed(presenter: router.tree.windows[0].root))
        }
        #expect(try await result.value == nil)
        #expect(fixture.tree == "nav[Main]")
    }

    @Test("the result of a failed navigation throws its error; the outcome 'stayed' has no result")
    func failure() async throws {
        let error = await #expect(throws: RouteError.self) {
            try await router.result(of: Self.picker, info: ["stop": true])
        }
        #expect(error?.code == .stopped)
        #expect(try await router.result(of: Self.picker, info: ["stay": true]) == nil)
        #expect(fixture.log == [])
    }

    @Test(
        "cancelling the Swift task cancels a pending navigation, but keeps a screen that is already shown"
    )
    func cancel() async throws {
        let pending = Task { try await router.result(of: Self.picker, info: ["wait": true]) }
        await until { !router.pending.isEmpty }
        pending.cancel()
        await expectCancelled(pending)
        #expect(router.pending.isEmpty)
        let shown = Task { try await router.result(of: Self.picker) }
        await until { fixture.tree == "nav[Main] ^ nav[Picker]" }
        shown.cancel()
        await expectCancelled(shown)
        #expect(fixture.tree == "nav[Main] ^ nav[Picker]")
    }

    private func expectCancelled(_ task: Task<Value?, any Error>) async {
        let error = await #expect(throws: RouteError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("a wait for a result throws at its timeout, but a later wait still receives the result")
    func timeout() async throws {
        let navigation = navigate()
        let limited = Task { try await router.result(of: navigation, timeout: 5) }
        await until { router.nextDeadline != nil }
        router.advance(to: router.now + 5)
        let error = await #expect(throws: RouteError.self) { try await limited.value }
        #expect(error?.code == .timeout)
        #expect(router.nextDeadline == nil)
        var heard: [Value?] = []
        router.result(of: navigation, timeout: 5) { heard.append(try? $0.get()) }
        try await router.close(visible, value: 7)
        #expect(heard == [7])
        #expect(router.nextDeadline == nil)
        router.result(of: navigation) { heard.append(try? $0.get()) }
        #expect(heard == [7, 7])
    }

    private func navigate() -> Navigation { router.navigate(Self.picker) }

    @Test(
        "each change of the visible screen is an element of 'shown', even if the element is read late"
    )
    func shown() async throws {
        let shown = router.shown
        for _ in 1...600 {
            try await router.navigate(Self.picker)
            try await router.dismissAll()
        }
        var elements: [Shown] = []
        for await element in shown {
            elements.append(element)
            if elements.count == 1_200 { break }
        }
        #expect(elements.prefix(2).map(\.class) == ["Picker", "Main"])
        #expect(elements[0].window == "main")
        #expect(elements[0].previous == "Main")
        #expect(elements[0].cause == "Picker/show")
        #expect(elements[1].cause == "dismissAll")
        #expect(elements.allSatisfy { $0.class == $0.screen })
    }
}
