// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct NotationValueTests {
    struct Good: Sendable, CustomTestStringConvertible {
        var text: String
        var value: Value
        init(_ text: String, _ value: Value) { (self.text, self.value) = (text, value) }
        var testDescription: String { text }
    }

    static let good: [Good] = [
        Good("nil", nil), Good("true", true), Good("false", false),
        Good("bare", "bare"), Good("a.b-c_d9", "a.b-c_d9"), Good("nilly", "nilly"),
        Good("0", 0), Good("03", 3), Good("-0", 0), Good("42", 42), Good("-7", -7),
        Good("9223372036854775807", .integer(.max)),
        Good("9223372036854775808", .number(9_223_372_036_854_775_808)),
        Good("-9223372036854775808", .integer(.min)),
        Good("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
        Good("0xff", 255), Good("0XFF", 255), Good("-0x10", -16),
        Good("0xffffffffffffffff", -1), Good("0x1ffffffffffffffff", -1),
        Good("1.0", 1.0), Good("1.", 1.0), Good(".5", 0.5), Good("-.5", -0.5),
        Good("-0.0", .number(-0.0)), Good("3e2", 300.0), Good("3E-2", 0.03), Good("3e+2", 300.0),
        Good("0x.8", 0.5), Good("0xA.8", 10.5), Good("0x1p4", 16.0), Good("0x1.8P-1", 0.75),
        Good("1e999", .number(.infinity)), Good("-1e999", .number(-.infinity)),
        Good("1e-999", 0.0),
        Good(#""""#, ""), Good("''", ""), Good(#""it's""#, "it's"),
        Good(#"'say "x"'"#, #"say "x""#),
        Good(#""\a\b\f\n\r\t\v\\\"\'""#, "\u{7}\u{8}\u{C}\n\r\t\u{B}\\\"'"),
        Good(#""\65\066\0671\0""#, "ABC1\0"), Good(#""\x41\x6a""#, "Aj"),
        Good(#""\u{48}\u{20AC}\u{1F600}""#, "H€😀"), Good("\"a\\z  \t b\"", "ab"),
        Good(#""\xff\255""#, .string(ByteString(bytes: [0xFF, 0xFF]))),
        Good(
            #""\u{7FFFFFFF}\u{4000000}""#,
            .string(
                ByteString(bytes: [
                    0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF, 0xFC, 0x84, 0x80, 0x80, 0x80, 0x80,
                ])
            )
        ),
        Good("'# é'", "# é"),
        Good("{}", .table(InfoTable())), Good("{ 1 , 2, }", [1, 2]), Good("{a}", ["a"]),
        Good("{a=1, b-c={x}}", ["a": 1, "b-c": ["x"]]),
        Good(
            #"{["two words"]=1, [7]=2, [-1]=3}"#,
            .table(
                InfoTable([("two words", 1)], [(7, 2), (-1, 3)])
            )
        ),
        Good("{[2]=b, [1]=a}", ["a", "b"]), Good("{1, [3]=3, [2]=2}", [1, 2, 3]),
        Good("{nil, 2}", .table(InfoTable([], [(2, 2)]))), Good("{a=nil}", .table(InfoTable())),
        Good("{{{}}}", [[.table(InfoTable())]]),
        Good(
            "{true, nil=1}",
            .table(
                InfoTable([("nil", 1)], [(1, true)])
            )
        ),
    ]

    @Test("a value is parsed as Lua would parse it", arguments: good)
    func reads(_ good: Good) throws {
        var parser = NotationParser(Array(good.text.utf8))
        #expect(try parser.parseValue() == good.value)
        #expect(parser.position == good.text.utf8.count)
    }

    @Test("raw bytes that are not UTF-8 are preserved")
    func rawBytes() throws {
        var parser = NotationParser([0x22, 0xC3, 0x28, 0xFF, 0x22])
        #expect(
            try parser.parseValue() == .string(ByteString(bytes: [0xC3, 0x28, 0xFF]))
        )
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var message: String
        var range: Range<Int>
        var help: String?
        init(_ text: String, _ range: Range<Int>, _ message: String, help: String? = nil) {
            (self.text, self.message, self.range, self.help) = (text, message, range, help)
        }
        var testDescription: String { text }
    }

    static let bad: [Bad] = [
        Bad("", 0..<0, "a value expected, got the end"),
        Bad(")", 0..<1, "a value expected, got ')'"),
        Bad(
            "_x",
            0..<2,
            "a value expected, got '_x'",
            help: "put text that is not a name in quotes"
        ),
        Bad("é", 0..<2, "a value expected, got 'é'", help: "put text that is not a name in quotes"),
        Bad(
            "...",
            0..<3,
            "a value expected, got '...'",
            help: "put text that is not a name in quotes"
        ),
        Bad(
            "00FF00",
            0..<6,
            "'00FF00' is not a number",
            help: #"quote it to make it a string: "00FF00""#
        ),
        Bad("3a", 0..<2, "'3a' is not a number", help: #"quote it to make it a string: "3a""#),
        Bad("3_0", 0..<3, "'3_0' is not a number", help: #"quote it to make it a string: "3_0""#),
        Bad(
            "1.2.3",
            0..<5,
            "'1.2.3' is not a number",
            help: #"quote it to make it a string: "1.2.3""#
        ),
        Bad(
            "2026-01-01",
            0..<10,
            "'2026-01-01' is not a number",
            help: #"quote it to make it a string: "2026-01-01""#
        ),
        Bad("3e", 0..<2, "'3e' is not a number", help: #"quote it to make it a string: "3e""#),
        Bad("0x", 0..<2, "'0x' is not a number", help: #"quote it to make it a string: "0x""#),
        Bad(
            "0x1p",
            0..<4,
            "'0x1p' is not a number",
            help: #"quote it to make it a string: "0x1p""#
        ),
        Bad("-", 0..<1, "'-' is not a number", help: #"quote it to make it a string: "-""#),
        Bad(
            "-inf",
            0..<4,
            "'-inf' is not a number",
            help: #"quote it to make it a string: "-inf""#
        ),
        Bad("--1", 0..<3, "'--1' is not a number", help: #"quote it to make it a string: "--1""#),
        Bad(#""abc"#, 0..<4, "unfinished string", help: "add a closing \""),
        Bad("'a\nb'", 0..<2, "unfinished string", help: "add a closing '"),
        Bad("'a\\\nb'", 0..<3, "unfinished string", help: "add a closing '"),
        Bad("'a\\z\nb'", 0..<4, "unfinished string", help: "add a closing '"),
        Bad(#""a\q""#, 2..<4, #"bad escape in a string: 'q' after '\'"#),
        Bad(#""a\é""#, 2..<5, #"bad escape in a string: 'é' after '\'"#),
        Bad(#""\256""#, 1..<5, "bad escape in a string: a number of at most 255 expected, got 256"),
        Bad(
            #""\xg0""#,
            1..<5,
            "bad escape in a string: a hexadecimal digit expected, got 'g0'"
        ),
        Bad(
            #""\x4""#,
            1..<5,
            #"bad escape in a string: a hexadecimal digit expected, got '"'"#
        ),
        Bad(#""\u41""#, 1..<5, "bad escape in a string: '{' expected, got '41'"),
        Bad(#""\u{}""#, 1..<5, "bad escape in a string: a hexadecimal digit expected, got '}'"),
        Bad(
            #""\u{80000000}""#,
            1..<12,
            "bad escape in a string: a code of at most 7FFFFFFF expected"
        ),
        Bad("{1", 2..<2, "',' or '}' expected, got the end"),
        Bad(
            "{1 2}",
            3..<4,
            "',' or '}' expected, got '2'",
            help: "put text that is not a name in quotes"
        ),
        Bad("{,}", 1..<2, "a value expected, got ','"),
        Bad("{a=}", 3..<4, "a value expected, got '}'"),
        Bad("{[a]=1}", 2..<3, "a key (an integer or a quoted string) expected, got 'a'"),
        Bad("{[1.5]=1}", 2..<5, "a key (an integer or a quoted string) expected, got '1.5'"),
        Bad("{[1}", 3..<4, "']' expected, got '}'"),
        Bad("{[1]}", 4..<5, "'=' expected, got '}'"),
        Bad("{a=1, b=2, a=3}", 11..<14, "key '.a' is given twice"),
        Bad(#"{a=1, ["a"]=3}"#, 6..<13, "key '.a' is given twice"),
        Bad("{1, [1]=2}", 4..<9, "key '[1]' is given twice"),
        Bad(
            String(repeating: "{", count: 101),
            100..<101,
            "the text is nested more than 100 levels deep"
        ),
    ]

    @Test("text that is not a value is an error with a location", arguments: bad)
    func refuses(_ bad: Bad) {
        var parser = NotationParser(Array(bad.text.utf8))
        let error = #expect(throws: NotationError.self) { try parser.parseValue() }
        #expect(error?.message == bad.message)
        #expect(error?.range == bad.range)
        #expect(error?.help == bad.help)
    }
}

extension InfoTable {
    /// Creates a table of named and numbered entries.
    init(_ named: [(String, Value)], _ numbered: [(Int64, Value)]) {
        self.init()
        for (name, value) in named { self[name] = value }
        for (number, value) in numbered { self[.integer(number)] = value }
    }
}
