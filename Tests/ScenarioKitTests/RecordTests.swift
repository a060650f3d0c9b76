// SPDX-License-Identifier: MIT

import Foundation
import ScenarioKit
import TestSupport
import Testing

/// Tests of tables in CSV files.
struct RecordTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        let expected: [String]
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ expected: String...) {
            self.text = text
            self.expected = expected
        }
    }

    /// Returns the names of the scenarios `<a>/<b>` that a file creates, or the error and its
    /// position.
    private func result(_ text: String) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write("rows.csv", text)
        let source = SourceText(
            name: "\(folder.path)/a.scenario",
            content: Array("skip \"<a>/<b>\"\n  each from rows.csv\n".utf8)
        )
        switch ScenarioParser.parse(source) {
        case .success(let file): return file.scenarios.map(\.name)
        case .failure(let errors):
            return errors.list.map { "\($0.span?.line ?? 0):\($0.span?.column ?? 0) \($0.message)" }
        }
    }

    @Test(
        "the cells of a CSV file are read as in RFC 4180",
        arguments: [
            Case("a,b\n1,2\n3,4", "1/2", "3/4"),
            Case("\u{FEFF}a,b\r\n1,2\r\n", "1/2"),
            Case("b,a\n1,2\n", "2/1"),
            Case("a,b\n\"1,5\",\"x \"\"y\"\"\"\n", "1,5/x \"y\""),
            Case("a,b\n\"one\ntwo\",3\n", "one two/3"),
            Case("a,b\n,\n", "/"),
            Case("a,b\n 1 , 2 \n", "1/2"),
            Case("a,b\n(1|2),3 # no comment\n", "(1|2)/3 # no comment"),
            Case("\"a\",\"b\"\n1,2\n", "1/2"),
        ]
    )
    func cells(_ expected: Case) throws {
        #expect(try result(expected.text) == expected.expected)
    }

    @Test(
        "a malformed record of a CSV file is reported with its position",
        arguments: [
            Case("", "2:3 a row with the names of the columns and at least one more row expected"),
            Case(
                "a,b\n",
                "2:3 a row with the names of the columns and at least one more row expected"
            ),
            Case("a,b\n1\n", "2:1 the row has 1 cell, but the table has 2 columns"),
            Case("a,b\n1,2,3\n", "2:1 the row has 3 cells, but the table has 2 columns"),
            Case("a,b\n\n1,2\n", "2:1 the row has 1 cell, but the table has 2 columns"),
            Case("a,b\n1,\"2\n", "2:3 a quoted cell is not closed"),
            Case(
                "a,b\n\"1\"2,3\n",
                "2:4 ',' or the end of the line expected after the closing quote"
            ),
            Case(
                "a,b\n1,2\"3\n",
                "2:4 a cell that contains '\"' must be quoted, and each '\"' in the cell must be doubled"
            ),
            Case("a,b\n1,(\n", "2:3 '(' is not closed"),
            Case("a,\"b \"\n1,2\n", "1:4 the name of a column expected, got 'b '"),
            Case("a,b,c\n1,2,3\n", "1:5 column 'c' is never used"),
        ]
    )
    func errors(_ expected: Case) throws {
        #expect(try result(expected.text) == expected.expected)
    }
}
