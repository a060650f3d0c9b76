// SPDX-License-Identifier: MIT

import LuaVM
import Testing

@Suite struct ValueTests {
    @Test(
        "a value keeps its type when it is converted",
        arguments: [
            ("nil", "nil"), ("true", "true"), ("1", "1"), ("1.0", "1.0"),
            ("1 << 63", "\(Int64.min)"),
            ("'a\\0b'", "\"a\0b\""), ("{}", "{}"), ("{1, {2}, x = 'y'}", "{1, {2}, \"x\" = \"y\"}"),
            ("{1, nil, 3}", "{1, 3 = 3}"), ("{[0] = 1, [-5] = 2}", "{-5 = 2, 0 = 1}"),
            ("{b = 1, a = 2, [10] = 3, aa = 4}", "{10 = 3, \"a\" = 2, \"aa\" = 4, \"b\" = 1}"),
            ("{type}", "{function}"),
        ]
    )
    func outward(_ text: String, _ expected: String) throws {
        #expect(try Script().text("return \(text)") == expected)
    }

    @Test("strings of arbitrary bytes are unchanged after a round trip")
    func bytes() throws {
        let script = try Script()
        let same = try script.function("return function(s) return s end")
        let all: [UInt8] = (0...255).map(UInt8.init) + [0xff, 0, 0xc3]
        var reader = try script.state.call(same, results: 1) { writer in
            all.withUnsafeBytes { writer.write(bytes: $0) }
        }
        guard case .string(let bytes)? = reader.next() else {
            Issue.record("no string")
            return
        }
        #expect(Array(bytes) == all)
    }

    @Test("integers and floats stay distinct in both directions")
    func numbers() throws {
        let script = try Script()
        let types = try script.function(
            "return function(a, b) return math.type(a) .. math.type(b) end"
        )
        var reader = try script.state.call(types, results: 1) { writer in
            writer.write(Int64(1))
            writer.write(1.0)
        }
        #expect(Script.text(reader.next() ?? .nil, &reader) == "\"integerfloat\"")
    }

