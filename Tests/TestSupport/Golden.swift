// SPDX-License-Identifier: MIT

public import Foundation
public import Testing

/// The folder of the package, for tests that read its files.
public let packageFolder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The folder of the reference articles, which tests compose from tables in the code.
public let referenceFolder =
    packageFolder
    .appending(path: "Sources/LuaRouting/Documentation.docc/Reference")

/// Compares a text with the text that is recorded in a file.
///
/// With `RECORD=1` in the environment, the file is rewritten, or removed if the text is the usual
/// one. The test then fails, because somebody must read what was recorded.
///
/// - Parameters:
///   - text: The actual text.
///   - file: The file with the expected text.
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
