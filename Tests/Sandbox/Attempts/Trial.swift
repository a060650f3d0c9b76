// SPDX-License-Identifier: MIT

import LuaRouting

/// An attempt that was made on a router, and its result.
struct Trial {
    /// How the attempt ended when it was first made.
    ///
    /// If it ends differently at another moment, this counts as harm.
    private(set) var outcome = Attempt.Outcome.ok
    /// The result or the error message.
    private(set) var text = ""
    /// The damage that the next entry found; nil if there was none.
    private(set) var harm: String?

    private static let after = """
        router.start(function() return router.nav { router.screen "Main" } end)
        router.register("Next", "show", function() return router.screen("Next", { n = 1 }) end)
        router.registerTask("Next", "run", function()
          local sum, keys = 0, {}
          for i = 1, 1000 do sum = sum + i end
          for key in pairs { c = 1, b = 2, a = 3, 4 } do keys[#keys + 1] = key end
          return table.concat({
            ("next"):upper(), sum, math.pi, string.format("%s", {}), ("a,b"):gsub(",", ";"),
            table.concat(keys, " "), tostring(pcall(error)), #router.windows(),
          }, " ")
        end)
        """
    private static let fine = "NEXT 500500 3.1415926535898 table a;b 1 a b c false 1"

    /// Makes an attempt on a new router.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - seconds: The time limit of an entry, in seconds; nil for the limit of routers.
    init(_ attempt: Attempt, seconds: Double?) {
        var configuration = Router.Configuration(now: 0)
        if let seconds {
            configuration.budget.duration = .seconds(seconds)
            configuration.loadBudget.duration = .seconds(seconds)
        }
        var first: Attempt.Outcome?
        for moment in attempt.moments {
            let (outcome, text) = make(attempt, moment, configuration)
            guard let first else {
                first = outcome
                self.outcome = outcome
                self.text = text
                continue
            }
            if outcome != first { harm = harm ?? "\(moment): \(outcome.rawValue): \(text)" }
        }
    }

    private mutating func make(
        _ attempt: Attempt,
        _ moment: Attempt.Moment,
        _ configuration: Router.Configuration
    ) -> (Attempt.Outcome, String) {
        let call =
            switch moment {
            case .load: #"local value = require "vendor.attempt""#
            case .run:
                """
                router.registerTask("Attempt", "run", function()
                  return tostring((require "vendor.attempt"))
                end)
                """
            }
        let bundle = ScriptBundle(files: [
            "main.lua": call + "\n" + Self.after, "vendor/attempt.lua": attempt.snippet,
        ])
        do throws(RouteError) {
            let router = try Router(
                scripts: bundle,
                host: HeadlessHost(),
                configuration: configuration
            )
            router.start()
            var ended = (Attempt.Outcome.ok, "")
            if moment == .run {
                let task = router.doTask(Target("Attempt", "run"))
                // A pending task gets as much time as it needs.
                for _ in 0..<100 where task.isPending { router.advance(to: router.now + 3600) }
                switch task.status {
                case .done(let finished, _):
                    ended.1 = task.value.text ?? "\(finished) \(task.value)"
                case .failed(let error): ended = Self.read(error)
                default: ended = (.err, "\(task.status)")
                }
            }
            check(router, configuration)
            return ended
        } catch {
            // The generation is gone; the next one is none the worse.
            do throws(RouteError) {
                let router = try Router(
                    scripts: ScriptBundle(files: ["main.lua": Self.after]),
                    host: HeadlessHost(),
                    configuration: configuration
                )
                router.start()
                check(router, configuration)
            } catch {
                harm = harm ?? "the next load: \(error)"
            }
            return Self.read(error)
        }
    }

    private static func read(_ error: RouteError) -> (Attempt.Outcome, String) {
        let limits = ["chain of", "deadline", "instruction budget", "memory limit", "table size"]
        let isLimit = error.code == .budget && limits.contains { error.message.hasPrefix($0) }
        return (isLimit ? .terminated : .err, error.description)
    }

    /// Checks that the next entry is not harmed.
    private mutating func check(_ router: Router, _ configuration: Router.Configuration) {
        let task = router.doTask(Target("Next", "run"))
        if task.value.text != Self.fine { note("the next task: \(task.status) \(task.value)") }
        let navigation = router.navigate(Target("Next", "show"))
        for _ in 0..<100 where navigation.isPending { router.advance(to: router.now + 3600) }
        if case .done = navigation.status {
        } else {
            note("the next navigation: \(navigation.status)")
        }
        let rules = router.tree.checkInvariants()
        if !rules.isEmpty { note("the tree: \(rules)") }
        router.collectGarbage()
        if router.scriptMemory > 16 << 20 { note("memory: \(router.scriptMemory)") }
    }

    private mutating func note(_ text: String) { harm = harm ?? text }
}
