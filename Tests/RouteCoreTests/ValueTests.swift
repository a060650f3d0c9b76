// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct ValueTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var left: Value
        var right: Value
        var isEqual: Bool
        var isSame: Bool
        init(_ left: Value, _ right: Value, isEqual: Bool, isSame: Bool) {
            (self.left, self.right, self.isEqual, self.isSame) = (left, right, isEqual, isSame)
        }
        var testDescription: String { "\(left) and \(right)" }
    }

    static let pairs: [Pair] = [
        Pair(nil, nil, isEqual: true, isSame: true),
        Pair(nil, false, isEqual: false, isSame: false),
        Pair(1, 1, isEqual: true, isSame: true),
        Pair(1, 1.0, isEqual: true, isSame: false),
        Pair(1, 1.5, isEqual: false, isSame: false),
        Pair(1, "1", isEqual: false, isSame: false),
        Pair(0.0, .number(-0.0), isEqual: true, isSame: false),
        Pair(0, .number(-0.0), isEqual: true, isSame: false),
        Pair(.number(.nan), .number(.nan), isEqual: false, isSame: true),
        Pair(.integer(.max), .number(9_223_372_036_854_775_808), isEqual: false, isSame: false),
        Pair(.integer(.min), .number(-9_223_372_036_854_775_808), isEqual: true, isSame: false),
        Pair(9_007_199_254_740_993, .number(9_007_199_254_740_992), isEqual: false, isSame: false),
        Pair(9_007_199_254_740_992, .number(9_007_199_254_740_992), isEqual: true, isSame: false),
        Pair(1, .number(.nan), isEqual: false, isSame: false),
        Pair(1, .number(.infinity), isEqual: false, isSame: false),
        Pair(.integer(.min), .number(-.infinity), isEqual: false, isSame: false),
        Pair("a", "a", isEqual: true, isSame: true),
        Pair("\u{E9}", "e\u{301}", isEqual: false, isSame: false),
        Pair([1, 2], [1, 2.0], isEqual: true, isSame: false),
        Pair([1, 2], [1], isEqual: false, isSame: false),
        Pair(["a": [1]], ["a": [1.0]], isEqual: true, isSame: false),
        Pair(["a": 1], ["b": 1], isEqual: false, isSame: false),
        Pair(["a": 1, "b": 2], ["b": 2, "a": 1], isEqual: true, isSame: true),
    ]

    @Test("values are compared as in scripts, or by representation", arguments: pairs)
    func compares(_ pair: Pair) {
        #expect(pair.left.isEqual(to: pair.right) == pair.isEqual)
        #expect(pair.right.isEqual(to: pair.left) == pair.isEqual)
        #expect((pair.left == pair.right) == pair.isSame)
    }

    @Test("references are compared by identity")
    func references() {
        let object = HostObject(1)
        #expect(Value.object(object) == .object(object))
        #expect(Value.object(object) != .object(HostObject(1)))
        #expect(Value.object(object).isEqual(to: .object(object)))
    }

    @Test("the path to the first reference inside a value is found")
    func pathToReference() {
        let object = Value.object(HostObject(1))
        #expect(Value.table(InfoTable()).pathToReference == nil)
        #expect(object.pathToReference == "")
        #expect(([1, [2, object]] as Value).pathToReference == "[2][2]")
        #expect(
            (["items": [["two words": object]]] as Value).pathToReference
                == #".items[1]["two words"]"#
        )
    }

    @Test("every kind of value has the name used in messages")
    func kindNames() {
        let values: [Value] = [nil, true, 1, 1.5, "", [], .object(HostObject(1))]
        #expect(
            values.map(\.kindName) == [
                "nil", "boolean", "integer", "number", "string", "table", "host object",
            ]
        )
    }

    @Test(
        "a name starts with a letter, and a dot is followed by a letter",
        arguments: [
            ("a", true), ("Show", true), ("a1_-b", true), ("a.b.c", true), ("a-", true),
            ("nil", true), ("", false), ("1a", false), ("_a", false), ("-a", false), (".a", false),
            ("a.", false), ("a..b", false), ("a.1", false), ("a b", false), ("é", false),
            ("aé", false), ("a\0", false),
        ]
    )
    func names(_ text: String, _ isValid: Bool) {
        #expect(Name.isValid(text) == isValid)
    }

    @Test("parsing a name consumes the longest name at the start of the bytes")
    func scansName() {
        var bytes = Array("a.b-c.9 rest".utf8)[...]
        #expect(Name.scan(&bytes))
        #expect(String(decoding: bytes, as: UTF8.self) == ".9 rest")
        #expect(!Name.scan(&bytes))
        #expect(String(decoding: bytes, as: UTF8.self) == ".9 rest")
    }
}
