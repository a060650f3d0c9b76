// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The folder with the scripts that tests list and explain, and with the recorded output.
let listings = packageFolder.appending(path: "Tests/Listings")

/// Formats a JSON document so that a reader can compare two documents line by line.
func readable(_ document: String) throws -> String {
    #expect(document.hasSuffix("\n") && document.dropLast().contains("\n") == false)
    let value = try JSONSerialization.jsonObject(with: Data(document.utf8))
    let data = try JSONSerialization.data(
        withJSONObject: value,
        options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    )
    return String(decoding: data, as: UTF8.self) + "\n"
}
