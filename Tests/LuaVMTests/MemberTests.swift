// SPDX-License-Identifier: MIT

import LuaVM
import Testing

@Suite struct MemberTests {
    /// A script with the function `object(identifier)`, which counts each request for a member of
    /// an object.
    private final class Members {
        let script: Script
        let type: ObjectType
        var asked: [String] = []
        var released: [Int64] = []
        var isNamed = true

        init(_ configuration: LuaState.Configuration = .patient) throws {
            script = try Script(configuration)
            // The state owns the closures, and this owns the state.
            weak var members: Members?
            type = try script.state.defineType(
                name: "Screen",
                index: { frame in try members?.read(&frame) },
                newIndex: { frame in
                    members?.asked.append("set")
                    guard let object = frame.object(at: 0) else { return }
                    frame.state.forgetMembers(of: object.type, object.identifier)
                },
                description: { $0.returnString("screen \($0.object(at: 0)?.identifier ?? 0)") },
                released: { members?.released.append($0) }
            )
            members = self
            let type = type
            try script.define("object") { $0.returnObject(type, $0.integer(at: 0) ?? 0) }
            try script.define("forget") { frame in
                guard let object = frame.object(at: 0) else { return }
                frame.state.forgetMembers(of: object.type, object.identifier)
            }
        }

        struct NoMember: ScriptMessage {
            let scriptMessage: String
        }

        private func read(_ frame: inout CallFrame) throws {
            #expect(frame.count == 2)
            guard let (type, identifier) = frame.object(at: 0) else {
                Issue.record("expected an object")
                return
            }
            let key = frame.string(at: 1) ?? ""
            asked.append(key)
            switch key {
            case "id": frame.returnInteger(identifier)
            case "weight": frame.returnNumber(1.5)
            case "isOpen": frame.returnBoolean(false)
            case "name":
                if isNamed { frame.returnString("n\(identifier)") } else { frame.returnNil() }
            case "long": frame.returnString(String(repeating: "x", count: 60_000))
            case "info": try frame.returnValues { $0.beginTable(list: 0, entries: 0) }
            case "parent": frame.returnObject(type, identifier + 1)
            case "none": break
            case "stale":
                frame.returnInteger(1)
                frame.keepResult()
                frame.state.forgetMembers(of: type, identifier)
                return
            case "early":
                frame.state.forgetMembers(of: type, identifier)
                frame.returnInteger(1)
            case "fresh":
                frame.returnInteger(2)
                return
            case "stop": throw EndTests.Stop()
            case _ where key.hasPrefix("m"): frame.returnString(key)
            case _ where key.hasPrefix("nil"): frame.returnNil()
            default: throw NoMember(scriptMessage: "no member '\(key)'")
            }
            frame.keepResult()
        }
    }

    @Test("a scalar or string member that is cached is read from the host only once")
    func once() throws {
        let members = try Members()
        let read = "local s = object(7) return s.id, s.weight, s.isOpen, s.name"
        for _ in 1...3 {
            #expect(try members.script.text(read, results: 4) == "7 1.5 false \"n7\"")
        }
        #expect(members.asked == ["id", "weight", "isOpen", "name"])
        #expect(try members.script.text("return object(8).id, object(7).id", results: 2) == "8 7")
        #expect(members.asked.count == 5)
    }

    @Test("a nil member is also cached, independently of uncached members")
    func keptNil() throws {
        let members = try Members()
        members.isNamed = false
        let read = "local s = object(1) return s.name, s.name, s.id, s.name, s.id"
        #expect(try members.script.text(read, results: 5) == "nil nil 1 nil 1")
        #expect(members.asked == ["name", "id"])
        members.isNamed = true
        members.script.state.forgetMembers(of: members.type, 1)
        #expect(try members.script.text("return object(1).name, object(1).name") == "\"n1\"")
        #expect(members.asked == ["name", "id", "name"])
    }

