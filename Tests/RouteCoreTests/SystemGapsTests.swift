// SPDX-License-Identifier: MIT

import Dispatch
import SystemGaps
import Testing

@Suite struct SystemGapsTests {
    @Test(
        "the replacement for UTF-8 validation on older systems accepts and rejects the same bytes",
        arguments: [
            [], [0x61], [0x61, 0, 0x62], [0xc3, 0xa9], [0xef, 0xbf, 0xbd],
            [0xf0, 0x9f, 0x98, 0x80],
            [0xef, 0xbb, 0xbf, 0x61], [0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80],
            [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x61, 0x80], [0xef, 0xbf, 0xbd, 0xff],
        ] as [[UInt8]]
    )
    func strings(_ bytes: [UInt8]) {
        let validated = String(validating: bytes, as: UTF8.self)
        #expect(String(valid: bytes) == validated)
        #expect(String(repaired: bytes) == validated)
        #expect(validated.map { Array($0.utf8) } ?? bytes == bytes)
    }

    @Test("concurrent additions from several threads are all counted")
    func additions() {
        let number = Atomic()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<1_000 { number.add(1) }
        }
        #expect(number.value == 4_000)
    }

    @Test("setting and clearing a flag returns its previous value")
    func flag() {
        let flag = Atomic()
        #expect(!flag.isSet && !flag.set())
        #expect(flag.isSet && flag.set(false))
        #expect(!flag.isSet && flag.exchange(-7) == 0 && flag.add(7) == 0)
    }
}
