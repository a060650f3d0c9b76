// SPDX-License-Identifier: MIT

import LuaVM
import Testing

/// Tests of edge cases of values, in both directions between Swift and Lua.
@Suite struct ValueEdgeTests {
    // MARK: Out of scripts

    /// Results of a script, each with the expected description in Swift.
    static let outward: [(String, String)] = [
        // Integers and numbers.
        ("1", "1"), ("1.0", "1.0"), ("-0.0", "-0.0"), ("0", "0"),
        ("2^53", "9007199254740992.0"), ("1 << 53", "9007199254740992"),
        ("2^63", "9.223372036854776e+18"),
        ("math.mininteger", "-9223372036854775808"), ("math.maxinteger", "9223372036854775807"),
        ("math.mininteger + 0.0", "-9.223372036854776e+18"),
        ("math.huge", "inf"), ("-math.huge", "-inf"),
        ("5e-324", "5e-324"),
        // Strings.
        ("''", "\"\""), ("'\\0'", "\"\0\""),
        // Lists and tables.
        ("{}", "{}"), ("{{}}", "{{}}"), ("{nil}", "{}"), ("{nil, 2}", "{2 = 2}"),
        ("{1, nil, 3}", "{1, 3 = 3}"), ("{n = 2, 1, nil}", "{1, \"n\" = 2}"),
        ("{[0] = 0, 1, 2}", "{1, 2, 0 = 0}"), ("{[-1] = 1, [-2] = 2}", "{-2 = 2, -1 = 1}"),
        ("{[1.0] = 'a', [2^53] = 'b'}", "{\"a\", 9007199254740992 = \"b\"}"),
        ("{[math.mininteger] = 1, [math.maxinteger] = 2}", "{\(Int64.min) = 1, \(Int64.max) = 2}"),
        ("{['1'] = 'text', 'list'}", "{\"list\", \"1\" = \"text\"}"),
        ("{1, 2, x = 3, [4] = 4}", "{1, 2, 4 = 4, \"x\" = 3}"),
        ("{x = false, y = nil}", "{\"x\" = false}"),
        // The order of keys: a beginning before what goes on, bytes as they are unsigned.
        (
            "{abcdefgh = 1, abcdefghi = 2, abcdefg = 3, ['abcdefgh\\0'] = 4, ['\\xc3\\xa4'] = 5}",
            "{\"abcdefg\" = 3, \"abcdefgh\" = 1, \"abcdefgh\0\" = 4, \"abcdefghi\" = 2, \"ä\" = 5}"
        ),
        ("(function() local s = {7} return {a = s, b = s} end)()", "{\"a\" = {7}, \"b\" = {7}}"),
    ]

    @Test("the result of a script is read with its Lua type", arguments: outward)
    func reads(_ text: String, _ expected: String) throws {
        #expect(try Script().text("return \(text)") == expected)
    }

    /// Values that a script cannot return, each with the expected error message.
    static let refused: [(String, String)] = [
        ("local t = {} t.t = t return t", levels(".t", 32, "or contains itself ")),
        ("local t = {} t[1] = t return t", levels("[1]", 32, "or contains itself ")),
        (
            "return {[{}] = 1}",
            "a table with a key that is neither an integer nor a string cannot be passed between scripts and host"
        ),
        (
            "return {items = {1, 2, {[true] = 1}}}",
            "bad field 'items[3]' (a table with a key that is neither an integer nor a string cannot be passed between scripts and host)"
        ),
        (
            "return {['a b'] = {[1.5] = 1}}",
            "bad field '[\"a b\"]' (a table with a key that is neither an integer nor a string cannot be passed between scripts and host)"
        ),
        (
            "return {['a\\n\"\\\\'] = {[1.5] = 1}}",
            "bad field '[\"a\\010\\\"\\\\\"]' (a table with a key that is neither an integer nor a string cannot be passed between scripts and host)"
        ),
        (
            "return {[-3] = {_x1 = {['1x'] = {[1.5] = 1}}}}",
            "bad field '[-3]._x1[\"1x\"]' (a table with a key that is neither an integer nor a string cannot be passed between scripts and host)"
        ),
        (
            "return {[('k'):rep(50)] = {[('ä '):rep(20)] = {[1.5] = 1}}}",
            "bad field '\(String(repeating: "k", count: 40))...[\"\(String(repeating: "ä ", count: 13))...\"]'"
                + " (a table with a key that is neither an integer nor a string cannot be passed between scripts and host)"
        ),
        (
            "return {[''] = {[1.5] = 1}}",
            "bad field '[\"\"]' (a table with a key that is neither an integer nor a string cannot be passed between scripts and host)"
        ),
    ]

