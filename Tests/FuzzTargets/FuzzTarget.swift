// SPDX-License-Identifier: MIT

/// An entry point that accepts arbitrary bytes and must survive all of them.
///
/// The fuzzer of `Tests/Fuzzing` looks for bytes that break something; the tests replay those that
/// did once, and those that reach far.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// The text of a chunk, which is loaded and run.
    case chunk
    /// Values that cross into a script and back, and sizes that are no sizes.
    case values
    /// The text of a tree.
    case notation
    /// A scenario file, with a table and a file to include.
    case scenario
    /// A script that calls the router with odd arguments, and what happens to that router.
    case router
    /// The files of a bundle, under the budgets that routers have.
    case bundle
    /// A snapshot that is restored, and the manifest of a host.
    case document
    /// URL patterns, and a URL that is matched with them.
    case url
    /// Messages and edits of the client of a language server.
    case editor

    /// Tries some bytes.
    ///
    /// The limit is a number of instructions, so that every run is the same. Only a bundle has the
    /// time limits of a router.
    ///
    /// - Returns: A sentence for each violated property.
    public func faults(of bytes: [UInt8]) -> [String] {
        switch self {
        case .chunk: ChunkCase(bytes).faults()
        case .values: ValuesCase(bytes).faults()
        case .notation: NotationCase(bytes).faults()
        case .scenario: ScenarioCase(bytes).faults()
        case .router: RouterCase(bytes).faults()
        case .bundle: BundleCase(bytes).faults()
        case .document: DocumentCase(bytes).faults()
        case .url: URLCase(bytes).faults()
        case .editor: EditorCase(bytes).faults()
        }
    }
}
