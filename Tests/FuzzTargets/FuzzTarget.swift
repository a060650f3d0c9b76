// SPDX-License-Identifier: MIT

/// What takes bytes from anywhere, and must survive all of them.
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

    /// Tries some bytes.
    ///
    /// How long that may take is bounded by instructions, so each run is the same; a bundle alone has
    /// the budgets of time that routers have.
    ///
    /// - Returns: A sentence for each thing that should hold and does not.
    public func faults(of bytes: [UInt8]) -> [String] {
        switch self {
        case .chunk: ChunkCase(bytes).faults()
        case .values: ValuesCase(bytes).faults()
        case .notation: NotationCase(bytes).faults()
        case .scenario: ScenarioCase(bytes).faults()
        case .router: RouterCase(bytes).faults()
        case .bundle: BundleCase(bytes).faults()
        case .document: DocumentCase(bytes).faults()
        }
    }
}