    @Test("members with long names and keys that are not names do not fill the cache")
    func otherKeys() throws {
        let members = try Members()
        let long = "nil" + String(repeating: "x", count: 100)
        _ = try members.script.run("s = object(1) return s.id")
        for _ in 1...40 {
            #expect(try members.script.text("return s.\(long), s.id", results: 2) == "nil 1")
        }
        for key in ["1", "1.5", "true", "s", "{}", "print or type"] {
            #expect(
                members.script.error("return s[\(key)]")?.message.hasPrefix("no member") == true
            )
        }
        // A write to the key of a member that is kept goes to the host too.
        _ = try members.script.run("s.id = 5")
        #expect(members.asked.last == "set")
    }

    @Test("tables, objects, members without the cache mark and missing results are not cached")
    func unkept() throws {
        let members = try Members()
        for key in ["info", "parent", "fresh", "none"] {
            _ = try members.script.run("local s = object(1) return s.\(key), s.\(key)")
            #expect(members.asked == [key, key])
            members.asked = []
        }
        // A result that another function marks is a result.
        try members.script.define("one") { frame in
            frame.returnInteger(1)
            frame.keepResult()
        }
        #expect(try members.script.text("return one() + one()") == "2")
    }

    @Test("caching members does not change the identity of an object")
    func same() throws {
        let members = try Members()
        #expect(
            try members.script.text(
                """
                local s = object(3)
                local t = {[s] = 'key'}
                local before = tostring(s)
                local id = s.id
                return s == object(3), t[object(3)], before == tostring(s), tostring(s),
                    getmetatable(s), s.id
                """,
                results: 6
            ) == "true \"key\" true \"screen 3\" nil 3"
        )
        let error = members.script.error("local s = object(3)\nlocal id = s.id\nreturn s.nothing")
        #expect(error?.message == "no member 'nothing'")
        #expect(error?.line == 3)
        #expect(
            members.script.error("local s = object(3) pcall(function() return s.stop end)")?.kind
                == .ended
        )
        #expect(
            members.script.error("return #object(3)")?.message
                == "attempt to get length of a Screen value"
        )
    }

    @Test("a member that is invalidated for one object is read and cached again")
    func forget() throws {
        let members = try Members()
        let read = "return object(1).name, object(2).name"
        _ = try members.script.run("a, b = object(1), object(2) \(read)")
        members.isNamed = false
        members.script.state.forgetMembers(of: members.type, 1)
        members.script.state.forgetMembers(of: members.type, 99)
        #expect(try members.script.text(read, results: 2) == "nil \"n2\"")
        members.isNamed = true
        #expect(
            try members.script.text("forget(a) return a.name, b.name", results: 2)
                == "\"n1\" \"n2\""
        )
        #expect(
            try members.script.text("a.x = 1 return a.name, a.name", results: 2) == "\"n1\" \"n1\""
        )
        #expect(members.asked == ["name", "name", "name", "name", "set", "name"])
    }

    @Test("a member that is invalidated while it is read is not cached")
    func stale() throws {
        let members = try Members()
        _ = try members.script.run(
            "local s = object(1) return s.id, s.stale, s.stale, s.early, s.early"
        )
        #expect(members.asked == ["id", "stale", "stale", "early", "early"])
        members.asked = []
        _ = try members.script.run("local s = object(2) return s.stale, s.id, s.id")
        #expect(members.asked == ["stale", "id"])
    }

    @Test("an object caches at most 32 members")
    func bound() throws {
        let members = try Members()
        let sum = "local s, n = object(1), 0 for i = 1, 40 do n = n + #s['m' .. i] end return n"
        #expect(try members.script.text(sum) == "111")
        #expect(try members.script.text(sum) == "111")
        #expect(members.asked.count == 40 + 8)
        members.asked = []
        _ = try members.script.run("forget(object(1)) \(sum)")
        #expect(members.asked.count == 40)
    }

    @Test("cached members are released together with their object, and the release is reported")
    func release() throws {
        let members = try Members()
        let read = "for i = 1, 500 do local s = object(i) local id, name = s.id, s.m1 end"
        _ = try members.script.run(read)
        members.script.state.collectGarbage()
        members.script.state.collectGarbage()
        let used = members.script.state.memoryUsed
        #expect(members.script.state.liveObjects == 0)
        #expect(Set(members.released).count == 500)
        for _ in 1...10 { _ = try members.script.run(read) }
        members.script.state.collectGarbage()
        members.script.state.collectGarbage()
        // Not one of 5000 objects stayed, nor what it kept.
        #expect(members.script.state.memoryUsed < used + 5000)
        #expect(members.script.state.liveObjects == 0)
        members.asked = []
        // One that is there again knows nothing of what the former one kept.
        #expect(try members.script.text("return object(1).id") == "1")
        #expect(members.asked == ["id"])
        members.script.state.forgetMembers(of: members.type, 1)
        members.script.state.forgetMembers(of: members.type, 2)
    }

    @Test("if there is no memory for the cache, members are read from the host each time")
    func memory() throws {
        var configuration = LuaState.Configuration.patient
        configuration.budget.bytes = 400 * 1024
        configuration.loadBudget.bytes = 400 * 1024
        let members = try Members(configuration)
        members.script.state.collectGarbage()
        let free = configuration.budget.bytes - members.script.state.memoryUsed
        _ = try members.script.run("hold = ('x'):rep(\(free - 3000))")
        members.script.state.collectGarbage()
        _ = try members.script.run("s = object(1)")
        #expect(try members.script.text("return s.id, s.id, s.id", results: 3) == "1 1 1")
        #expect(members.asked == ["id", "id", "id"])
        _ = try members.script.run("hold = nil")
        members.script.state.collectGarbage()
        #expect(try members.script.text("return s.id, s.id, s.id", results: 3) == "1 1 1")
        #expect(members.asked == ["id", "id", "id", "id"])
    }

    @Test("if any allocation fails, members stay correct and the next call into Lua works")
    func refusedMemory() throws {
        let read =
            "local n = 0 for i = 1, 3 do local s = object(i) n = n + s.id + #s.m1 + s.id end return n"
        var failures = 0
        for request in 1...500 {
            let members = try Members()
            members.script.state.refuse(.only(request))
            let error = members.script.error(read)
            let isOver = members.script.state.requests < request
            members.script.state.refuse(.none)
            #expect(error == nil || error?.kind == .memory)
            failures += error == nil ? 0 : 1
            #expect(try members.script.text(read) == "18")
            if isOver { break }
        }
        #expect(failures > 10)
    }

    @Test("reading a cached member costs as many instructions as reading an uncached member")
    func budget() throws {
        func most(_ member: String) throws -> Int {
            var configuration = LuaState.Configuration.patient
            configuration.loadBudget.instructions = 30_000
            let members = try Members(configuration)
            let error = members.script.error(
                "local s = object(1) while true do n = (n or 0) + 1 local x = s.\(member) end"
            )
            #expect(error?.kind == .instructions)
            return Int(try members.script.text("return n")) ?? 0
        }
        #expect(try most("id") == most("fresh"))
        #expect(try most("id") == most("long"))
    }
}
