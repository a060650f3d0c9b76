// SPDX-License-Identifier: MIT

import LuaVM
import Testing

/// What hostile scripts can do: nothing that outlives their entry.
@Suite struct SandboxTests {
    @Test("an attempt ends as it should, and the next entry works", arguments: Attempt.all)
    func attempt(_ attempt: Attempt) throws {
        var configuration = LuaState.Configuration()
        // Wall time is no good measure on a busy machine; the one row that needs it is bounded
        // all the same.
        configuration.loadBudget.duration = .seconds(1)
        let script = try Script(configuration)
        #expect(outcome(of: attempt.snippet, in: script) == attempt.outcome)
        #expect(outcome(of: "local s = ('a'):rep(3) return s:upper()", in: script) == .ok)
    }

    private func outcome(of text: String, in script: Script) -> Attempt.Outcome {
        do {
            _ = try script.run(text)
            return .ok
        } catch let error as ScriptError {
            switch error.kind {
            case .memory, .instructions, .deadline, .cancelled: return .terminated
            default: return .err
            }
        } catch {
            Issue.record(error)
            return .err
        }
    }
}
