// SPDX-License-Identifier: MIT

import LuaVM
import Testing

/// Tests of decoding Lua values as Swift values.
@Suite struct DecodingTests {
    /// A value of a script, and the expected decoded value or error message.
    struct Row: Sendable, CustomTestStringConvertible {
        let script: String
        let read: @Sendable (inout FlatReader) throws -> Bool

        init<Value: Decodable & Equatable & Sendable>(_ script: String, _ expected: Value) {
            self.script = script
            read = { try $0.decode(Value.self, named: "info") == expected }
        }

        init<Value: Decodable & SendableMetatype>(
            _ script: String,
            _ type: Value.Type,
            _ message: String
        ) {
            self.script = script
            read = { reader in
                do throws(ScriptError) {
                    _ = try reader.decode(type, named: "info")
                    return false
                } catch {
                    #expect(error.kind == .conversion)
                    #expect(error.message == message)
                    return error.message == message
                }
            }
        }

        var testDescription: String { script }
    }

    static let values: [Row] = [
        // Numbers.
        Row("1", 1), Row("1.0", 1), Row("-0.0", 0), Row("2^53", 1 << 53), Row("1 << 53", 0x1p53),
        Row("math.mininteger", Int64.min), Row("-2^63", Int64.min), Row("255", UInt8.max),
        Row("math.maxinteger", UInt64(Int64.max)), Row("7", Int128(7)), Row("1", 1.0),
        Row("0.5", Float(0.5)), Row("0.1", Float(0.1)), Row("math.huge", Double.infinity),
        Row("1 << 24", Float(1 << 24)), Row("-math.huge", -Float.infinity),
        // Others.
        Row("true", true), Row("'a\\0'", "a\0"), Row("''", ""), Row("nil", Int?.none),
        Row("nil", Int??.none), Row("3", Optional(3)),
        // Lists and tables.
        Row("{}", [Int]()), Row("{}", [String: Int]()), Row("{}", Nothing()),
        Row("{x = 1}", Nothing()),
        Row("{1, 2}", [1, 2]), Row("{1, nil, 3}", [1, nil, 3] as [Int?]),
        Row("{nil, nil, 3}", [nil, nil, 3] as [Int?]), Row("{[1.0] = 'a'}", ["a"]),
        Row("{[2] = 2}", [2: 2]), Row("{5, 6, [0] = 4}", [0: 4, 1: 5, 2: 6]),
        Row("{['7'] = 1, x = 2}", ["7": 1, "x": 2]), Row("{true, 1}", [true: 1]),
        Row("{1, 2, 2}", Set([1, 2])), Row("{{1}, {}}", [[1], []]),
        // Structures.
        Row("{x = 1}", Point(x: 1, y: nil)), Row("{x = 1.0, y = 2, z = type}", Point(x: 1, y: 2)),
        Row("{'one', 'two', [7] = 'seven'}", Numbered()), Row("'show'", Kind.show),
        Row("3.0", Level.high), Row("{point = {}}", Shape.point),
        Row(
            "{group = {_0 = {{circle = {radius = 1}}, {pair = {_0 = 2, _1 = 'x'}}}}}",
            Shape.group([.circle(radius: 1), .pair(2, "x")])
        ),
    ]

