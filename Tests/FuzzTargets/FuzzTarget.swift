// SPDX-License-Identifier: MIT

/// An entry point that accepts arbitrary bytes and must survive all of them.
///
/// The fuzzer of `Tests/Fuzzing` searches for bytes that reveal a bug. The tests replay bytes that
/// once did, and bytes that reach code that is hard to reach.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// The text of a chunk, which is loaded and run.
    case chunk
    /// Values that cross into a script and back, and invalid sizes.
    case values
    /// The text of a tree.
    case notation
    /// A scenario file, with a table and a file to include.
    case scenario
    /// A script that calls the router with odd arguments, followed by calls of this router.
    case router
    /// The files of a bundle, which is loaded with the budgets of routers.
    case bundle
    /// A document that is read both as a snapshot to restore and as the manifest of a host.
    case document
    /// URL patterns, and a URL that is matched with them.
    case url
    /// Messages and edits that the client of a language server sends.
    case editor

    /// Tests the given bytes.
    ///
    /// Work is limited by numbers of instructions, so that every run is the same. Only a bundle has
    /// the time limits of a router.
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