    private static func levels(_ key: String, _ count: Int, _ also: String) -> String {
        let path = String(repeating: key, count: count).drop { $0 == "." }
        return
            "bad field '\(path)' (a table that has more than 32 levels \(also)cannot be passed between scripts and host)"
    }

    @Test("a value that a script cannot return is an error with its path", arguments: refused)
    func refuses(_ chunk: String, _ message: String) throws {
        let error = try Script().error(chunk)
        #expect(error?.kind == .conversion)
        #expect(error?.message == message)
    }

    @Test("a script can return tables of up to 32 levels, not more", arguments: [31, 32, 33])
    func depthOutward(_ levels: Int) throws {
        let script = try Script()
        let error = script.error("local t = {} for i = 2, \(levels) do t = {x = t} end return t")
        #expect((error == nil) == (levels <= 32))
        let keyed = script.error(
            "local t = {1} for i = 2, \(levels) do t = {t, x = 1} end return t"
        )
        #expect((keyed == nil) == (levels <= 32))
    }

    @Test("the number of elements in a result is limited")
    func parts() throws {
        let script = try Script()
        var reader = try script.run("local t = {} for i = 1, 99998 do t[i] = i end return t")
        guard case .table(99_998, 0)? = reader.next() else {
            Issue.record("no list")
            return
        }
        for expected in 1...99_998 {
            guard case .integer(Int64(expected))? = reader.next() else {
                Issue.record("\(expected) is missing")
                return
            }
        }
        for chunk in [
            "local t = {} for i = 1, 100001 do t[i] = i end return t",
            "local t = {{}, {}, {}, {}} for i = 1, 100001 do t[i % 4 + 1]['k' .. i] = i end return t",
            "local t = {1} for i = 1, 30 do t = {t, t} end return t",
        ] {
            #expect(
                script.error(chunk)?.message
                    == "a value with too many parts cannot be passed between scripts and host"
            )
        }
        #expect(try script.text("return 1") == "1")
    }

    @Test("the keys of a large table are sorted", arguments: [31, 32, 33, 30_000])
    func largeTables(_ count: Int) throws {
        let script = try Script()
        var reader = try script.run(
            "local t = {} for i = 1, \(count) do t[('k%06d'):format(i * 7919 % 1000003)] = i end return t"
        )
        guard case .table(0, count)? = reader.next() else {
            Issue.record("no table")
            return
        }
        var last = ""
        var sum: Int64 = 0
        for _ in 0..<count {
            guard case .string(let bytes)? = reader.next(),
                case .integer(let value)? = reader.next()
            else {
                Issue.record("no pair")
                return
            }
            let key = String(decoding: bytes, as: UTF8.self)
            #expect(last < key)
            last = key
            sum += value
        }
        #expect(sum == Int64(count * (count + 1) / 2))
        #expect(reader.next() == nil)
    }

    @Test("NaN is converted as NaN")
    func notANumber() throws {
        var reader = try Script().run("return 0/0")
        guard case .number(let number)? = reader.next() else {
            Issue.record("no number")
            return
        }
        #expect(number.isNaN)
    }

    // MARK: Into scripts

    /// Values that Swift writes, each with an expression of `v` that must be true.
    static let inward: [Inward] = [
        Inward("math.type(v) == 'integer' and v == 1") { $0.write(Int64(1)) },
        Inward("math.type(v) == 'float' and v == 1") { $0.write(1.0) },
        Inward("v == math.mininteger") { $0.write(Int64.min) },
        Inward("math.type(v) == 'float' and v == 2^63") { $0.write(0x1p63) },
        Inward("v == 0 and 1/v == -math.huge") { $0.write(-0.0) },
        Inward("v ~= v") { $0.write(Double.nan) },
        Inward("v == math.huge") { $0.write(Double.infinity) },
        Inward("v == ''") { $0.write("") },
        Inward("v == '\\xff\\0\\xc3'") { $0.write(bytes: [0xff, 0, 0xc3]) },
        Inward("#v == 1 << 20 and v:byte(-1) == 0") {
            $0.write(bytes: Array(repeating: 0, count: 1 << 20))
        },
        Inward("v[1] == 'a' and math.type(next(v)) == 'integer'") { writer in
            writer.beginTable(list: 0, entries: 1)
            writer.write(1.0)
            writer.write("a")
        },
        Inward("v.k == 2 and next(v, 'k') == nil") { writer in
            writer.beginTable(list: 0, entries: 2)
            for value in 1...2 {
                writer.write("k")
                writer.write(Int64(value))
            }
        },
        Inward("next(v) == nil") { writer in
            writer.beginTable(list: 0, entries: 2)
            writer.write("k")
            writer.write(true)
            writer.write("k")
            writer.writeNil()
        },
        Inward("v[1] == nil and v[2] == 'b' and v[3] == nil") { writer in
            writer.beginTable(list: 3, entries: 0)
            writer.writeNil()
            writer.write("b")
            writer.writeNil()
        },
        Inward("v[1] == 'entry' and v[2] == 'b'") { writer in
            writer.beginTable(list: 2, entries: 1)
            writer.write("a")
            writer.write("b")
            writer.write(Int64(1))
            writer.write("entry")
        },
        Inward("v[-5] == 1 and v[0] == 2 and #v == 0") { writer in
            writer.beginTable(list: 0, entries: 2)
            writer.write(Int64(-5))
            writer.write(Int64(1))
            writer.write(Int64(0))
            writer.write(Int64(2))
        },
    ]

    @Test("a value written by Swift has the expected properties in a script", arguments: inward)
    func writes(_ row: Inward) throws {
        let script = try Script()
        try script.state.setGlobal("v", in: script.environment, to: row.write)
        #expect(try script.text("return \(row.condition)") == "true")
    }

    /// Values that Swift cannot write, each with the expected error message.
    static let misuses: [Inward] = [
        Inward("a table has fewer values than it announced") { $0.beginTable(list: 1, entries: 0) },
        Inward("a table has fewer values than it announced") {
            $0.beginTable(list: Int(UInt32.max), entries: 0)
        },
        Inward("a table has fewer values than it announced") {
            $0.beginTable(list: 0, entries: .max)
        },
        Inward("a table has fewer values than it announced") { writer in
            writer.beginTable(list: 0, entries: 1)
            writer.write("key")
        },
        Inward("bad field 'a[2]' (a table has fewer values than it announced)") { writer in
            writer.beginTable(list: 0, entries: 1)
            writer.write("a")
            writer.beginTable(list: 2, entries: 0)
            writer.write(true)
            writer.beginTable(list: 0, entries: 7)
            writer.write(true)
        },
        Inward("a table of 4294967296 values and 0 keys cannot be passed between scripts and host")
        {
            $0.beginTable(list: 1 << 32, entries: 0)
        },
        Inward("a table of -1 values and 0 keys cannot be passed between scripts and host") {
            $0.beginTable(list: -1, entries: 0)
        },
        Inward("a table of 0 values and -1 keys cannot be passed between scripts and host") {
            $0.beginTable(list: 0, entries: -1)
        },
        Inward("a table has fewer values than it announced") { writer in
            writer.beginTable(list: 1, entries: 0, frozen: "read only")
        },
        Inward("a string with too many bytes cannot be passed between scripts and host") { writer in
            // Never read: it is too long to be copied.
            let start = UnsafeRawPointer(bitPattern: 4096)
            writer.write(bytes: UnsafeRawBufferPointer(start: start, count: 1 << 32))
        },
        Inward("bad field 'a' (NaN cannot be the key of a table)") { writer in
            writer.beginTable(list: 0, entries: 1)
            writer.write("a")
            writer.beginTable(list: 0, entries: 2)
            writer.write("x")
            writer.write(true)
            writer.write(Double.nan)
            writer.write(true)
        },
        Inward("bad field '[2][\"a b\"]' (nil cannot be the key of a table)") { writer in
            writer.beginTable(list: 2, entries: 0)
            writer.beginTable(list: 0, entries: 0)
            writer.beginTable(list: 1, entries: 1)
            writer.beginTable(list: 1, entries: 0)
            writer.write(true)
            writer.write("a b")
            writer.beginTable(list: 0, entries: 1)
            writer.writeNil()
            writer.write(true)
        },
    ]

    @Test(
        "writing an unsupported value from Swift is an error, and the state remains usable",
        arguments: misuses
    )
    func misuse(_ row: Inward) throws {
        let script = try Script()
        for _ in 0..<2 {
            let error = #expect(throws: ScriptError.self) {
                try script.state.setGlobal("v", in: script.environment, to: row.write)
            }
            #expect(error?.kind == .conversion)
            #expect(error?.message == row.condition)
            #expect(try script.text("return v") == "nil")
        }
        let same = try script.function("return function(v) return v end")
        #expect(throws: ScriptError.self) {
            try script.state.call(same, results: 1, arguments: row.write)
        }
        var reader = try script.state.call(same, results: 1) { $0.write(Int64(7)) }
        #expect(Script.text(reader.next() ?? .nil, &reader) == "7")
    }

    @Test("writing fewer table values than announced is a script error")
    func resultMisuse() throws {
        let script = try Script()
        try script.define("f") { frame in
            try frame.returnValues { $0.beginTable(list: 0, entries: 1) }
        }
        #expect(
            try script.text("return select(2, pcall(function() f() end))")
                == "\"test.lua:1: a table has fewer values than it announced\""
        )
    }

    @Test("Swift can write tables of up to 32 levels, not more", arguments: [31, 32, 33])
    func depthInward(_ levels: Int) throws {
        let script = try Script()
        let write = { (writer: inout FlatWriter) in
            for _ in 1..<levels { writer.beginTable(list: 1, entries: 0) }
            writer.beginTable(list: 0, entries: 0)
        }
        if levels <= 32 {
            try script.state.setGlobal("v", in: script.environment, to: write)
        } else {
            #expect(throws: ScriptError.self) {
                try script.state.setGlobal("v", in: script.environment, to: write)
            }
        }
    }

    @Test("an object of another state is rejected")
    func strangeObject() throws {
        let other = try Script()
        var strange: ObjectType?
        for index in 0..<9 { strange = try other.state.defineType(name: "Type\(index)") }
        let script = try Script()
        let type = try #require(strange)
        let error = #expect(throws: ScriptError.self) {
            try script.state.setGlobal("v", in: script.environment) { $0.write(type, 1) }
        }
        #expect(
            error?.message
                == "an object of another Lua state cannot be passed between scripts and host"
        )
    }

    // MARK: Identity

    @Test("functions keep their identity after a round trip, including functions in tables")
    func functions() throws {
        let script = try Script()
        let host = try script.state.makeFunction(name: "f") { $0.returnInteger(1) }
        try script.state.setGlobal("host", in: script.environment, to: host)
        var reader = try script.run("function own() end return {own, {f = own}, host}")
        var functions: [LuaFunction] = []
        while let item = reader.next() {
            if case .function(let function) = item { functions.append(function) }
        }
        try #require(functions.count == 3)
        #expect(functions[0] == functions[1])
        #expect(functions[0] != functions[2])
        #expect(functions[2] == host)
        try script.state.setGlobal("back", in: script.environment) { writer in
            writer.beginTable(list: 1, entries: 1)
            writer.write(functions[0])
            writer.write("h")
            writer.write(functions[2])
        }
        #expect(try script.text("return back[1] == own and back.h == host") == "true")
    }

    @Test("tables are copied, and a table that is referenced twice becomes two copies")
    func copies() throws {
        let script = try Script()
        var reader = try script.run("s = {1} return {s, s}")
        #expect(Script.text(reader.next() ?? .nil, &reader) == "{{1}, {1}}")
        #expect(reader.next() == nil)
    }
}

/// A value that Swift writes, and a condition or an error message.
struct Inward: Sendable, CustomTestStringConvertible {
    let condition: String
    let write: @Sendable (inout FlatWriter) -> Void

    init(_ condition: String, _ write: @escaping @Sendable (inout FlatWriter) -> Void) {
        self.condition = condition
        self.write = write
    }

    var testDescription: String { condition }
}

extension FlatWriter {
    fileprivate mutating func write(bytes: [UInt8]) {
        bytes.withUnsafeBytes { write(bytes: $0) }
    }
}