    static let mismatches: [Row] = [
        // Kinds.
        Row("'1'", Int.self, "bad field 'info' (integer expected, got string)"),
        Row("1", String.self, "bad field 'info' (string expected, got integer)"),
        Row("0.5", Int.self, "bad field 'info' (integer expected, got number)"),
        Row("2^63", Int.self, "bad field 'info' (integer expected, got number)"),
        Row("0/0", Int.self, "bad field 'info' (integer expected, got number)"),
        Row("1", Bool.self, "bad field 'info' (boolean expected, got integer)"),
        Row("'x'", Double.self, "bad field 'info' (number expected, got string)"),
        Row("nil", Int.self, "bad field 'info' (integer expected, got nil)"),
        Row("'x'", Point.self, "bad field 'info' (table expected, got string)"),
        Row("type", Point.self, "bad field 'info' (table expected, got function)"),
        Row("nil", [Int].self, "bad field 'info' (list expected, got nil)"),
        Row("{}", String.self, "bad field 'info' (string expected, got table)"),
        // Ranges.
        Row("256", UInt8.self, "bad field 'info' (integer from 0 to 255 expected, got 256)"),
        Row("-1", UInt.self, "bad field 'info' (integer from 0 to \(UInt.max) expected, got -1)"),
        Row(
            "(1 << 53) + 1",
            Double.self,
            "bad field 'info' (number expected, got 9007199254740993, which has no exact floating-point value)"
        ),
        Row(
            "(1 << 24) + 1",
            Float.self,
            "bad field 'info' (32-bit number expected, got 16777217.0)"
        ),
        Row("1e300", Float.self, "bad field 'info' (32-bit number expected, got 1e+300)"),
        Row(
            "{name = '\\xff'}",
            [String: String].self,
            "bad field 'info.name' (UTF-8 text expected, got a string that is not UTF-8)"
        ),
        // Paths.
        Row(
            "{items = {{x = 1}, {x = 2}, {x = '3'}}}",
            [String: [Point]].self,
            "bad field 'info.items[3].x' (integer expected, got string)"
        ),
        Row(
            "{items = {{x = 1}, {y = 2}}}",
            [String: [Point]].self,
            "bad field 'info.items[2].x' (integer expected, got nil)"
        ),
        Row(
            "{['a b'] = {['1'] = {x = {}}}}",
            [String: [String: Point]].self,
            "bad field 'info[\"a b\"][\"1\"].x' (integer expected, got table)"
        ),
        Row(
            "{[-5] = {y = true, x = 1}}",
            [Int: Point].self,
            "bad field 'info[-5].y' (number expected, got boolean)"
        ),
        Row(
            "{group = {{point = {}}, {circle = {radius = 'r'}}}}",
            Shape.self,
            "bad field 'info.group._0' (list expected, got nil)"
        ),
        Row(
            "{group = {_0 = {{point = {}}, {circle = {radius = 'r'}}}}}",
            Shape.self,
            "bad field 'info.group._0[2].circle.radius' (number expected, got string)"
        ),
        Row(
            "{kind = 'radio'}",
            [String: Kind].self,
            "bad field 'info.kind' (cannot initialize Kind from invalid String value radio)"
        ),
        // Lists against tables.
        Row("{1, nil, 3}", [Int].self, "bad field 'info[2]' (integer expected, got nil)"),
        Row(
            "{1, n = 1}",
            [Int].self,
            "bad field 'info' (list expected, got a table with the key 'n')"
        ),
        Row(
            "{[0] = 0, 1}",
            [Int].self,
            "bad field 'info' (list expected, got a table with the key 0)"
        ),
        Row(
            "{[1 << 40] = 1}",
            [Int?].self,
            "bad field 'info' (list expected, got a table with the key \(1 << 40))"
        ),
        Row("{1, 2}", [String: Int].self, "bad field 'info' (string key expected, got 1)"),
        Row("{x = 1}", [Int: Int].self, "bad field 'info' (integer key expected, got 'x')"),
        Row(
            "{['\\xff'] = 1}",
            [String: Int].self,
            "bad field 'info' (string key expected, got a string that is not UTF-8)"
        ),
        Row(
            "{['\\u{e9}'] = 1, ['e\\u{301}'] = 2}",
            [String: Int].self,
            "bad field 'info' (one spelling of the key 'e\u{301}' expected, got two)"
        ),
        // Mistakes elsewhere.
        Row("1", Throwing.self, "bad field 'info' (it never works)"),
        Row("1", Endless.self, "bad field 'info' (at most 32 levels of nesting expected)"),
    ]

    @Test("a value of a script is decoded", arguments: values)
    func reads(_ row: Row) throws {
        var reader = try row.reader()
        #expect(try row.read(&reader))
    }