    @Test("a table written by Swift has its list elements and its keyed entries")
    func table() throws {
        let script = try Script()
        try script.state.setGlobal("t", in: script.environment) { writer in
            writer.beginTable(list: 2, entries: 2)
            writer.write(Int64(1))
            writer.beginTable(list: 1, entries: 0)
            writer.write("in")
            writer.write("key")
            writer.write(true)
            writer.write(2.5)
            writer.write("float key")
        }
        #expect(
            try script.text("return t[1], t[2][1], t.key, t[2.5]", results: 4)
                == "1 \"in\" true \"float key\""
        )
    }

    @Test("an invalid key, missing values and too many levels are errors")
    func badTables() throws {
        let script = try Script()
        func message(_ write: (inout FlatWriter) -> Void) -> String? {
            let error = #expect(throws: ScriptError.self) {
                try script.state.setGlobal("t", in: script.environment, to: write)
            }
            #expect(error?.kind == .conversion)
            return error?.message
        }
        #expect(
            message { writer in
                writer.beginTable(list: 0, entries: 1)
                writer.write(Double.nan)
                writer.write(true)
            } == "NaN cannot be the key of a table"
        )
        #expect(
            message { writer in
                writer.beginTable(list: 0, entries: 1)
                writer.writeNil()
                writer.write(true)
            } == "nil cannot be the key of a table"
        )
        #expect(
            message { $0.beginTable(list: 3, entries: 0) }
                == "a table has fewer values than it announced"
        )
        #expect(
            message { writer in
                for _ in 0..<32 { writer.beginTable(list: 1, entries: 0) }
                writer.beginTable(list: 0, entries: 0)
            } == "bad field '\(String(repeating: "[1]", count: 32))'"
                + " (a table that has more than 32 levels cannot be passed between scripts and host)"
        )
    }

    @Test("a cyclic table and a table of more than 32 levels are errors")
    func depth() throws {
        let script = try Script()
        let cycle = script.error("local t = {} t.t = t return t")
        #expect(cycle?.kind == .conversion)
        #expect(
            script.error("local t = {} for i = 1, 32 do t = {t} end return t")?.kind == .conversion
        )
        #expect(script.error("local t = {} for i = 1, 31 do t = {t} end return t") == nil)
        #expect(
            script.error("return {a = {{[{}] = 1}}}")?.message
                == "bad field 'a[1]' (a table with a key that is neither an integer nor a string cannot be passed between scripts and host)"
        )
    }

    @Test("a frozen table can be read but not written, at every level")
    func frozen() throws {
        let script = try Script()
        try script.state.setGlobal("t", in: script.environment) { writer in
            writer.beginTable(list: 2, entries: 1, frozen: "this table is read only")
            writer.write("a")
            writer.beginTable(list: 1, entries: 0)
            writer.write("b")
            writer.write("x")
            writer.write(Int64(1))
        }
        #expect(try script.text("return t") == "{\"a\", {\"b\"}, \"x\" = 1}")
        #expect(
            try script.text(
                """
                local s = '' for k, v in pairs(t) do s = s .. tostring(k) .. ';' end
                for i in ipairs(t) do s = s .. i .. ';' end
                local k = next(t) while k do s = s .. tostring(k) .. ';' k = next(t, k) end
                return s .. #t .. rawlen(t) .. table.concat(t[2]) .. rawget(t, 1) .. type(t)
                """
            ) == "\"1;2;x;1;2;1;2;x;22batable\""
        )
        for write in [
            "t.y = 1", "t[1] = 2", "t[2][1] = 3", "rawset(t, 'y', 1)", "table.insert(t, 1)",
            "table.sort(t)", "setmetatable(t, {})", "getmetatable(t).__index = 1",
        ] {
            #expect(script.error(write) != nil, "\(write)")
        }
        #expect(script.error("\nt[2].z = 1")?.message == "this table is read only")
        #expect(script.error("\nt[2].z = 1")?.line == 2)
    }

    @Test(
        "only the first 1,024 bytes of a string that is not valid UTF-8 are repaired",
        arguments: [
            ("('a'):rep(3000)", String(repeating: "a", count: 3_000)),
            ("'a\\x80b'", "a\u{FFFD}b"),
            ("('a'):rep(3000) .. '\\x80'", String(repeating: "a", count: 1_024) + "\u{FFFD}"),
        ]
    )
    func repair(_ argument: String, _ expected: String) throws {
        let script = try Script()
        var text: String?
        try script.define("read") { frame in text = frame.string(at: 0) }
        _ = try script.text("read(\(argument))")
        #expect(text == expected)
    }

    @Test("an object keeps its identity as long as a script references it")
    func objects() throws {
        let script = try Script()
        var releasedIdentifiers: [Int64] = []
        var written: [String] = []
        let type = try script.state.defineType(
            name: "Screen",
            index: { frame in frame.returnString("field " + (frame.string(at: 1) ?? "")) },
            newIndex: { frame in written.append(frame.string(at: 1) ?? "") },
            description: { frame in
                frame.returnString("Screen \(frame.object(at: 0)?.identifier ?? 0)")
            },
            released: { releasedIdentifiers.append($0) }
        )
        try script.define("object") { frame in
            frame.returnObject(type, frame.integer(at: 0) ?? 0)
        }
        #expect(
            try script.text(
                """
                local a, b = object(1), object(1)
                local set = {[a] = 'found'}
                b.name = 1
                return a == b, a == object(2), set[b], a.title, tostring(a), getmetatable(a)
                """,
                results: 6
            ) == "true false \"found\" \"field title\" \"Screen 1\" nil"
        )
        #expect(written == ["name"])
        #expect(try script.text("return object(9)") == "object 9")
        script.state.collectGarbage()
        #expect(releasedIdentifiers.sorted() == [1, 2, 9])
        #expect(script.state.liveObjects == 0)
    }

    @Test("keys are sorted: integers first, then strings by bytes, then other keys by creation")
    func order() throws {
        let script = try Script()
        let chunk = """
            local first, second = {}, {}
            local t = {z = 1, [3] = 1, a = 1, [1] = 1, B = 1, [second] = 1, [first] = 1, [true] = 1}
            for i = 100, 50, -7 do t['k' .. i] = 1 end
            local s = {}
            for k in pairs(t) do
              s[#s + 1] = k == first and 'first' or k == second and 'second' or tostring(k)
            end
            return table.concat(s, ' ')
            """
        #expect(
            try script.text(chunk)
                == "\"1 3 B a k100 k51 k58 k65 k72 k79 k86 k93 z true first second\""
        )
    }
}
