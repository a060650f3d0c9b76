// SPDX-License-Identifier: MIT

#if os(Linux) && canImport(Glibc)
internal import Glibc

/// A queue of Linux's `inotify` events.
final class Inotify: FolderEvents {
    let descriptor: Int32

    /// The events for files that are created, deleted or renamed in a folder, and for changes to
    /// the folder itself.
    private static let names =
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
        | IN_MOVE_SELF | Int32(IN_ONLYDIR)

    /// The events for writes to files.
    ///
    /// A writer that keeps its file open causes only `IN_MODIFY`.
    private static let writes = IN_MODIFY | IN_CLOSE_WRITE

    /// The events after which a file may still be written to.
    private static let unfinished = IN_CREATE | IN_MODIFY

    /// Opens a queue of events.
    init() throws(WatchRefusal) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { throw Self.refusal(errno) }
    }

    func add(_ folder: String, writes isWhole: Bool) throws(WatchRefusal) -> Int32 {
        // Two paths may lead to the same folder. The second watch must not remove the events of the
        // first.
        let mask = Int32(IN_MASK_ADD) | Self.names | (isWhole ? Self.writes : 0)
        let watch = inotify_add_watch(descriptor, folder, UInt32(bitPattern: mask))
        guard watch >= 0 else { throw Self.refusal(errno) }
        return watch
    }

    func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    func take() -> [FolderEvent] {
        var events: [FolderEvent] = []
        let size = 16 * 1024
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, size)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &events)
            }
        }
        return events
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to events: inout [FolderEvent]) {
        // The fields of a record are watch, mask, cookie, length of the name, and the
        // zero-terminated name.
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= bytes.count {
            let watch = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
            let start = offset + header
            offset = min(start + Int(length), bytes.count)
            if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                events.append(.lost)
                continue
            }
            // A watch has ended. The cause was already reported, or the watch was removed by this
            // object.
            if mask & UInt32(IN_IGNORED) != 0 { continue }
            let name = bytes[start..<offset].prefix { $0 != 0 }
            events.append(
                FolderEvent(
                    watch: watch,
                    name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self),
                    isUnfinished: mask & UInt32(Self.unfinished) != 0
                        && mask & UInt32(IN_ISDIR) == 0
                )
            )
        }
    }

    func close() { Glibc.close(descriptor) }

    private static func refusal(_ code: Int32) -> WatchRefusal {
        switch code {
        case ENOENT, ENOTDIR, ELOOP: .gone
        case EACCES: .forbidden
        case ENOSPC:
            .failed(why: "the limit of watches is reached: raise fs.inotify.max_user_watches")
        case EMFILE:
            .failed(
                why:
                    "the limit of watchers or of open files is reached: raise fs.inotify.max_user_instances or 'ulimit -n'"
            )
        default: .failed(why: String(cString: strerror(code)).lowercased())
        }
    }
}
#endif
