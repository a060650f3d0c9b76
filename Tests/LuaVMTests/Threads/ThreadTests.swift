// SPDX-License-Identifier: MIT

import LuaVM
import TestSupport
import Testing

@Suite struct ThreadTests {
    @Test("a coroutine that does not wait behaves like a call")
    func noWait() throws {
        let waiting = try Waiting()
        let function = try waiting.script.function(
            "return function(a, b) return a .. b, {a}, nil, wait end"
        )
        let progress = try waiting.state.begin(function, results: 5) { writer in
            writer.write("x")
            writer.write(Int64(2))
        }
        #expect(Waiting.text(progress) == "\"x2\" {\"x\"} nil function nil")
        #expect(
            Waiting.text(
                try waiting.state.begin(function) {
                    $0.write("x"); $0.write("y")
                }
            ) == ""
        )
        #expect(waiting.state.liveThreads == 0)
        #expect(!waiting.state.isRunning)
    }

    @Test("the values passed to 'resume' become the results of the call that waited")
    func values() throws {
        let waiting = try Waiting()
        let thread = try waiting.thread(
            """
            local a, b, c = wait('lost', {})
            local n = select('#', wait())
            return a + b, c, n, wait()
            """
        )
        #expect(waiting.state.liveThreads == 1)
        #expect(waiting.state.isWaiting(thread))
        #expect(!waiting.state.isRunning)
        #expect(try waiting.resume(thread, 2, 3) == "waits")
        #expect(try waiting.resume(thread, 1, 2, 3, 4) == "waits")
        let values = try waiting.resume(thread, 7, 8, results: 6)
        #expect(values == "5 nil 4 7 8 nil")
        #expect(!waiting.state.isWaiting(thread))
        #expect(waiting.state.liveThreads == 0)
    }

    @Test(
        "a coroutine accepts values of every kind, and more values than its initial stack can hold"
    )
    func manyValues() throws {
        let waiting = try Waiting()
        let thread = try waiting.thread("local t = {wait()} return #t, t[1], t[300]")
        let progress = try waiting.state.resume(thread, results: 3) { writer in
            writer.beginTable(list: 1, entries: 0)
            writer.write("a")
            for value in 2...300 { writer.write(Int64(value)) }
        }
        #expect(Waiting.text(progress) == "300 {\"a\"} 300")
    }

    @Test("a coroutine keeps its identity when it waits repeatedly")
    func again() throws {
        let waiting = try Waiting()
        let thread = try waiting.thread("local n = 0 while n < 100 do n = n + wait() end return n")
        for _ in 1..<100 {
            guard
                case .waits(let again) = try waiting.state.resume(
                    thread,
                    values: { $0.write(Int64(1)) }
                )
            else { break }
            #expect(again === thread)
        }
        #expect(try waiting.resume(thread, 1) == "100")
    }

    // MARK: Where

    /// Calls of `f`, each with whether `f` may wait in the call.
    static let places: [(String, Bool)] = [
        ("return f()", true),
        ("return (f())", true),
        ("local x = f() return x", true),
        ("return select(2, pcall(f))", true),
        ("return select(3, pcall(pcall, f))", true),
        ("return select(2, pcall(function() return f() end))", true),
        ("for x in f do return x end", true),
        // Calls by an instruction of a script.
        ("return setmetatable({}, {__index = f}).x", true),
        ("return setmetatable({}, {__add = f}) + 1", true),
        ("return -setmetatable({}, {__unm = f})", true),
        ("return setmetatable({}, {__idiv = f}) // 1", true),
        ("return #setmetatable({}, {__len = f})", true),
        ("return setmetatable({}, {__call = f})()", true),
        ("return setmetatable({}, {__lt = f}) < {}", true),
        ("return setmetatable({}, {__eq = f}) == setmetatable({}, {})", true),
        ("return screen.title", true),
        // Calls by a function of a library or of the host.
        ("local r = false table.sort({1, 2}, function() r = f() end) return r", false),
        ("local r ('x'):gsub('x', function() r = f() end) return r", false),
        (
            "local r tostring(setmetatable({}, {__tostring = function() r = f() return '' end})) return r",
            false
        ),
        (
            "local r ('%s'):format(setmetatable({}, {__tostring = function() r = f() return '' end})) return r",
            false
        ),
        ("local r pairs(setmetatable({}, {__pairs = function() r = f() end})) return r", false),
        ("local r enter(function() r = f() end) return r", false),
        ("local r enter(function() pcall(function() r = f() end) end) return r", false),
        ("local r first(function() r = f() end) return r", false),
        ("local r pcall(enter, function() r = f() end) return r", false),
    ]

    private static func prepare() throws -> Waiting {
        let waiting = try Waiting()
        let state = waiting.state
        let type = try state.defineType(
            name: "Screen",
            index: { frame in
                if frame.string(at: 1) == "title" { frame.returnBoolean(frame.canWait) }
                if frame.string(at: 1) == "late" { frame.wait() }
            }
        )
        try state.setGlobal("screen", in: waiting.script.environment) { $0.write(type, 1) }
        try waiting.script.define("first") { frame in
            guard let function = frame.function(at: 0) else { return }
            _ = try frame.state.firstIndex(of: type, in: [1], where: function)
        }
        return waiting
    }

    @Test("a function can find out whether its call may wait", arguments: places)
    func canWait(_ chunk: String, _ expected: Bool) throws {
        let waiting = try Self.prepare()
        let probing = "local f = probe " + chunk
        #expect(Waiting.text(try waiting.begin(probing)) == "\(expected)")
        // After a wait too, and in a coroutine that a plain entry began.
        let thread = try waiting.thread("wait() " + probing)
        #expect(try waiting.resume(thread) == "\(expected)")
        #expect(
            try waiting.script.text("return start('a', function() \(probing) end)")
                == "\"\(expected)\""
        )
        // Never in a plain entry.
        #expect(try waiting.script.text(probing) == "false")
    }

    @Test(
        "a function may wait only where waiting is allowed; elsewhere, waiting is a script error",
        arguments: places.filter { !$0.0.contains("screen") }
    )
    func waits(_ chunk: String, _ expected: Bool) throws {
        let waiting = try Self.prepare()
        let chunk = "local f = function() return wait() end " + chunk
        guard expected else {
            let isCaught = chunk.contains("pcall")
            #expect(waiting.error(chunk)?.message == (isCaught ? nil : "cannot wait here"))
            #expect(waiting.error("wait() " + chunk)?.line == (isCaught ? nil : 1))
            #expect(waiting.state.liveThreads == 0)
            return
        }
        let thread = try waiting.thread(chunk)
        let text = try waiting.resume(thread, 1)
        #expect(text == "1" || text == "true")
        #expect(
            waiting.script.error(chunk)?.message
                == (chunk.contains("pcall") ? nil : "cannot wait here")
        )
    }

    @Test("reading a member of an object may wait")
    func member() throws {
        let waiting = try Self.prepare()
        let thread = try waiting.thread("return screen.late, screen.title")
        #expect(try waiting.resume(thread, 5, results: 2) == "5 true")
    }

    @Test("an error thrown after a request to wait takes precedence")
    func throwing() throws {
        let waiting = try Waiting()
        try waiting.script.define("both") { frame in
            frame.wait()
            throw ErrorTests.Failure()
        }
        #expect(waiting.error("both()")?.underlying is ErrorTests.Failure)
        #expect(waiting.state.liveThreads == 0)
    }

    // MARK: pcall

    @Test(
        "`pcall` catches an error that is raised after a wait",
        arguments: [
            ("return pcall(function() return wait() end)", "true 1 nil"),
            ("return pcall(function() wait() error('x', 0) end)", "false \"x\" nil"),
            ("return pcall(function() wait() error('x') end)", "false \"test.lua:1: x\" nil"),
            ("return pcall(function() wait() error({1}) end)", "false {1} nil"),
            (
                "return pcall(function() wait() local x = nil + 1 end)",
                "false \"test.lua:1: attempt to perform arithmetic on a nil value\" nil"
            ),
            (
                "return pcall(function() wait() fail() end)",
                "false \"test.lua:1: no such screen\" nil"
            ),
            ("return pcall(pcall, function() wait() error('x', 0) end)", "true false \"x\""),
            (
                "local a, b = pcall(function() wait() error('x', 0) end) return a, b, wait()",
                "false \"x\" 1"
            ),
            (
                "return pcall(function() local _, e = pcall(function() wait() error('x', 0) end) wait() error(e .. 'y', 0) end)",
                "false \"xy\" nil"
            ),
            (
                "local n = 0 for i = 1, 50 do n = n + select(2, pcall(function() return wait() end)) end return n",
                "50 nil nil"
            ),
            (
                "local function f(n) if n == 0 then wait() error('deep', 0) end local _, e = pcall(f, n - 1) wait() error(e, 0) end return pcall(f, 20)",
                "false \"deep\" nil"
            ),
            ("wait() return pcall(error, 'x')", "false \"x\" nil"),
            (
                "return pcall(setmetatable({}, {__call = function() return wait() end}))",
                "true 1 nil"
            ),
            (
                "local t = setmetatable({}, {__index = function() wait() error('x', 0) end}) return pcall(function() return t.x end)",
                "false \"x\" nil"
            ),
        ]
    )
    func protected(_ chunk: String, _ expected: String) throws {
        let waiting = try Waiting()
        try waiting.script.define("fail") { _ in throw ErrorTests.Failure() }
        var progress = try waiting.begin(chunk, results: 3)
        while case .waits(let thread) = progress {
            progress = try waiting.state.resume(thread, results: 3) { $0.write(Int64(1)) }
        }
        #expect(Waiting.text(progress) == expected)
        #expect(waiting.state.liveThreads == 0)
    }

    // MARK: Errors

    @Test(
        "an error in a coroutine has the same form as an error in a call",
        arguments: [
            "local x = nil + 1", "error('own')", "local function f() error('caller', 2) end f()",
            "error('bare', 0)", "error({})", "error()", "local t = {} t.x.y = 1",
            "error(setmetatable({}, {__tostring = function() return 'text' end}))",
            "error(setmetatable({}, {__tostring = function() error('x') end}))",
            "error(setmetatable({}, {__tostring = function() return {} end}))",
            "error(setmetatable({}, {__tostring = function() while true do end end}))",
            "error(setmetatable({}, {__tostring = halt}))",
            "local ok, e = pcall(function() error('first') end) error(e, 0)",
            "local function deep() fail() end deep()", "pcall(error, 'x') fail()",
            "local ok, e = pcall(fail) error(e, 0)", "pcall(fail) error('mine')",
            "halt()", "pcall(halt)", "local function f() pcall(halt) end f()",
            "through(function() error('x') end)", "through(fail)", "through(halt)",
            "through(function() error({}) end)",
            "local function f(n) if n == 0 then error('x') end f(n - 1) return 1 end f(90)",
            "local function f() return f() + 1 end f()",
            "local function f() return pcall(f) end f() error('x')",
            "local function f() return tostring(setmetatable({}, {__tostring = f})) end f()",
            "while true do end", "pcall(function() while true do end end)",
            "local s = 'x' while true do s = s .. s end",
            "local t = {} while true do t[#t + 1] = {} end",
            "table.sort({3, 2, 1}, function() while true do end end)",
            "table.sort({3, 2, 1}, function() fail() end)",
            "('x'):gsub('x', function() error('in') end)",
            "enter(function() fail() end)", "enter(function() error('x') end)",
        ]
    )
    func errors(_ chunk: String) throws {
        let waiting = try Waiting()
        let failure = ErrorTests.Failure()
        let end = EndTests.Stop()
        try waiting.script.define("fail") { _ in throw failure }
        try waiting.script.define("halt") { _ in throw end }
        try waiting.script.define("through") { frame in
            guard let function = frame.function(at: 0) else { return }
            try frame.state.call(function)
        }
        let expected = try #require(waiting.script.error("\n" + chunk))
        for waits in Self.waits {
            let error = try #require(waiting.error("\n" + waits + chunk))
            #expect(error.kind == expected.kind)
            #expect(error.message == expected.message)
            #expect(error.chunk == expected.chunk)
            #expect(error.line == expected.line)
            #expect(error.traceback == expected.traceback)
            #expect(Self.identity(error.underlying) == Self.identity(expected.underlying))
            #expect(waiting.state.liveThreads == 0)
            #expect(try waiting.script.text("return 1") == "1")
            #expect(Waiting.text(try waiting.begin("return 1")) == "1")
        }
    }

    /// Operations that a coroutine may have completed before it waits.
    private static let waits = [
        "", "wait(); ", "pcall(wait); wait(); ", "pcall(function() wait() error('no') end); ",
    ]

    @Test("an error that is caught before a wait and raised again afterwards is the same instance")
    func caughtBefore() throws {
        let tracker = LifetimeTracker()
        let waiting = try Waiting()
        try waiting.script.define("fail") { _ in
            throw ErrorTests.Failure(token: tracker.track())
        }
        let thread = try waiting.thread("local ok, e = pcall(fail)\nwait() error(e, 0)")
        _ = try waiting.script.run("return pcall(error, 'x')")
        #expect(tracker.liveCount == 1)
        do {
            let error = #expect(throws: ScriptError.self) { try waiting.resume(thread) }
            #expect(error?.underlying is ErrorTests.Failure)
        }
        #expect(tracker.liveCount == 0)
        // Other errors that came between change nothing.
        let other = try waiting.thread("local ok, e = pcall(fail) wait() error(e, 0)")
        _ = waiting.script.error("error('y')")
        let error = #expect(throws: ScriptError.self) { try waiting.resume(other) }
        #expect(error?.message.hasSuffix("no such screen") == true)
        #expect(error?.underlying is ErrorTests.Failure)
    }

    private static func identity(_ error: (any Error)?) -> String {
        switch error {
        case let failure as ErrorTests.Failure: "\(ObjectIdentifier(failure))"
        case let end as EndTests.Stop: "\(ObjectIdentifier(end))"
        case let error as ScriptError: "\(error.kind) \(error) \(identity(error.underlying))"
        case nil: "none"
        case .some(let other): "\(other)"
        }
    }

    @Test("a 'ScriptEnd' inside a 'pcall' that waited ends only that coroutine")
    func ends() throws {
        let waiting = try Waiting()
        let end = EndTests.Stop()
        try waiting.script.define("halt") { _ in throw end }
        let thread = try waiting.thread(
            """
            pcall(function()
              pcall(function() wait() pcall(halt) note('on') end) note('on')
            end)
            note('on')
            """
        )
        let other = try waiting.thread("return wait()")
        let error = #expect(throws: ScriptError.self) { try waiting.resume(thread) }
        #expect(error?.kind == .ended)
        #expect(error?.underlying as? EndTests.Stop === end)
        #expect(error?.line == 2)
        #expect(waiting.notes == [])
        #expect(try waiting.resume(other, 4) == "4")
        // Within another coroutine, which goes on.
        #expect(
            Waiting.text(
                try waiting.begin(
                    "start('b', function() wait() halt() end) local ok, e = pcall(go, 'b') return ok, e, wait and 1",
                    results: 3
                )
            ) == "false \"test.lua:1: ended\" 1"
        )
    }

    // MARK: One within another

    @Test("a coroutine can start a second coroutine, which waits while the first continues")
    func nested() throws {
        let waiting = try Waiting()
        let first = try waiting.thread(
            """
            local b = start('b', function() local x = wait() note('b ' .. x) return wait() end)
            note(b) note('a ' .. wait())
            local again = go('b', 5)
            return again, probe()
            """
        )
        #expect(waiting.notes == ["waits"])
        #expect(waiting.state.liveThreads == 2)
        #expect(try waiting.resume(first, 9, results: 2) == "\"waits\" true")
        #expect(waiting.notes == ["waits", "a 9", "b 5"])
        let second = try #require(waiting.threads["b"])
        #expect(try waiting.resume(second, 6) == "6")
        #expect(waiting.state.liveThreads == 0)
    }

    @Test("a running coroutine cannot be resumed or cancelled")
    func running() throws {
        let waiting = try Waiting()
        let thread = try waiting.thread(
            """
            wait()
            stop('a')
            local ok, e = pcall(go, 'a')
            local ok2, e2 = pcall(start, 'b', function() stop('a') go('a') end)
            return e, e2, wait()
            """
        )
        waiting.threads["a"] = thread
        #expect(try waiting.resume(thread) == "waits")
        let message = "cannot resume a coroutine that is running"
        let results = try waiting.resume(thread, 1, results: 3)
        #expect(results == "\"\(message)\" \"\(message)\" 1")
    }

    @Test("a finished coroutine cannot be resumed")
    func ended() throws {
        let waiting = try Waiting()
        func message(_ thread: LuaThread) -> String? {
            let error = #expect(throws: ScriptError.self) { try waiting.resume(thread) }
            #expect(error?.kind == .runtime)
            return error?.message
        }
        let returned = try waiting.thread("wait()")
        #expect(try waiting.resume(returned) == "nil")
        let failed = try waiting.thread("wait() error('x')")
        #expect(message(failed) == "x")
        let cancelled = try waiting.thread("wait() note('on')")
        waiting.state.cancel(cancelled)
        // Each of their threads is another's by now.
        let other = try waiting.thread("return wait()")
        for thread in [returned, failed, cancelled] {
            #expect(message(thread) == "cannot resume a coroutine that has ended")
            waiting.state.cancel(thread)
            #expect(!waiting.state.isWaiting(thread))
        }
        #expect(waiting.notes == [])
        #expect(try waiting.resume(other, 3) == "3")
    }

    @Test("a coroutine can be cancelled at any wait, from any context")
    func cancel() throws {
        let waits = [
            "wait()", "pcall(wait)", "pcall(pcall, function() wait() end)", "for x in wait do end",
            "local function f(n) if n == 0 then wait() end f(n - 1) end f(150)",
            "local function f(n) if n == 0 then wait() end pcall(f, n - 1) end f(150)",
            "local x = setmetatable({}, {__index = function() pcall(wait) end}).x",
            "local x <close> = nil local t = {} local f = function() return t end wait(f)",
        ]
        let waiting = try Waiting()
        for wait in waits {
            let source =
                "local n = 1 local f = function() n = n + 1 end pcall(function() \(wait) note('on') end) note('on')"
            let thread = try waiting.thread(source)
            waiting.state.cancel(thread)
            #expect(waiting.state.liveThreads == 0)
            waiting.threads["a"] = try waiting.thread(source)
            #expect(
                try waiting.script.text("return start('b', function() stop('a') return wait() end)")
                    == "\"waits\""
            )
            #expect(waiting.state.liveThreads == 1)
            waiting.threads["b"] = nil
        }
        #expect(waiting.notes == [])
        #expect(waiting.state.liveThreads == 0)
    }

    @Test("objects shared with a cancelled coroutine remain usable")
    func sharedUpvalue() throws {
        let waiting = try Waiting()
        let thread = try waiting.thread(
            "local n = 1 f = function() n = n + 1 return n end n = 5 wait()"
        )
        waiting.state.cancel(thread)
        _ = try waiting.begin("local a, b, c = 7, 8, 9 return a")
        #expect(try waiting.script.text("return f(), f()", results: 2) == "6 7")
    }

    @Test("a value that cannot be converted leaves the coroutine waiting")
    func refusedValue() throws {
        let waiting = try Waiting()
        let other = try Script()
        let foreign = try other.function("return type")
        let thread = try waiting.thread("return wait()")
        for _ in 0..<2 {
            let error = #expect(throws: ScriptError.self) {
                try waiting.state.resume(thread) { $0.write(foreign) }
            }
            #expect(error?.kind == .conversion)
            let deep = #expect(throws: ScriptError.self) {
                try waiting.state.resume(thread) { writer in
                    writer.write(Int64(1))
                    for _ in 0..<40 { writer.beginTable(list: 1, entries: 0) }
                    writer.writeNil()
                }
            }
            #expect(deep?.kind == .conversion)
            #expect(waiting.state.isWaiting(thread))
        }
        #expect(try waiting.resume(thread, 4) == "4")
        #expect(throws: ScriptError.self) {
            try waiting.state.begin(waiting.script.function("return type")) { $0.write(foreign) }
        }
        // A result that cannot cross: it has ended.
        let result = try waiting.thread("wait() local t = {} t.t = t return t")
        let error = #expect(throws: ScriptError.self) { try waiting.resume(result) }
        #expect(error?.kind == .conversion)
        #expect(waiting.state.liveThreads == 0)
        #expect(throws: ScriptError.self) { try other.state.resume(thread) }
        other.state.cancel(thread)
        #expect(!other.state.isWaiting(thread))
    }
}
