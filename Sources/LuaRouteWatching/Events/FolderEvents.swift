// SPDX-License-Identifier: MIT

/// A change in a watched folder, as reported by the system.
struct FolderEvent: Hashable, Sendable {
    /// The number of the watch that reports the change; nil if events were lost and anything may
    /// have changed.
    var watch: Int32?
    /// The name of the changed entry in the folder; nil for the folder itself.
    var name: String?
    /// Whether the file may still be written to, because it was created or written to and is not
    /// closed.
    var isUnfinished = false

    /// The event that reports the loss of events.
    static let lost = FolderEvent()
}

/// The reason why the system does not watch a folder.
enum WatchRefusal: Error, Equatable {
    /// The folder no longer exists, because the path has changed in the meantime.
    case gone
    /// The process has no permission to watch the folder.
    case forbidden
    /// Another reason, which the user may be able to remove.
    case failed(why: String)
}

/// A source of events about changes in folders.
protocol FolderEvents: Sendable {
    /// The file descriptor that becomes readable when there are events.
    var descriptor: Int32 { get }

    /// Watches a folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, with symbolic links resolved.
    ///   - isWhole: Whether to report writes to the files of the folder, in addition to changes of
    ///     the names in the folder.
    /// - Returns: The number of the watch, which is always the same for the same folder.
    /// - Throws: ``WatchRefusal``. Other watches remain.
    func add(_ folder: String, writes isWhole: Bool) throws(WatchRefusal) -> Int32

    /// Ends a watch.
    func remove(_ watch: Int32)

    /// Returns all events that have arrived, without waiting.
    func take() -> [FolderEvent]

    /// Releases the system's resources. No other call may follow.
    func close()
}
