// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting
import RandomNumbers
import SystemGaps

/// A folder in memory that loses what a disk may lose, and stops at any operation.
///
/// Bytes survive a power failure once they are written, names once the folder is flushed.
final class MemoryFolder: StoreFolder {
    /// The end of the process that used the folder.
    enum End: CaseIterable {
        /// The process was killed: all names are as it left them.
        case kill
        /// The power failed: the names are those of the last flush.
        case powerFailure
        /// The power failed: some changes of names since the last flush were written.
        case partialPowerFailure
    }

    private struct Content {
        var files: [Int: [UInt8]] = [:]
        /// The files by their names, as the process sees them.
        var names: [String: Int] = [:]
        var flushed: [String: Int] = [:]
        /// The changes of names since the last flush.
        var changed: Set<String> = []
        var nextFile = 0
        /// The number of operations that succeed before all fail; nil for any number.
        var operationsLeft: Int?
        /// The number of bytes that the first failing operation writes.
        var cut = 0
        /// The sizes of the files that the operations wrote; 0 for other operations.
        var sizes: [Int] = []
        var isFull = false
        var isLocked = false
    }

    private let content: Lock<Content>

    init() { content = Lock(Content()) }

    /// Creates a folder with the same files.
    init(copying other: MemoryFolder) { content = Lock(other.content.withLock { $0 }) }

    /// The operations that changed or flushed files: the sizes of written files, 0 for others.
    var operations: [Int] { content.withLock(\.sizes) }

    /// Returns the content of a file; nil if there is none.
    func bytes(of name: String) -> [UInt8]? {
        content.withLock { content in content.names[name].flatMap { content.files[$0] } }
    }

    /// Replaces a file, as a damaged disk does.
    func damage(_ name: String, _ change: (inout [UInt8]) -> Void) {
        content.withLock { content in
            guard let file = content.names[name] else { return }
            change(&content.files[file, default: []])
        }
    }

    /// Lets a number of operations succeed and all others fail.
    ///
    /// - Parameters:
    ///   - count: The number of operations; nil for any number.
    ///   - cut: The number of bytes that the first failing operation still writes.
    func stop(after count: Int?, cut: Int = 0) {
        content.withLock { ($0.operationsLeft, $0.cut) = (count, cut) }
    }

    /// Fails all writing, and nothing else.
    func setFull(_ isFull: Bool) { content.withLock { $0.isFull = isFull } }

    /// Fails all reading, and nothing else, as the files of a locked device do.
    func setLocked(_ isLocked: Bool) { content.withLock { $0.isLocked = isLocked } }

    /// Ends the process, and begins the next one.
    func restart(after end: End, _ random: inout RandomNumbers) {
        content.withLock { content in
            switch end {
            case .kill: break
            case .powerFailure: content.names = content.flushed
            case .partialPowerFailure:
                for name in content.changed.sorted() where random.next() & 1 == 0 {
                    content.names[name] = content.flushed[name]
                }
            }
            content.flushed = content.names
            content.changed = []
            content.operationsLeft = nil
        }
    }

    private func operate(
        _ operation: String,
        writing size: Int = 0,
        _ body: (inout Content) -> Void,
        failing: (inout Content) -> Void = { _ in }
    ) throws(StoreFault) {
        try content.withLock { (content) throws(StoreFault) in
            content.sizes.append(size)
            if size > 0, content.isFull {
                failing(&content)
                throw StoreFault(operation, "No space left on device")
            }
            if let left = content.operationsLeft {
                guard left > 0 else {
                    if left == 0 { failing(&content) }
                    content.operationsLeft = -1
                    throw StoreFault(operation, "Input/output error")
                }
                content.operationsLeft = left - 1
            }
            body(&content)
        }
    }

    func read(_ name: String, limit: Int) throws(StoreFault) -> [UInt8]? {
        guard !content.withLock(\.isLocked) else {
            throw StoreFault("read '\(name)'", "Operation not permitted")
        }
        guard let bytes = bytes(of: name) else { return nil }
        return bytes.count <= limit ? bytes : []
    }

    func write(_ bytes: [UInt8], to name: String) throws(StoreFault) {
        func put(_ bytes: [UInt8], _ content: inout Content) {
            if content.names[name] == nil {
                content.nextFile += 1
                content.names[name] = content.nextFile
                content.changed.insert(name)
            }
            content.files[content.names[name] ?? 0] = bytes
        }
        try operate("write '\(name)'", writing: bytes.count) { content in
            put(bytes, &content)
        } failing: { content in
            put(Array(bytes.prefix(content.cut)), &content)
        }
    }

    func rename(_ old: String, to new: String) throws(StoreFault) {
        try operate("rename '\(old)'") { content in
            content.names[new] = content.names.removeValue(forKey: old)
            content.changed.formUnion([old, new])
        }
    }

    func remove(_ name: String) throws(StoreFault) {
        try operate("remove '\(name)'") { content in
            content.names[name] = nil
            content.changed.insert(name)
        }
    }

    func names() -> [String] { content.withLock { $0.names.keys.sorted() } }

    func flush() throws(StoreFault) {
        try operate("flush") { content in
            content.flushed = content.names
            content.changed = []
        }
    }
}
#endif
