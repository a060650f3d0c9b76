// SPDX-License-Identifier: MIT

public import Foundation
public import ScenarioKit
public import Testing

/// The scenarios of files and folders, as arguments of a test.
///
/// Each scenario and each row of a table is a case of the test.
///
/// ```swift
/// @Test(arguments: Scenarios(in: "Scenarios"))
/// func scenario(_ scenario: Scenario) async throws {
///     try await scenario.run()
/// }
/// ```
///
/// The files are read when the collection is created, and the scripts when a scenario first runs. A
/// file that does not parse, a missing folder or an empty selection is a failing case. The marks
/// `skip` and `only` work as in `luaroute run`. If the environment variable `CI` is set, `only`
/// fails.
public struct Scenarios: Sendable {
    private let cases: [Scenario]

    /// Reads the scenarios at the given paths.
    ///
    /// - Parameters:
    ///   - paths: Folders, files, and `file:line`. Relative paths start at the working directory,
    ///     which `swift test` sets to the folder of the package.
    ///   - tags: Tag conditions such as `auth,!slow`, in the syntax of `luaroute run --tags`. A
    ///     scenario is selected if at least one condition is true, or if there are no conditions.
    ///   - names: Parts of scenario names. A scenario is selected if its name contains at least one
    ///     of these texts, ignoring case, or if there are no texts.
    ///   - options: The options of the runs.
    ///   - sourceLocation: The location of an issue that is not in a file, such as a missing
    ///     folder.
    public init(
        in paths: String...,
        tags: [String] = [],
        names: [String] = [],
        options: RunOptions = RunOptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(paths, tags: tags, names: names, options: options, at: sourceLocation)
    }

    /// Reads the scenarios at the given file URLs.
    ///
    /// ```swift
    /// let folder = URL(filePath: #filePath).deletingLastPathComponent()
    /// let scenarios = Scenarios(in: folder.appending(path: "Scenarios"), tags: ["auth,!slow"])
    /// ```
    ///
    /// The other parameters are the same as for the initializer with paths.
    public init(
        in urls: URL...,
        tags: [String] = [],
        names: [String] = [],
        options: RunOptions = RunOptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let paths = urls.map { $0.path(percentEncoded: false) }
        self.init(paths, tags: tags, names: names, options: options, at: sourceLocation)
    }

    private init(
        _ paths: [String],
        tags: [String],
        names: [String],
        options: RunOptions,
        at location: SourceLocation
    ) {
        var options = options
        if ProcessInfo.processInfo.environment["CI"]?.isEmpty == false {
            options.isUnattended = true
        }
        let found = ScenarioCases(
            paths.map(Self.absoluteIfMissing),
            tags: tags,
            names: names,
            options: options
        )
        let problems = found.diagnostics.enumerated().map { index, diagnostic in
            Scenario(diagnostic, number: index + 1, location)
        }
        cases = problems + found.cases.map { Scenario($0, options) }
    }

    /// Returns the absolute form of a path that does not exist, because only this form shows in an
    /// issue where the file was expected.
    private static func absoluteIfMissing(_ path: String) -> String {
        let isThere = FileManager.default.fileExists(atPath: path)
        return isThere ? path : URL(filePath: path).path(percentEncoded: false)
    }
}

extension Scenarios: RandomAccessCollection {
    /// The position of the first scenario.
    public var startIndex: Int { cases.startIndex }
    /// The position after the last scenario.
    public var endIndex: Int { cases.endIndex }
    /// Returns the scenario at a position.
    public subscript(position: Int) -> Scenario { cases[position] }
}
