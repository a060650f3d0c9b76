// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting
import RandomNumbers
import Testing

/// Tests of route strings of random bytes, in comparison with the JSON reader of the platform.
struct RouteStringFuzzTests {
    private static let seeds = [
        #"{"a":1,"b":[1,2.5,-3e2,{"c":null}],"d":{"e":"x\u00e9\n","f":true}}"#,
        #" { "long" : "\ud83d\ude00 \\ \/ \"" , "n" : [ ] , "o" : { } } "#,
        #"{"a":"b|c","0":-0,"9":9223372036854775807,"x":1E+2}"#,
    ]

    @Test("Foundation reads the same values from an accepted payload", arguments: 0..<UInt64(40))
    func mutations(_ seed: UInt64) throws {
        var numbers = RandomNumbers(seed: seed)
        let alphabet = Array(#"{}[]":,\u0eE+-.19tfn /"#.utf8)
        for _ in 0..<100 {
            var bytes = Array((Self.seeds.randomElement(using: &numbers) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                let index = bytes.indices.randomElement(using: &numbers) ?? 0
                switch Int.random(in: 0..<3, using: &numbers) {
                case 0: bytes.remove(at: index)
                case 1: bytes[index] = alphabet.randomElement(using: &numbers) ?? 0
                default: bytes.insert(alphabet.randomElement(using: &numbers) ?? 0, at: index)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let route = try? AnyRoute("id|" + text) else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            let known = try #require(object, "\(text)")
            #expect(
                Self.hasSameKeys(.table(route.info), known),
                "\(text) is \(route.info) and \(known)"
            )
        }
    }

    /// Returns whether both values have the same keys, lists and texts.
    ///
    /// Numbers are compared by their values.
    private static func hasSameKeys(_ value: Value, _ object: Any) -> Bool {
        switch (value, object) {
        case (.table(let table), let object as [String: Any]):
            let present = object.filter { !($0.value is NSNull) }
            return table.count == present.count
                && present.allSatisfy { hasSameKeys(table[$0.key], $0.value) }
        case (.table(let table), let list as [Any]):
            return table.list.count == list.count
                && zip(table.list, list).allSatisfy { hasSameKeys($0, $1) }
        case (.string(let string), let text as String): return string.text == text
        case (.boolean(let boolean), let number as NSNumber): return number.boolValue == boolean
        case (.integer(let integer), let number as NSNumber): return number.int64Value == integer
        // The platform's reader takes numbers for decimal ones, and rounds them twice.
        case (.number(let double), let number as NSNumber):
            return abs(number.doubleValue - double) <= abs(double) * 1e-15
        default: return false
        }
    }
}
