// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests of the examples in the documentation of public types.
@MainActor
struct TypeExampleTests {
    private static let examples = [
        "ScreenExamples", "NotationExamples", "NavigationExamples", "ValueExamples", "URLExamples",
    ]

    @Test("the example of each type prints the output shown in its comments")
    func outputs() async throws {
        for example in TypeExamples.all {
            do { try await example.run() } catch { Issue.record("\(example.type): \(error)") }
        }
        var expected: [String: String] = [:]
        for name in Self.examples {
            let lines = try Self.lines(of: "Tests/LuaRoutingTests/\(name).swift")
            for (index, line) in lines.enumerated() where line.contains("print(") {
                let output = Self.output(of: line, next: lines[index + 1])
                expected["\(name).swift:\(index + 1)"] = output
            }
        }
        #expect(expected.count >= TypeExamples.all.count)
        for (line, output) in expected.sorted(by: { $0.key < $1.key }) {
            let printed = TypeExamples.outputs[line]?.joined(separator: ", ")
            #expect(printed == output, "\(line)")
        }
    }

    /// Returns the expected output, which is in a comment at the end of a `print` line, or on the
    /// line after it.
    private static func output(of line: Substring, next: Substring) -> String? {
        if let comment = line.range(of: "  // ") { return String(line[comment.upperBound...]) }
        let next = next.drop { $0 == " " }
        return next.hasPrefix("// ") ? String(next.dropFirst(3)) : nil
    }

    nonisolated private static func lines(of path: String) throws -> [Substring] {
        try String(contentsOf: packageFolder.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// A module whose types are public in LuaRouting, or one such type of a module.
    private struct Export: Hashable {
        var module: String
        var type: String?

        static func all() throws -> Set<Export> {
            let exports = try lines(of: "Sources/LuaRouting/Exports.swift").compactMap { line in
                line.wholeMatch(of: /@_exported public import (?:\w+ )?(\w+)(?:\.(\w+))?/).map {
                    Export(module: String($0.1), type: $0.2.map(String.init))
                }
            }
            return Set(exports + [Export(module: "LuaRouting")])
        }
    }

    @Test("each public type of LuaRouting and of the modules that it re-exports has an example")
    func completeness() throws {
        let exports = try Export.all()
        var (count, missing): (Int, [String]) = (0, [])
        for module in Set(exports.map(\.module)) {
            let folder = packageFolder.appending(path: "Sources/\(module)").path()
            for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init()
            where path.hasSuffix(".swift") {
                var hasExample = false
                for line in try Self.lines(of: "Sources/\(module)/\(path)") {
                    if line.hasPrefix("///") {
                        hasExample = hasExample || line == "/// ```swift"
                    } else if !line.hasPrefix("@") {
                        defer { hasExample = false }
                        guard line.hasPrefix("public "),
                            let type = line.prefixMatch(
                                of: /public (?:\w+ )?(?:struct|class|enum|protocol|actor) (\w+)/
                            ).map({ String($0.1) }),
                            exports.contains(Export(module: module))
                                || exports.contains(Export(module: module, type: type))
                        else { continue }
                        count += 1
                        if !hasExample { missing.append("\(module).\(type)") }
                    }
                }
            }
        }
        #expect(count > 70)
        #expect(missing.sorted() == [])
    }
}
