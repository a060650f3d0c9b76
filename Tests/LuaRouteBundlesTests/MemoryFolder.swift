// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting
import RandomNumbers
import SystemGaps

/// A folder in memory that can lose data as a disk does, and can fail at any operation.
///
/// The bytes of a file survive a power failure once they are written, and the names of files once
/// the folder is flushed.
final class MemoryFolder: StoreFolder {
    /// The ways in which the process that uses the folder can end.
    enum End: CaseIterable {
        /// The process was killed. All changes of names are kept.
        case kill
        /// The power failed. Only the changes of names before the last flush are kept.
        case powerFailure
        /// The power failed. Some of the changes of names since the last flush are kept as well.
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
        /// The number of operations that succeed before all others fail; nil if there is no limit.
        var operationsLeft: Int?
        /// The number of bytes that the first failing operation writes.
        var cut = 0
        /// The numbers of bytes that the operations wrote; 0 for operations that do not write.
        var sizes: [Int] = []
        var isFull = false
        var isLocked = false
    }

    private let content: Lock<Content>

    init() { content = Lock(Content()) }

    /// Creates a folder with a copy of the files of another folder.
    init(copying other: MemoryFolder) { content = Lock(other.content.withLock { $0 }) }

    /// The operations that changed or flushed files, each as the number of written bytes; 0 for
    /// operations that do not write.
    var operations: [Int] { content.withLock(\.sizes) }

    /// Returns the content of a file; nil if there is none.
    func bytes(of name: String) -> [UInt8]? {
        content.withLock { content in content.names[name].flatMap { content.files[$0] } }
    }

    /// Changes the content of a file, as a damaged disk might.
    func damage(_ name: String, _ change: (inout [UInt8]) -> Void) {
        content.withLock { content in
            guard let file = content.names[name] else { return }
            change(&content.files[file, default: []])
        }
    }

    /// Makes all operations fail after the given number of operations.
    ///
    /// - Parameters:
    ///   - count: The number of operations that succeed; nil if there is no limit.
    ///   - cut: The number of bytes that the first failing operation still writes.
    func stop(after count: Int?, cut: Int = 0) {
        content.withLock { ($0.operationsLeft, $0.cut) = (count, cut) }
    }

    /// Sets whether all operations that write fail.
    func setFull(_ isFull: Bool) { content.withLock { $0.isFull = isFull } }

    /// Sets whether all operations that read fail, as they do on a locked device.
    func setLocked(_ isLocked: Bool) { content.withLock { $0.isLocked = isLocked } }

    /// Ends the process that uses the folder, and begins another one.
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
