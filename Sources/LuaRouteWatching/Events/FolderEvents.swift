// SPDX-License-Identifier: MIT

/// One thing that the system tells of a folder.
struct FolderEvent: Equatable, Sendable {
    /// The number of the watch; nil where events were lost, and all may have changed.
    var watch: Int32?
    /// The name in the folder; nil for the folder itself.
    var name: String?

    /// What is told where events were lost.
    static let lost = FolderEvent()
}

/// Why the system does not watch a folder.
enum WatchRefusal: Error, Equatable {
    /// No such folder stands there any more: the way has changed meanwhile.
    case gone
    /// It may not be looked at.
    case forbidden
    /// There is another reason, which a person may do something about.
    case failed(why: String)
}

/// What tells of changes in folders.
protocol FolderEvents: Sendable {
    /// Becomes readable when there are events.
    var descriptor: Int32 { get }

    /// Watches a folder.
    ///
    /// - Parameters:
    ///   - folder: Its path, without links.
    ///   - isWhole: Whether writes to its files are told too, and not just which names it has.
    /// - Returns: The number of the watch, the same for the same folder.
    /// - Throws: ``WatchRefusal``; the other watches stay.
    func add(_ folder: String, writes isWhole: Bool) throws(WatchRefusal) -> Int32

    /// Ends a watch.
    func remove(_ watch: Int32)

    /// Takes all events there are, and does not wait.
    func take() -> [FolderEvent]

    /// Lets go of what it holds; the last call.
    func close()
}
