// SPDX-License-Identifier: MIT

import CBaseline
import LuaVM

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Benchmarks of tables that are passed between the host and Lua.
extension Benchmark {
    private static let script = """
        local record = {
          path = "/shows/:id/episodes", name = "episodes", ttl = 300, weight = 0.75, reuse = true,
        }
        local sum = 0
        local function take(record)
          sum = sum + record.ttl
        end
        local function total()
          local total = sum
          sum = 0
          return total
        end
        local function give()
          return record
        end
        return take, give, total
        """

    static func values() throws -> [Benchmark] {
        let plain = try PlainState(script)
        let ours = try Records(script)
        let flattened = Side(expected: { Int64($0) * 5 }) { count in
            baseline_flatten(plain.baseline, 1, Int64(count))
        }
        let sum = { (count: Int) in Int64(count) * Record.example.sum }
        let owned = Side(expected: sum) { count in
            baseline_read(plain.baseline, 1, Int64(count))
        }
        return [
            Benchmark(
                name: "B4-to",
                text: "a record of 5 keys to Lua",
                baselineText: "lua_pcall, lua_rawset",
                bounds: [1.3],
                ours: Side(expected: { Int64($0) * 300 }) { try ours.take($0) },
                baseline: Side(expected: { Int64($0) * 300 }) { count in
                    baseline_build(plain.baseline, 0, 2, Int64(count))
                }
            ),
            Benchmark(
                name: "B4-from",
                text: "a record of 5 keys from Lua, flat",
                baselineText: "lua_pcall, lua_next, to a flat array",
                bounds: [1.15],
                ours: Side(expected: { Int64($0) * 5 }) { try ours.give($0) },
                baseline: flattened
            ),
            Benchmark(
                name: "B4-struct",
                text: "a record of 5 keys from Lua, into a struct",
                baselineText: "the same, into a C struct",
                bounds: [1.3],
                ours: Side(expected: sum) { try ours.give($0, as: { Record(&$0) }) },
                baseline: owned
            ),
            Benchmark(
                name: "B4-codable",
                text: "the same by Codable",
                baselineText: "the same, into a C struct",
                bounds: [],
                ours: Side(expected: sum) { try ours.give($0, as: { try $0.decode(Record.self) }) },
                baseline: owned
            ),
        ]
    }
}

/// The value to decode.
private struct Record: Decodable {
    var path: String
    var name: String
    var ttl: Int
    var weight: Double
    var reuse: Bool

    static let example = Record(
        path: "/shows/:id/episodes",
        name: "episodes",
        ttl: 300,
        weight: 0.75,
        reuse: true
    )

    /// The sum of a part of each field, so that no field can be skipped.
    var sum: Int64 {
        Int64(path.utf8.count + name.utf8.count + ttl) + Int64(weight * 4) + (reuse ? 1 : 0)
    }

    func write(to writer: inout FlatWriter) {
        writer.beginTable(list: 0, entries: 5)
        writer.write("path")
        writer.write(path)
        writer.write("name")
        writer.write(name)
        writer.write("ttl")
        writer.write(Int64(ttl))
        writer.write("weight")
        writer.write(weight)
        writer.write("reuse")
        writer.write(reuse)
    }
}

extension Record {
    /// Reads a record without a decoder, as a host does for speed; nil if the value is not a
    /// record.
    init?(_ reader: inout FlatReader) {
        guard case .table(0, let entries)? = reader.next() else { return nil }
        var path: String?
        var name: String?
        var ttl: Int?
        var weight: Double?
        var reuse: Bool?
        for _ in 0..<entries {
            guard case .string(let key)? = reader.next(), let value = reader.next() else {
                return nil
            }
            switch (key.count, key[0], value) {
            case (4, UInt8(ascii: "p"), .string(let bytes)) where key.isEqual("path"):
                path = String(decoding: bytes, as: UTF8.self)
            case (4, UInt8(ascii: "n"), .string(let bytes)) where key.isEqual("name"):
                name = String(decoding: bytes, as: UTF8.self)
            case (3, UInt8(ascii: "t"), .integer(let integer)) where key.isEqual("ttl"):
                ttl = Int(integer)
            case (6, UInt8(ascii: "w"), .number(let number))
            where key.isEqual("weight"):
                weight = number
            case (5, UInt8(ascii: "r"), .boolean(let boolean))
            where key.isEqual("reuse"):
                reuse = boolean
            default: return nil
            }
        }
        guard let path, let name, let ttl, let weight, let reuse else { return nil }
        self.init(path: path, name: name, ttl: ttl, weight: weight, reuse: reuse)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isEqual(_ text: StaticString) -> Bool {
        guard let baseAddress, count == text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }
}

/// The functions of a script in a `LuaState`.
private struct Records {
    private let state: LuaState
    private let takes: LuaFunction
    private let gives: LuaFunction
    private let totals: LuaFunction

    init(_ script: String) throws {
        var configuration = LuaState.Configuration()
        configuration.budget = .unlimited
        state = try LuaState(configuration)
        let environment = try state.makeEnvironment(strict: true)
        let chunk = try state.load(script, chunkName: "values.lua", environment: environment)
        var reader = try state.run(chunk, results: 3)
        guard case .function(let takes)? = reader.next(),
            case .function(let gives)? = reader.next(),
            case .function(let totals)? = reader.next()
        else { throw MissingFunction(script: "values.lua") }
        (self.takes, self.gives, self.totals) = (takes, gives, totals)
    }

    func take(_ count: Int) throws -> Int64 {
        let record = Record.example
        for _ in 0..<count { try state.call(takes) { record.write(to: &$0) } }
        var reader = try state.call(totals, results: 1)
        guard case .integer(let total)? = reader.next() else { return .min }
        return total
    }

    func give(_ count: Int) throws -> Int64 {
        var sum: Int64 = 0
        for _ in 0..<count {
            var reader = try state.call(gives, results: 1)
            if case .table(_, let entries)? = reader.next() { sum &+= Int64(entries) }
        }
        return sum
    }

    func give(_ count: Int, as record: (inout FlatReader) throws -> Record?) throws -> Int64 {
        var sum: Int64 = 0
        for _ in 0..<count {
            var reader = try state.call(gives, results: 1)
            if let record = try record(&reader) { sum &+= record.sum }
        }
        return sum
    }
}
