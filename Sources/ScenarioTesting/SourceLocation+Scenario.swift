// SPDX-License-Identifier: MIT

internal import Foundation
internal import ScenarioKit
internal import Testing

extension SourceLocation {
    /// Creates the location of a part of a scenario file or script.
    init(_ span: Span) {
        self.init(path: span.source.name, line: span.line, column: span.column)
    }

    /// Creates a location in a scenario file or script.
    init(path: String, line: Int, column: Int = 1) {
        let path = URL(filePath: path).path(percentEncoded: false)
        let name = path.split(separator: "/").last ?? "scenarios"
        // The file ID of a source file begins with the name of its module. Scenario files and
        // scripts belong to no module.
        self.init(fileID: "Scenarios/\(name)", filePath: path, line: line, column: column)
    }
}
