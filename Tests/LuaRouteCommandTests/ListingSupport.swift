// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The folder of the scripts that are listed and explained, and of what is recorded of them.
let listings = packageFolder.appending(path: "Tests/Listings")

/// A JSON document laid out so that two of them can be compared by eye.
func readable(_ document: String) throws -> String {
    #expect(document.hasSuffix("\n") && document.dropLast().contains("\n") == false)
    let value = try JSONSerialization.jsonObject(with: Data(document.utf8))
    let data = try JSONSerialization.data(
        withJSONObject: value,
        options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    )
    return String(decoding: data, as: UTF8.self) + "\n"
}
