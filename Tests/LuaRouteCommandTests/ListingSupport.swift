// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The folder of the scripts to list and explain, and of the recorded output.
let listings = packageFolder.appending(path: "Tests/Listings")

/// Formats a JSON document so that two of them can be compared by eye.
func readable(_ document: String) throws -> String {
    #expect(document.hasSuffix("\n") && document.dropLast().contains("\n") == false)
    let value = try JSONSerialization.jsonObject(with: Data(document.utf8))
    let data = try JSONSerialization.data(
        withJSONObject: value,
        options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    )
    return String(decoding: data, as: UTF8.self) + "\n"
}
