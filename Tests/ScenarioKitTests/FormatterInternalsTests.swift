// SPDX-License-Identifier: MIT

import Foundation
import RandomNumbers
import TestSupport
import Testing

@testable import ScenarioKit
@testable import ScenarioLanguage

/// Tests of the formatter for scenario files, with texts and with all scenario files of the
/// repository.
struct FormatterInternalsTests {
    private static func source(_ text: String) -> SourceText {
        SourceText(name: "test.scenario", content: Array(text.utf8))
    }

    private static func formatted(_ text: String) throws -> String {
        _ = try ScenarioParser.parse(source(text)).get()
        return ScenarioFormatter.format(source(text)).text
    }

    /// The scenario files that can be parsed.
    static let corpus: [String] = {
        let folders = ["scripts", "Tests"]
        return folders.flatMap { folder -> [String] in
            let url = packageFolder.appending(path: folder)
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: url.path())
            return (paths ?? []).filter { $0.hasSuffix(".scenario") && !$0.contains(".build") }
                .map { url.appending(path: $0).path() }
        }.sorted()
    }()

    @Test("formatting keeps the meaning and the comments of a file, and is idempotent")
    func corpus() throws {
        var count = 0
        for path in Self.corpus {
            let content = try Data(contentsOf: URL(filePath: path))
            let source = SourceText(name: path, content: Array(content))
            guard case .success(let file) = ScenarioParser.parse(source) else { continue }
            count += 1
            let text = ScenarioFormatter.format(source).text
            let result = SourceText(name: path, content: Array(text.utf8))
            let again = try ScenarioParser.parse(result).get()
            #expect(meaning(of: again) == meaning(of: file), "\(path)")
            #expect(comments(in: result) == comments(in: source), "\(path)")
            let isUnchanged = ScenarioFormatter.format(result).isUnchanged
            #expect(isUnchanged, "\(path)")
        }
        #expect(count > 100)
    }

    /// `FORMAT_MUTATIONS` sets the number of changed files.
    @Test("formatting keeps the meaning of files with random white space", .tags(.sweep))
    func mutations() throws {
        let count = ProcessInfo.processInfo.environment["FORMAT_MUTATIONS"].flatMap { Int($0) }
        let files = try Self.corpus.map { (path: $0, try Data(contentsOf: URL(filePath: $0))) }
            .filter { $0.1.count < 3_000 }
        var numbers = RandomNumbers(seed: 11)
        var parsed = 0
        for _ in 0..<(count ?? 300) {
            let (path, content) = numbers.pick(files)
            var bytes = Array(content)
            for _ in 0...numbers.below(4) { Self.mutate(&bytes, &numbers) }
            let source = SourceText(name: path, content: bytes)
            guard case .success(let file) = ScenarioParser.parse(source) else { continue }
            parsed += 1
            let text = ScenarioFormatter.format(source).text
            let result = SourceText(name: path, content: Array(text.utf8))
            let again = try? ScenarioParser.parse(result).get()
            let before = String(decoding: bytes, as: UTF8.self)
            #expect(again.map(meaning) == meaning(of: file), "\(path)\n\(before)\n→\n\(text)")
            let isUnchanged = ScenarioFormatter.format(result).isUnchanged
            #expect(isUnchanged, "\(path)\n\(before)\n→\n\(text)")
        }
        #expect(parsed * 4 > count ?? 300)
    }

    /// Inserts or removes white space at a random position.
    private static func mutate(_ bytes: inout [UInt8], _ numbers: inout RandomNumbers) {
        let spaces = bytes.indices.filter { bytes[$0] == UInt8(ascii: " ") }
        let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }
        switch numbers.below(5) {
        case 0 where !spaces.isEmpty: bytes.remove(at: numbers.pick(spaces))
        case 1 where !spaces.isEmpty: bytes.insert(0x20, at: numbers.pick(spaces))
        case 2 where !spaces.isEmpty: bytes[numbers.pick(spaces)] = 0x09
        case 3 where !commas.isEmpty: bytes.insert(0x0A, at: numbers.pick(commas) + 1)
        default: bytes.insert(0x20, at: numbers.below(bytes.count + 1))
        }
    }

    @Test("the scenario files of the examples are formatted")
    func examples() throws {
        for path in Self.corpus where path.contains("/scripts/") && !path.contains("/Tests/") {
            let content = try Data(contentsOf: URL(filePath: path))
            let text = ScenarioFormatter.format(SourceText(name: path, content: Array(content)))
            let isUnchanged = text.isUnchanged
            #expect(isUnchanged, "\(text.difference)")
        }
    }

    @Test(
        "spaces, indentation and blank lines are normalized",
        arguments: [
            (
                "indentation follows blocks, loops and tables",
                """
                use app.lua
                scenario "a"
                \t start
                     repeat 2
                 back
                       # in the loop
                   end
                  navigate <where>
                 each
                 | where |
                     | Show/open(id=7) |
                """,
                """
                use app.lua
                scenario "a"
                  start
                  repeat 2
                    back
                    # in the loop
                  end
                  navigate <where>
                  each
                    | where           |
                    | Show/open(id=7) |

                """
            ),
            (
                "spaces between words are single, and two before the first tag",
                """
                set  seed=7
                scenario   "a  b"   @one   @two
                  expect   state.a={ b = 1 ,c = 'x y' }
                  navigate Show/open( id=7,title="a  b" )   with ( window = main,again=true )

                """,
                """
                set seed = 7
                scenario "a  b"  @one @two
                  expect state.a = {b=1, c="x y"}
                  navigate Show/open(id=7, title="a  b") with (window=main, again=true)

                """
            ),
            (
                "paths, unquoted text and arguments of macros are kept",
                """
                use  my  app.lua
                macro m <a>
                  note "say <a>"
                scenario "a"
                  open   main|{"a":  "b,c"}
                  dispatch   /shows/(a,b)?x=1,2
                  do   m   {a,  b}

                """,
                """
                use my  app.lua
                macro m <a>
                  note "say <a>"
                scenario "a"
                  open main|{"a":  "b,c"}
                  dispatch /shows/(a,b)?x=1,2
                  do m {a,  b}

                """
            ),
            (
                "quotes with a quote or an escape are kept",
                """
                scenario"a  \t b"@c
                  expect state.a = {'it', 'say "it"', 'it\\'s', "it's"}

                """,
                """
                scenario "a  \t b"  @c
                  expect state.a = {"it", 'say "it"', 'it\\'s', "it's"}

                """
            ),
            (
                "blank lines are grouped, and comments aligned",
                """


                # of the file


                scenario "a"   # of it
                # of start
                  start # one
                  navigate Home/show    #   two  \

                  # at the end

                # of the next one
                scenario "b"
                  start


                """,
                """
                # of the file

                scenario "a"  # of it
                  # of start
                  start               # one
                  navigate Home/show  #   two
                  # at the end

                # of the next one
                scenario "b"
                  start

                """
            ),
            (
                "long lines break after commas of the outermost bracket",
                """
                scenario "a"
                  expect tree nav[Home(title="something long"), Show(id=1, title="one"), Show(id=2, title="the other")]
                  given nav[ # first
                  Home,
                     Show(
                  id=1)
                  ]

                """,
                """
                scenario "a"
                  expect tree nav[Home(title="something long"), Show(id=1, title="one"),
                    Show(id=2, title="the other")]
                  given nav[  # first
                    Home,
                    Show(
                      id=1)
                  ]

                """
            ),
        ]
    )
    func layout(_ what: String, _ text: String, _ expected: String) throws {
        #expect(try Self.formatted(text) == expected)
        #expect(try Self.formatted(expected) == expected)
    }

    @Test("the line breaks and the byte order mark of the file are kept")
    func lineBreaks() throws {
        let text = "\u{FEFF}scenario \"a\"\r\n   start\n\r\n\r\n  back"
        let expected = "\u{FEFF}scenario \"a\"\r\n  start\r\n\r\n  back\r\n"
        #expect(try Self.formatted(text) == expected)
        #expect(try Self.formatted("") == "")
        #expect(try Self.formatted("\n\n") == "")
    }

    @Test("the difference lists the changed lines in the format of 'diff'")
    func difference() {
        let source = Self.source("\n# one\nscenario \"a\"\n    start\n  back  \n  back\n")
        #expect(
            ScenarioFormatter.format(source).difference.text == """
                --- test.scenario
                +++ test.scenario
                @@ -1 +0,0 @@
                -
                @@ -4,2 +3,2 @@
                -    start
                -  back  \

                +  start
                +  back

                """
        )
    }

    // MARK: Meaning

    private func meaning(of file: ScenarioFile) -> [String] {
        var lines = ["\(file.use?.path ?? "")", "\(file.settings)"]
        lines += (file.background + file.uncalledSteps).map(meaning)
        for scenario in file.scenarios {
            lines.append("\(scenario.name) \(scenario.tags) \(scenario.mode)")
            lines.append("\(scenario.row != nil) \(scenario.record ?? 0)")
            lines += scenario.steps.map(meaning)
        }
        for exploration in file.explorations {
            lines.append("\(exploration.name) \(exploration.tags) \(exploration.bounds)")
            lines += exploration.allSteps.map(meaning)
            lines += exploration.rules.map { rule in
                switch rule.property {
                case .never(_, let when): "never \(when != nil)"
                case .neverDeeper(let count): "deeper \(count)"
                case .neverError(let code): "error \(code)"
                case .always(_, let steps): "always \(steps)"
                }
            }
        }
        return lines
    }

    private func meaning(of step: ScenarioStep) -> String {
        let action = "\(step.action)".replacing(/\d+\.\.<\d+/, with: "range")
        return "\(step.word) \(step.name ?? "") \(step.isOptional) \(action)"
    }

    private func comments(in source: SourceText) -> [String] {
        let bytes = LineReader(source).bytes
        return (1...source.lineCount).compactMap { number in
            let start = source.line(number).first {
                source.bytes[$0] == UInt8(ascii: "#") && bytes[$0] != source.bytes[$0]
            }
            return start.map { start in
                source.text(start..<source.line(number).upperBound)
                    .trimmingCharacters(in: .whitespaces)
            }
        }
    }
}
