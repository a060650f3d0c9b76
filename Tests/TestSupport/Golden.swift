// SPDX-License-Identifier: MIT

public import Foundation
public import Testing

/// The folder of the package, for tests that read its files.
public let packageFolder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The folder of the reference articles, which tests compose from the tables in the code.
public let referenceFolder =
    packageFolder
    .appending(path: "Sources/LuaRouting/Documentation.docc/Reference")

/// Compares a text with the one that is recorded in a file.
///
/// With `RECORD=1` in the environment the file is written anew, or removed where the text is
/// the usual one, and the test fails: what is recorded has to be read.
///
/// - Parameters:
///   - text: What is.
///   - file: Where what should be is recorded.
///   - usual: The expected text if there is no file.
///   - location: The source location of the comparison.
/// - Throws: An error if the file cannot be written.
public func expectGolden(
    _ text: String,
    _ file: URL,
    unless usual: String = "",
    sourceLocation location: SourceLocation = #_sourceLocation
) throws {
    guard ProcessInfo.processInfo.environment["RECORD"] == nil else {
        try? FileManager.default.removeItem(at: file)
        if text != usual { try text.write(to: file, atomically: true, encoding: .utf8) }
        Issue.record("recorded \(file.lastPathComponent)", sourceLocation: location)
        return
    }
    let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? usual
    guard text != expected else { return }
    Issue.record(
        """
        \(file.lastPathComponent) is not as recorded ('RECORD=1' records it anew):
        \(lineDifference(from: expected, to: text))
        """,
        sourceLocation: location
    )
}
