// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

/// Tests that host objects of scripts are returned to the host, no matter where Lua frees them.
@Suite struct DroppedTests {
    @Test("an object that is released while the C stack is full is still reported to the host")
    func deepStack() throws {
        let tracker = LifetimeTracker()
        let script = try Script()
        var released: Set<Int64> = []
        let type = try script.state.defineType(name: "Screen", released: { released.insert($0) })
        try script.define("object") { frame in
            frame.returnObject(type, frame.integer(at: 0) ?? 0)
            let token = tracker.track()
            try frame.returnFunction(frame.state.makeFunction(name: "made") { _ in _ = token })
        }
        // Each `pcall` takes a part of the C stack. The garbage is collected where it is full.
        let text = """
            local function deep()
              if pcall(deep) then return end
              for i = 1, 400 do object(i) end
              for i = 1, 20000 do local garbage = {i} end
            end
            return pcall(deep)
            """
        #expect(try script.text(text, results: 2) == "true nil")
        script.state.collectGarbage()
        #expect(released == Set(1...400))
        #expect(script.state.liveObjects == 0)
        #expect(tracker.liveCount == 0)
    }

    @Test("each object that scripts reference is reported to the host once when the state closes")
    func close() throws {
        var released: [Int64] = []
        do {
            let waiting = try Waiting()
            let type = try waiting.state.defineType(
                name: "Screen",
                released: { released.append($0) }
            )
            try waiting.script.define("object") { $0.returnObject(type, $0.integer(at: 0) ?? 0) }
            _ = try waiting.script.run("global = object(1)  local dropped = object(2)")
            let thread = try waiting.thread("local held = object(3) wait() return held")
            let cancelled = try waiting.thread("local held = object(4) wait() return held")
            waiting.state.cancel(cancelled)
            #expect(waiting.state.isWaiting(thread))
            #expect(released == [])
        }
        #expect(released.sorted() == [1, 2, 3, 4])
    }

    @Test("a reused identifier is reported as released once, even when its state closes")
    func newer() throws {
        var released: [Int64] = []
        do {
            let script = try Script()
            let type = try script.state.defineType(
                name: "Screen",
                released: { released.append($0) }
            )
            try script.define("object") { $0.returnObject(type, $0.integer(at: 0) ?? 0) }
            for _ in 0..<300 {
                let text = "for i = 1, 30 do local o = object(i) local garbage = {i, {i}} end"
                _ = try script.run(text)
            }
            released = []
            script.state.collectGarbage()
            released = []
            _ = try script.run("for i = 1, 30 do kept = object(i) end")
        }
        #expect(released.sorted() == Array(1...30))
    }

    @Test("an object argument of a call into Lua that is nested too deeply is reported to the host")
    func tooDeep() throws {
        let waiting = try Waiting()
        var released: Set<Int64> = []
        var written: Set<Int64> = []
        let type = try waiting.state.defineType(name: "Screen", released: { released.insert($0) })
        let down = try waiting.script.function("return function(screen) return down() end")
        try waiting.script.define("down") { frame in
            _ = try frame.state.begin(down, results: 1) { writer in
                let number = Int64(written.count + 1)
                written.insert(number)
                writer.write(type, number)
            }
        }
        let error = waiting.script.error("down()")
        #expect(
            error?.message == "calls between host and script are nested more than 32 levels deep"
        )
        waiting.state.collectGarbage()
        #expect(written.count == 32)
        #expect(released == written)
    }
}
