// SPDX-License-Identifier: MIT

import LuaVM
import Testing

/// Tests of encoding Swift values as Lua values.
@Suite struct EncodingTests {
    /// An encodable value, and the text of the expected Lua value.
    struct Row: Sendable, CustomTestStringConvertible {
        let expected: String
        let write: @Sendable (inout FlatWriter) -> Void

        init(_ value: some Encodable & Sendable, _ expected: String) {
            self.expected = expected
            write = { $0.encode(value, named: "info") }
        }

        var testDescription: String { expected }
    }

    static let written: [Row] = [
        // Simple values.
        Row(true, "true"), Row(1, "1"), Row(1.0, "1.0"), Row(Float(0.1), "\(Double(Float(0.1)))"),
        Row(Int8.min, "-128"), Row(UInt64(Int64.max), "\(Int64.max)"),
        Row(Int64.min, "\(Int64.min)"),
        Row(Int128(-5), "-5"), Row(-0.0, "-0.0"), Row(Double.infinity, "inf"), Row("", "\"\""),
        Row("a\0ä", "\"a\0ä\""), Row(Optional<Int>.none, "nil"), Row(Optional(Optional(1)), "1"),
        // Lists, with gaps.
        Row([Int](), "{}"), Row([1, 2], "{1, 2}"), Row([[1], []], "{{1}, {}}"),
        Row([UInt8]([0, 255]), "{0, 255}"), Row([1, nil, 3], "{1, 3 = 3}"),
        Row([nil, 2, nil], "{2 = 2}"), Row([nil, nil] as [Int?], "{}"),
        // Dictionaries.
        Row(["b": 1, "a": 2, "ab": 3], "{\"a\" = 2, \"ab\" = 3, \"b\" = 1}"),
        Row(["7": 1, "1": 2], "{\"1\" = 2, \"7\" = 1}"),
        Row(
            [1: "a", 2: "b", 4: "d", 0: "z", -1: "y"],
            "{\"a\", \"b\", -1 = \"y\", 0 = \"z\", 4 = \"d\"}"
        ),
        Row(["x": nil, "y": 1] as [String: Int?], "{\"y\" = 1}"),
        Row([true: 1], "{true, 1}"), Row([String: Int](), "{}"),
        // Structures.
        Row(Point(x: 1, y: nil), "{\"x\" = 1}"), Row(Point(x: 1, y: 2), "{\"x\" = 1, \"y\" = 2.0}"),
        Row(Nothing(), "{}"), Row([Nothing()], "{{}}"),
        Row(Shape.circle(radius: 2), "{\"circle\" = {\"radius\" = 2.0}}"),
        Row(
            Shape.group([.point, .pair(1, "b")]),
            "{\"group\" = {\"_0\" = {{\"point\" = {}}, {\"pair\" = {\"_0\" = 1, \"_1\" = \"b\"}}}}}"
        ),
        Row([Kind.podcast, .show], "{\"podcast\", \"show\"}"), Row(Level.high, "3"),
        Row(Derived(name: "n", size: 4), "{\"size\" = 4, \"super\" = {\"name\" = \"n\"}}"),
        Row(Shared(name: "n", size: 4), "{\"name\" = \"n\", \"size\" = 4}"),
        Row(Numbered(), "{\"one\", \"two\", 7 = \"seven\"}"),
        Row(Intertwined(), "{\"after\" = 3, \"inner\" = {{\"deep\" = 2}, 1}}"),
    ]

    @Test("an encodable Swift value becomes a Lua value", arguments: written)
    func writes(_ row: Row) throws {
        var reader = try FlatReader(row.write)
        #expect(Script.text(reader.next() ?? .nil, &reader) == row.expected)
        #expect(reader.next() == nil)
    }

    static let refused: [Row] = [
        Row(UInt64.max, "bad field 'info' (64-bit integer expected, got 18446744073709551615)"),
        Row(
            ["items": [1, UInt64.max]],
            "bad field 'info.items[2]' (64-bit integer expected, got 18446744073709551615)"
        ),
        Row(
            [7: [UInt.max]],
            "bad field 'info[7][1]' (64-bit integer expected, got 18446744073709551615)"
        ),
        Row(
            ["7": Int128.max],
            "bad field 'info[\"7\"]' (64-bit integer expected, got \(Int128.max))"
        ),
        Row(
            ["a b\n": UInt.max],
            "bad field 'info[\"a b\\010\"]' (64-bit integer expected, got 18446744073709551615)"
        ),
        Row(
            Chain(33),
            "bad field 'info\(String(repeating: ".next", count: 32))' (at most 32 levels of nesting expected)"
        ),
        Row(Endless(), "bad field 'info' (at most 32 levels of nesting expected)"),
        Row(Throwing(), "bad field 'info' (it never works)"),
        Row(TwoKinds(), "bad field 'info' (one kind of container expected, got several)"),
    ]

    @Test("a value that cannot be encoded is an error with its path", arguments: refused)
    func refuses(_ row: Row) throws {
        let error = #expect(throws: ScriptError.self) { try FlatReader(row.write) }
        #expect(error?.kind == .conversion)
        #expect(error?.message == row.expected)
        // The same where a call would have taken it; nothing of it ran.
        let script = try Script()
        let function = try script.function("called = false return function() called = true end")
        #expect(throws: ScriptError.self) { try script.state.call(function, arguments: row.write) }
        #expect(try script.text("return called") == "false")
    }

    @Test("an error that a value throws while it is encoded is the underlying error")
    func underlying() {
        let error = #expect(throws: ScriptError.self) { try FlatReader { $0.encode(Throwing()) } }
        #expect(error?.underlying is Throwing.Failure)
    }

    @Test("cycles and deep nesting do not overflow the stack")
    func smallStack() throws {
        let writes: [@Sendable (inout FlatWriter) -> Void] = [
            { writer in
                let cycle = Cycle()
                cycle.next = cycle
                writer.encode(cycle)
                cycle.next = nil
            },
            { writer in writer.encode(Endless()) },
            { writer in writer.encode(Chain(32)) },
        ]
        let ends = onThread(stackSize: 1 << 20) {
            writes.map { write in
                do throws(ScriptError) {
                    var reader = try FlatReader(write)
                    return "\(try reader.decode(Chain.self).count)"
                } catch {
                    return String(error.message.suffix(39))
                }
            }
        }
        #expect(
            ends == [
                "(at most 32 levels of nesting expected)",
                "(at most 32 levels of nesting expected)", "32",
            ]
        )
    }
}
