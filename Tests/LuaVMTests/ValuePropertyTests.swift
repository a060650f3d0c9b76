// SPDX-License-Identifier: MIT

import LuaVM
import RandomNumbers
import TestSupport
import Testing

/// Tests that random values are unchanged after a round trip.
@Suite struct ValuePropertyTests {
    @Test(
        "a random tree of values is unchanged after a round trip through a script",
        arguments: 0..<200 as Range<UInt64>
    )
    func trees(_ seed: UInt64) throws {
        let script = try Script()
        let same = try script.function("return function(...) return ... end")
        var random = RandomNumbers(seed: seed)
        for _ in 0..<5 {
            let tree = RandomValue(level: 0, &random)
            var reader = try script.state.call(same, results: 1) { tree.write(to: &$0) }
            let back = RandomValue(from: &reader)
            #expect(back == tree.canonical)
            #expect(reader.next() == nil)
            // Without a script too.
            var written = try FlatReader { tree.canonical.write(to: &$0) }
            #expect(RandomValue(from: &written) == tree.canonical)
        }
    }

    @Test(
        "decoding an encoded random value returns an equal value",
        .tags(.sweep),
        .unlessQuick,
        arguments: 0..<200 as Range<UInt64>
    )
    func codables(_ seed: UInt64) throws {
        let script = try Script()
        let same = try script.function("return function(...) return ... end")
        var random = RandomNumbers(seed: seed)
        for _ in 0..<5 {
            let value = RandomCodable(level: 0, &random)
            var direct = try FlatReader { $0.encode(value) }
            #expect(try direct.decode(RandomCodable.self) == value)
            var reader = try script.state.call(same, results: 1) { $0.encode(value) }
            #expect(try reader.decode(RandomCodable.self) == value)
        }
    }
}

/// A value as scripts see it.
private indirect enum RandomValue: Equatable {
    case boolean(Bool)
    case integer(Int64)
    case number(UInt64)
    case string([UInt8])
    case table(list: [RandomValue], entries: [Pair])

    struct Pair: Equatable {
        let key: RandomValue
        let value: RandomValue
    }

    static let integers: [Int64] = [0, 1, -1, .min, .max, 1 << 53, (1 << 53) + 1]
    static let numbers = [
        0.0, -0.0, 1, 0.5, 0x1p53, 0x1p63, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
    ]

    init(level: Int, _ random: inout RandomNumbers) {
        switch Int.random(in: level < 4 ? 0...7 : 0...4, using: &random) {
        case 0: self = .boolean(.random(using: &random))
        case 1: self = .integer(Self.integers.randomElement(using: &random) ?? 0)
        case 2: self = .number((Self.numbers.randomElement(using: &random) ?? 0).bitPattern)
        case 3, 4: self = .string(Self.bytes(&random))
        default:
            let list = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                RandomValue(level: level + 1, &random)
            }
            // More than the tables that are walked once have, now and then.
            let count = Int.random(
                in: 0...(Int.random(in: 0...9, using: &random) == 0 ? 60 : 5),
                using: &random
            )
            let entries = (0..<count).map { _ in
                let isText = Bool.random(using: &random)
                return Pair(
                    key: isText
                        ? .string(Self.bytes(&random))
                        : .integer(.random(in: -9...9, using: &random)),
                    value: RandomValue(level: level + 1, &random)
                )
            }
            self = .table(list: list, entries: entries)
        }
    }

    /// Returns some bytes, which often have a prefix in common.
    private static func bytes(_ random: inout RandomNumbers) -> [UInt8] {
        let beginning = Array("abcdefgh".utf8.prefix(.random(in: 0...8, using: &random)))
        let count = Int.random(in: 0...3, using: &random)
        return beginning + (0..<count).map { _ in .random(in: 0...255, using: &random) }
    }

    /// The value in the form in which it is read back.
    var canonical: RandomValue {
        guard case .table(let list, let entries) = self else { return self }
        var integers: [Int64: RandomValue] = [:]
        var strings: [[UInt8]: RandomValue] = [:]
        for (index, value) in list.enumerated() { integers[Int64(index) + 1] = value.canonical }
        for entry in entries {
            switch entry.key {
            case .integer(let integer): integers[integer] = entry.value.canonical
            case .string(let bytes): strings[bytes] = entry.value.canonical
            default: break
            }
        }
        var canonicalList: [RandomValue] = []
        while let next = integers.removeValue(forKey: Int64(canonicalList.count) + 1) {
            canonicalList.append(next)
        }
        return .table(
            list: canonicalList,
            entries: integers.sorted { $0.key < $1.key }
                .map { Pair(key: .integer($0.key), value: $0.value) }
                + strings.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { Pair(key: .string($0.key), value: $0.value) }
        )
    }

    func write(to writer: inout FlatWriter) {
        switch self {
        case .boolean(let value): writer.write(value)
        case .integer(let value): writer.write(value)
        case .number(let bits): writer.write(Double(bitPattern: bits))
        case .string(let bytes): bytes.withUnsafeBytes { writer.write(bytes: $0) }
        case .table(let list, let entries):
            writer.beginTable(list: list.count, entries: entries.count)
            for value in list { value.write(to: &writer) }
            for entry in entries {
                entry.key.write(to: &writer)
                entry.value.write(to: &writer)
            }
        }
    }

    init?(from reader: inout FlatReader) {
        switch reader.next() {
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value.bitPattern)
        case .string(let bytes): self = .string(Array(bytes))
        case .table(let list, let entries):
            var values: [RandomValue] = []
            for _ in 0..<list {
                guard let value = RandomValue(from: &reader) else { return nil }
                values.append(value)
            }
            var pairs: [Pair] = []
            for _ in 0..<entries {
                guard let key = RandomValue(from: &reader), let value = RandomValue(from: &reader)
                else { return nil }
                pairs.append(Pair(key: key, value: value))
            }
            self = .table(list: values, entries: pairs)
        default: return nil
        }
    }
}

