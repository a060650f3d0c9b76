// SPDX-License-Identifier: MIT

import LuaRouting
import Testing

@Suite struct ContentDigestTests {
    @Test(
        "a digest is a 128-bit FNV-1a hash of each text and its length",
        arguments: [
            ([], "6c62272e07bb014262b821756295c58d"),
            ([[]], "9d30c1f78465995be47dda5e4e4e77ed"),
            ([[0x61, 0x62], [0x63]], "b6ce7db35a06e7457857fa227a8bde4e"),
            ([[0x61], [0x62, 0x63]], "efdf187f3b77026ced2f13d8b5bb1a22"),
            ([Array(0...255)], "5c447f9ef1c142635d614c9ff7da805a"),
        ] as [([[UInt8]], String)]
    )
    func known(_ texts: [[UInt8]], _ expected: String) {
        var digest = ContentDigest()
        for text in texts { digest.add(text) }
        #expect(digest.text == expected)
    }
}
