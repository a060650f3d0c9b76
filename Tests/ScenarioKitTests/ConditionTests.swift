// SPDX-License-Identifier: MIT

import ScenarioKit
import TestSupport
import Testing

/// Tests of each condition of the vocabulary: one that is true and one that is false, both with and
/// without `not`.
///
/// A condition that is always true or always false fails at least one of the four.
struct ConditionTests {
    /// Conditions in the state after ``steps``, by their words: for each word, a condition that is
    /// true and a condition that is false.
    private static let conditions: [(word: String, holds: String, fails: String)] = [
        ("tree", "tree nav[Home, Page(id=7)]", "tree nav[Home, Page(id=8)]"),
        ("tree", "tree nav[..., Page(id=_)]", "tree nav[Home]"),
        ("tree", "tree exactly nav[Home, Page(id=7)]", "tree exactly nav[Home, Page]"),
        ("window", "window second nav[Side]", "window second nav[Home]"),
        ("window", "window second exactly nav[Side]", "window third nav[Side]"),
        ("top", "top Page(id > 6)", "top Page(id > 7)"),
        ("top", "top exactly Page(id=7)", "top exactly Page"),
        ("top", "top is page", "top is home"),
        ("stack", "stack Home > Page", "stack Page > Home"),
        ("stack", "stack ... > Page(id=7)", "stack Home"),
        ("depth", "depth 2", "depth 3"),
        ("modal", "modal none", "modal Page"),
        ("done", "go done", "bad done"),
        ("error", "bad error script \"boom\"", "bad error script \"bang\""),
        ("error", "bad error script", "bad error stopped"),
        ("error", "bad error script", "go error script"),
        ("stayed", "stay stayed", "go stayed"),
        ("cancelled", "late cancelled", "go cancelled"),
        ("cancelled", "late cancelled", "late cancelled superseded"),
        ("pending", "wait pending login", "wait pending other"),
        ("pending", "go pending none", "wait pending none"),
        ("pending", "wait pending login", "go pending login"),
        ("result", "total result {sum=15}", "total result {sum=16}"),
        ("result", "total result {sum > 14, ...}", "total result {sum < 15, ...}"),
        ("result", "total result _", "total result nil"),
        ("found", "again found Page(id=7)", "again found Page(id=8)"),
        ("found", "again found Page", "go found Page"),
        ("built", "go built Page(id=7)", "go built Page(id=8)"),
        ("built", "go built Page", "go built Page Page"),
        ("built", "go built Page", "again built Page"),
        ("route", "go route Page/show", "go route Page/other"),
        ("params", "go params (id=7)", "go params (id=8)"),
        ("params", "go params (id=_)", "go params ()"),
        ("completions", "go completions 1", "go completions 2"),
        ("ops", "ops pop", "ops none"),
        ("ops", "ops pop(Home)", "ops pop push"),
        ("log", "log warn \"low\"", "log warn \"high\""),
        ("log", "log warn \"low\"", "log info \"low\""),
        ("trace", "trace log task", "trace log task log"),
        ("trace", "trace log", "trace build:Page"),
        ("called", "called Cart/note(text=\"a\")", "called Cart/note(text=\"b\")"),
        ("called", "called Cart/note times 1", "called Cart/note times 2"),
        ("called", "called Cart/note(text contains \"a\")", "called Cart/total"),
        ("services", "services Cart Page", "services Cart"),
        ("services", "services Cart Page", "services Cart Other"),
        ("state.KEY", "state.user = {name=\"ann\"}", "state.user = {name=\"bob\"}"),
        ("state.KEY", "state.user = _", "state.other = _"),
        ("state.KEY", "state.items contains 3", "state.items contains 4"),
        ("state.KEY", "state.count >= 3", "state.count > 3"),
        ("state.KEY", "state.count <= 3", "state.count < 3"),
    ]

    private static let script = """
        router.interceptor("login", function()
          local _, task = router.doTask("Server", "ask")
          task:await()
        end)
        router.interceptor("stays", function() router.stay "no" end)
        router.expects { tasks = { "Server/ask" } }
        router.register("Page", "show", {
          info = { id = "integer" }, find = { class = "Page", by = "id" },
          build = function(info) return router.screen("Page", { id = info.id }) end,
        })
        router.register("Page", "stays", { intercept = "stays", build = function() end })
        router.register("Page", "waits", { intercept = "login", build = function() end })
        router.register("Page", "fails", { build = function() error "boom" end })
        router.registerTask("Cart", "total", function(info) return { sum = info.count * 5 } end)
        router.registerTask("Cart", "note", function(_, done) router.log.warn "low" done(true) end)
        """

    private static let steps = [
        "given nav[Home]", "given window second nav[Side]", "let home = top",
        "set state.user = {name=ann}", "set state.items = {1, 3}", "set state.count = 3",
        "navigate Page/show(id=7) as go", "let page = top", "navigate Page/show(id=7) as again",
        "navigate Page/stays as stay", "navigate Page/fails as bad", "expect bad error script",
        "navigate Page/waits as late", "cancel late", "navigate Page/waits as wait",
        "expect wait pending login", "doTask Cart/total(count=3) as total",
        "doTask Cart/note(text=a) as note",
    ]

    @Test("the table of this test lists each condition of the vocabulary")
    func complete() {
        #expect(Set(Self.conditions.map(\.word)) == Set(Vocabulary.conditions.map(\.word)))
    }

    @Test("each condition and its negation are true in one state and false in another")
    func conditions() throws {
        let folder = try TemporaryFolder()
        try folder.write("main.lua", Self.script)
        var text = "use main.lua\nbackground\n" + Self.steps.map { "  \($0)\n" }.joined()
        var expected: [String: Bool] = [:]
        for (word, holds, fails) in Self.conditions {
            for (condition, isTrue) in [(holds, true), (fails, false)] {
                for isNegated in [false, true] {
                    let words = condition.split(separator: " ").map(String.init)
                    // 'not' follows the name of the request.
                    let isNamed = words[0] != word && !words[0].hasPrefix("state.")
                    var parts = words
                    if isNegated { parts.insert("not", at: isNamed ? 1 : 0) }
                    let expectation = parts.joined(separator: " ")
                    let name = "\(expected.count) \(expectation.filter { $0 != "\"" })"
                    expected[name] = isTrue != isNegated
                    // The operations and events of the last step that acts.
                    let step = word == "ops" ? "  back\n" : ""
                    text += "scenario \"\(name)\"\n\(step)  expect \(expectation)\n"
                }
            }
        }
        try folder.write("a.scenario", text)
        var errors = ""
        let report = RunCommand(paths: ["\(folder.path)/a.scenario"])
            .run(Console(output: { _ in }, errors: { errors += $0 }))
        let scenarios = report.files.flatMap(\.scenarios)
        #expect(scenarios.count == expected.count, "\(errors)")
        for scenario in scenarios {
            let failure = scenario.failures.first?.message ?? ""
            let hasPassed = scenario.outcome == .passed
            #expect(hasPassed == expected[scenario.name], "\(scenario.name): \(failure)")
        }
    }
}