/// A value that contains every kind of encodable value.
private struct RandomCodable: Codable, Equatable {
    var boolean: Bool
    var integer: Int
    var small: Int8
    var unsigned: UInt64
    var number: Double
    var short: Float
    var text: String
    var absent: String?
    var nested: Int??
    var list: [Int?]
    var bytes: [UInt8]
    var names: [String: Double]
    var numbers: [Int: [String]]
    var pairs: [Bool: String]
    var shape: Shape
    var children: [RandomCodable]

    init(level: Int, _ random: inout RandomNumbers) {
        boolean = .random(using: &random)
        integer = [0, 1, -1, .min, .max, 1 << 53].randomElement(using: &random) ?? 0
        small = .random(in: .min ... .max, using: &random)
        unsigned = .random(in: 0...UInt64(Int64.max), using: &random)
        number =
            [0, -1, 0.1, 0x1p63, .infinity, .leastNonzeroMagnitude].randomElement(using: &random)
            ?? 0
        short = [0, 0.1, -.infinity, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0
        text = Self.text(&random)
        absent = .random(using: &random) ? Self.text(&random) : nil
        nested = .random(using: &random) ? 1 : nil
        list = (0..<Int.random(in: 0...4, using: &random)).map { $0.isMultiple(of: 2) ? nil : $0 }
        // The last item of a list cannot be nil.
        list.append(7)
        bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
            .random(in: 0...255, using: &random)
        }
        names = [:]
        numbers = [:]
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            names[Self.text(&random)] = .random(in: -1...1, using: &random)
            numbers[.random(in: -5...5, using: &random)] = [Self.text(&random)]
        }
        pairs = .random(using: &random) ? [true: "yes"] : [:]
        shape = .group([.point, .circle(radius: .random(in: 0...1, using: &random)), .pair(1, "")])
        children = []
        guard level < 3 else { return }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            children.append(RandomCodable(level: level + 1, &random))
        }
    }

    private static func text(_ random: inout RandomNumbers) -> String {
        let scalars: [Unicode.Scalar] = ["a", "b", "7", "\0", "ä", "\u{301}", "🎧", ".", " "]
        var text = ""
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
        }
        return text
    }
}
