// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

struct TableTests {
    @Test("a value after a gap in a list is a keyed entry until the gap is filled")
    func gaps() {
        var table = InfoTable()
        table[.integer(3)] = "c"
        table[.integer(2)] = "b"
        #expect(table.list.isEmpty && table.count == 2 && !table.isList)
        table[.integer(1)] = "a"
        #expect(table.list == ["a", "b", "c"] && table.isList)
    }

    @Test("removing a value from the middle of a list does not shift the values after it")
    func holes() {
        var table = InfoTable(list: ["a", "b", "c", "d"])
        table[.integer(2)] = nil
        #expect(table.list == ["a"])
        #expect(table.entries.map(\.key) == [.integer(3), .integer(4)])
        #expect(table[.integer(4)] == "d" && table[.integer(2)] == nil)
        table[.integer(2)] = "B"
        #expect(table == InfoTable(list: ["a", "B", "c", "d"]))
    }

    @Test("a nil in a list does not shift the other values")
    func listWithNil() {
        let table = InfoTable(list: [1, nil, 3])
        #expect(table.list == [1])
        #expect(table[.integer(3)] == 3)
        #expect(InfoTable(list: [nil, nil]).isEmpty)
    }

    @Test("entries are sorted: integers by value, then strings by value")
    func order() {
        var table = InfoTable()
        for key: InfoTable.Key in [
            .string("b"), .integer(9), .string(""), .string("B"), .integer(-5), .integer(0),
        ] {
            table[key] = true
        }
        #expect(
            table.entries.map(\.key) == [
                .integer(-5), .integer(0), .integer(9), .string(""), .string("B"), .string("b"),
            ]
        )
    }

    @Test("setting nil removes a value, and absent values are nil")
    func removal() {
        var table: InfoTable = InfoTable([("a", 1)], [])
        table["a"] = nil
        table["b"] = nil
        #expect(table.isEmpty)
        #expect(table["a"] == nil)
    }

    @Test(
        "a table has the same representation, whatever the order of edits",
        arguments: [
            UInt64
        ](1...8)
    )
    func oneForm(_ seed: UInt64) {
        var random = RandomNumbers(seed: seed)
        for _ in 0..<100 {
            var model: [InfoTable.Key: Value] = [:]
            var table = InfoTable()
            for _ in 0..<30 {
                let key: InfoTable.Key =
                    random.isTrue(oneIn: 3)
                    ? .string(random.element(of: ["a", "b"])) : .integer(Int64(random.below(7)))
                let value: Value = random.isTrue(oneIn: 3) ? nil : .integer(Int64(random.below(3)))
                table[key] = value
                model[key] = value.isNil ? Optional.none : .some(value)
            }
            var again = InfoTable()
            for (key, value) in model { again[key] = value }
            #expect(table == again, "seed \(seed)")
            #expect(table.count == model.count, "seed \(seed)")
            for (key, value) in model { #expect(table[key] == value, "seed \(seed)") }
            #expect(table.entries.map(\.key) == table.entries.map(\.key).sorted(), "seed \(seed)")
            #expect(!table.entries.contains { $0.key == .integer(Int64(table.list.count) + 1) })
        }
    }
}
