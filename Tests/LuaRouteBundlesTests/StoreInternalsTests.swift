// SPDX-License-Identifier: MIT

#if Bundles
import Testing

@testable import LuaRouteBundles

@Suite struct StoreInternalsTests {
    @Test(
        "a record with counts that would overflow is damaged",
        arguments: ["navigations", "failures", "seconds"]
    )
    func counts(_ name: String) throws {
        func record(_ count: Int) -> StoreState? {
            let line = StoreState().document.prefix { $0 != UInt8(ascii: "\n") }
            let text = String(decoding: line, as: UTF8.self)
                .replacing("\"\(name)\":0", with: "\"\(name)\":\(count)")
            let digest = BundleDigest.text(of: text.utf8)
            return StoreState(Array("\(text)\n\(digest)\n".utf8))
        }
        #expect(record(1_000_000) != nil)
        #expect(record(Int.max) == nil)
        #expect(record(-1) == nil)
    }
}
#endif
