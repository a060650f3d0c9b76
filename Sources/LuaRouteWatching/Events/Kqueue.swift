// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Darwin
internal import LuaRouting
internal import SystemGaps

/// A queue of the `kqueue` events of Apple's systems.
///
/// The system reports changes of open files, without names. Therefore a folder is opened for
/// changes of its names, and each of its files for writes. All are opened for events only, so that
/// the volume can still be unmounted.
final class Kqueue: FolderEvents {
    /// The identity of a folder or file on disk, independent of its path.
    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t
    }

    private struct Watch {
        /// The descriptors of the folder's open files, by identity.
        ///
        /// The descriptor of the folder itself is the number of the watch.
        var files: [Identity: Int32] = [:]
        let folder: Identity
    }

    /// The maximum number of open files.
    ///
    /// By default, a process on macOS can have only 256 open files, and the app needs most of them
    /// itself.
    private static let limit = 100

    let descriptor: Int32
    private let watches = Lock<[Int32: Watch]>([:])

    /// Opens a queue of events.
    init() throws(WatchRefusal) {
        descriptor = kqueue()
        guard descriptor >= 0 else { throw Self.refusal(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    func add(_ folder: String, writes isWhole: Bool) throws(WatchRefusal) -> Int32 {
        let opened = try open(folder, O_DIRECTORY)
        do throws(WatchRefusal) {
            return try watches.withLock { watches throws(WatchRefusal) in
                // Two paths may lead to the same folder.
                let known = watches.first { $0.value.folder == opened.identity }?.key
                let number = known ?? opened.file
                var watch = watches[number] ?? Watch(folder: opened.identity)
                let others = watches.reduce(0) { count, other in
                    count + 1 + (other.key == number ? 0 : other.value.files.count)
                }
                if known == nil { try follow(number) }
                if isWhole {
                    // Files that were removed or replaced no longer cause events.
                    let files = watch.files
                    watch.files = [:]
                    var refusal: WatchRefusal?
                    for path in Self.files(in: folder) where refusal == nil {
                        refusal = keep(path, of: files, in: &watch, after: others)
                    }
                    for (identity, file) in files where watch.files[identity] == nil {
                        Darwin.close(file)
                    }
                    watches[number] = watch
                    if let refusal { throw refusal }
                }
                watches[number] = watch
                if known != nil { Darwin.close(opened.file) }
                return number
            }
        } catch {
            if !watches.withLock({ $0.keys.contains(opened.file) }) { Darwin.close(opened.file) }
            throw error
        }
    }

    /// Watches writes to a file that may already be watched.
    private func keep(
        _ path: String,
        of files: [Identity: Int32],
        in watch: inout Watch,
        after count: Int
    ) -> WatchRefusal? {
        do throws(WatchRefusal) {
            let opened = try open(path, O_NOFOLLOW | O_NONBLOCK)
            if let file = files[opened.identity] ?? watch.files[opened.identity] {
                Darwin.close(opened.file)
                watch.files[opened.identity] = file
                return nil
            }
            guard count + watch.files.count < Self.limit else {
                Darwin.close(opened.file)
                return .failed(
                    why: "more than \(Self.limit) files and folders would have to be open"
                )
            }
            watch.files[opened.identity] = opened.file
            try follow(opened.file)
            return nil
        } catch {
            // The folder's events suffice for a missing file, and a file without permission cannot
            // be read anyway.
            if case .failed = error { return error }
            return nil
        }
    }

    func remove(_ watch: Int32) {
        guard let removed = watches.withLock({ $0.removeValue(forKey: watch) }) else { return }
        // Closing a file ends its events.
        for file in [watch] + removed.files.values { Darwin.close(file) }
    }

    func take() -> [FolderEvent] {
        var taken: Set<Int32> = []
        var now = timespec()
        while true {
            var event = kevent()
            let count = kevent(descriptor, nil, 0, &event, 1, &now)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            taken.insert(Int32(truncatingIfNeeded: event.ident))
        }
        return watches.withLock { watches in
            watches.filter { number, watch in
                taken.contains(number) || watch.files.values.contains(where: taken.contains)
            }
            // The system does not report that a file is closed, so any file may still be written
            // to.
            .keys.map { FolderEvent(watch: $0, isUnfinished: true) }
        }
    }

    func close() {
        for watch in watches.withLock({ Array($0.keys) }) { remove(watch) }
        Darwin.close(descriptor)
    }

    private func open(
        _ path: String,
        _ flags: Int32
    ) throws(WatchRefusal) -> (file: Int32, identity: Identity) {
        let file = Darwin.open(path, O_EVTONLY | O_CLOEXEC | flags)
        guard file >= 0 else { throw Self.refusal(errno) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            defer { Darwin.close(file) }
            throw Self.refusal(errno)
        }
        return (file, Identity(device: status.st_dev, number: status.st_ino))
    }

    private func follow(_ file: Int32) throws(WatchRefusal) {
        let changes =
            NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE | NOTE_ATTRIB
        var event = kevent(
            ident: UInt(file),
            filter: Int16(EVFILT_VNODE),
            flags: UInt16(EV_ADD | EV_CLEAR),
            fflags: UInt32(changes),
            data: 0,
            udata: nil
        )
        guard kevent(descriptor, &event, 1, nil, 0, nil) == 0 else { throw Self.refusal(errno) }
    }

    /// Returns the paths of the files in a folder.
    private static func files(in folder: String) -> [String] {
        var status = stat()
        return SourceFiles.names(in: folder).map { "\(folder)/\($0)" }
            .filter { lstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG }
    }

    private static func refusal(_ code: Int32) -> WatchRefusal {
        switch code {
        case ENOENT, ENOTDIR, ELOOP: .gone
        case EACCES, EPERM: .forbidden
        case EMFILE: .failed(why: "the limit of open files is reached: raise 'ulimit -n'")
        default: .failed(why: String(cString: strerror(code)).lowercased())
        }
    }
}
#endif
