// SPDX-License-Identifier: MIT

import RouteCore
import Testing

struct SuggestionTests {
    @Test(
        "the nearest name is found, and none that is far",
        arguments: [
            ("showID", "showId"), ("shwoId", "showId"), ("showIdd", "showId"), ("howId", "showId"),
            ("shawIt", "showId"), ("sowI", nil), ("tracked", nil), ("Id", "id"), ("ie", "id"),
            ("ab", nil), ("", nil), ("showId", nil), ("SHOWId", "showId"), ("SHOWid", nil),
        ] as [(String, String?)]
    )
    func nearest(_ name: String, _ expected: String?) {
        #expect(Suggestion.nearest(to: name, among: ["showId", "title", "id"]) == expected)
    }

    @Test("of equally near names the first in the order of bytes is taken")
    func ties() {
        #expect(Suggestion.nearest(to: "cat", among: ["hat", "bat", "rat"]) == "bat")
        #expect(Suggestion.nearest(to: "cat", among: ["bat", "Cat"]) == "Cat")
    }

    @Test("a hint is the end of a message, or nothing")
    func hint() {
        #expect(Suggestion.hint(for: "navv", among: ["nav"]) == ", did you mean 'nav'?")
        #expect(Suggestion.hint(for: "x", among: ["nav"]) == "")
    }
}
