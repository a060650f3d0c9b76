// SPDX-License-Identifier: MIT

import RandomNumbers
import RouteCore
import Testing

struct SuggestionTests {
    @Test(
        "only a similar name is suggested",
        arguments: [
            ("showID", "showId"), ("shwoId", "showId"), ("showIdd", "showId"), ("howId", "showId"),
            ("shawIt", "showId"), ("sowI", nil), ("tracked", nil), ("Id", "id"), ("ie", "id"),
            ("ab", nil), ("", nil), ("showId", nil), ("SHOWId", "showId"), ("SHOWid", nil),
        ] as [(String, String?)]
    )
    func nearest(_ name: String, _ expected: String?) {
        #expect(Suggestion.nearest(to: name, among: ["showId", "title", "id"]) == expected)
    }

    @Test("if several names are equally similar, the first in byte order is suggested")
    func ties() {
        #expect(Suggestion.nearest(to: "cat", among: ["hat", "bat", "rat"]) == "bat")
        #expect(Suggestion.nearest(to: "cat", among: ["bat", "Cat"]) == "Cat")
    }

    @Test("the edit distance equals that of a simple reference implementation")
    func naive() {
        var numbers = RandomNumbers(seed: 5)
        func name() -> String {
            String((0..<numbers.below(9)).map { _ in "abAB".randomElement(using: &numbers) ?? "a" })
        }
        for _ in 0..<20_000 {
            let (name, other) = (name(), name())
            let limit = name.utf8.count <= 4 ? 2 : 4
            let isNear =
                name != other && Self.distance(Array(name.utf8), Array(other.utf8)) <= limit
            let found = Suggestion.nearest(to: name, among: [other])
            #expect((found == other) == isNear, "\(name) \(other)")
        }
    }

    /// Returns the edit distance, counted in half edits.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var table = [[Int]](
            repeating: [Int](repeating: 0, count: right.count + 1),
            count: left.count + 1
        )
        for row in 0...left.count {
            for column in 0...right.count {
                if row == 0 || column == 0 {
                    table[row][column] = (row + column) * 2
                    continue
                }
                let (letter, other) = (left[row - 1], right[column - 1])
                let replacement = letter == other ? 0 : letter ^ other == 0x20 ? 1 : 2
                var cost = min(table[row - 1][column], table[row][column - 1]) + 2
                cost = min(cost, table[row - 1][column - 1] + replacement)
                if row > 1, column > 1, letter == right[column - 2], left[row - 2] == other {
                    cost = min(cost, table[row - 2][column - 2] + 2)
                }
                table[row][column] = cost
            }
        }
        return table[left.count][right.count]
    }

    @Test("a very long name has no suggestion")
    func long() {
        let name = String(repeating: "n", count: Suggestion.maximumLength)
        #expect(Suggestion.nearest(to: name, among: [name + "m"]) == name + "m")
        #expect(Suggestion.nearest(to: name + "m", among: [name]) == nil)
    }

    @Test("a hint is either a suffix for a message or empty")
    func hint() {
        #expect(Suggestion.hint(for: "navv", among: ["nav"]) == ", did you mean 'nav'?")
        #expect(Suggestion.hint(for: "x", among: ["nav"]) == "")
    }
}