    @Test("decoding a value of another type is an error with its path", arguments: mismatches)
    func refuses(_ row: Row) throws {
        var reader = try row.reader()
        #expect(try row.read(&reader))
    }

    @Test("values are decoded in order, whatever they contain")
    func several() throws {
        var reader = try Script().run("return {x = 1, f = type}, {2, 3}, type, 'x'", results: 4)
        #expect(try reader.decode(Point.self) == Point(x: 1))
        #expect(try reader.decode([Int].self) == [2, 3])
        guard case .function? = reader.next() else {
            Issue.record("no function")
            return
        }
        #expect(try reader.decode(String.self) == "x")
        #expect(throws: ScriptError.self) { try reader.decode(String.self) }
        #expect(try reader.decode(String?.self) == nil)
    }

    @Test("without a root, the path of a decoding error begins with the key; the cause is kept")
    func withoutRoot() throws {
        var reader = try Script().run("return {a = {{}}}")
        let error = #expect(throws: ScriptError.self) { try reader.decode([String: [Int]].self) }
        #expect(error?.message == "bad field 'a[1]' (integer expected, got table)")
        guard case DecodingError.typeMismatch(_, let context)? = error?.underlying else {
            Issue.record("another error: \(String(describing: error?.underlying))")
            return
        }
        #expect(context.codingPath.map(\.intValue) == [nil, 0])
        #expect(
            #expect(throws: ScriptError.self) {
                var reader = try FlatReader { $0.write(true) }
                _ = try reader.decode(Int.self)
            }?.message == "bad value (integer expected, got boolean)"
        )
    }

    @Test("a class can decode its superclass from a separate key or from the same table")
    func classes() throws {
        var reader = try FlatReader { writer in
            writer.encode(Derived(name: "d", size: 1))
            writer.encode(Shared(name: "s", size: 2))
        }
        let derived = try reader.decode(Derived.self)
        #expect((derived.name, derived.size) == ("d", 1))
        let shared = try reader.decode(Shared.self)
        #expect((shared.name, shared.size) == ("s", 2))
    }

    @Test("NaN is decoded as NaN")
    func notANumber() throws {
        var reader = try Script().run("return {0/0, 0/0}")
        #expect(try reader.decode([Double].self).allSatisfy(\.isNaN))
        var written = try FlatReader { $0.encode([Float.nan]) }
        #expect(try written.decode([Float].self)[0].isNaN)
    }

    @Test("a container with more or fewer elements than announced is decoded to its end")
    func misuse() throws {
        for (list, entries) in [(2, 0), (0, 1), (1, 1), (Int(UInt32.max), Int.max)] {
            var reader = try FlatReader { writer in
                writer.beginTable(list: list, entries: entries)
                writer.write(Int64(1))
            }
            _ = try? reader.decode([Int].self)
            #expect(reader.next() == nil)
        }
        var frozen = try FlatReader { writer in
            writer.beginTable(list: 1, entries: 0, frozen: "read only")
            writer.write(Int64(1))
            writer.write("next")
        }
        #expect(try frozen.decode([Int].self) == [1])
        #expect(try frozen.decode(String.self) == "next")
    }

    @Test("decoding a value of 33 levels is an error, even on a small stack")
    func depth() throws {
        let messages = onThread(stackSize: 1 << 20) {
            [32, 33, 10_000].map { levels in
                do throws(ScriptError) {
                    var reader = try FlatReader { writer in
                        for _ in 1..<levels {
                            writer.beginTable(list: 0, entries: 1)
                            writer.write("next")
                        }
                        writer.beginTable(list: 0, entries: 0)
                    }
                    return "\(try reader.decode(Chain.self).count)"
                } catch {
                    return String(error.message.suffix(39))
                }
            }
        }
        #expect(
            messages == [
                "32", "(at most 32 levels of nesting expected)",
                "(at most 32 levels of nesting expected)",
            ]
        )
    }
}

extension DecodingTests.Row {
    fileprivate func reader() throws -> FlatReader { try Script().run("return \(script)") }
}
