// SPDX-License-Identifier: MIT

package import RouteCore

/// The arguments of a call in preorder, copied to one block of memory.
///
/// Definitions are checked and read in this memory, without creating a value for each part.
package final class ArgumentTree {
    /// An argument or a part of an argument.
    ///
    /// The node of a table is followed by the values of its list, and then by its sorted keys, each
    /// with its value.
    package struct Node: BitwiseCopyable {
        package var kind: Argument.Kind
        /// The number of bytes in a string, or of values in the list of a table.
        package var count: UInt32
        /// The index of the node that follows the value.
        fileprivate var end: UInt32 = 0
        /// The value of the node.
        ///
        /// For a string, this is the index of the first byte. For a table, it is the number of
        /// entries. For a function, a screen or an object, it is the index of the reference.
        package var payload: Int64

        package init(_ kind: Argument.Kind, count: UInt32 = 0, payload: Int64 = 0) {
            (self.kind, self.count, self.payload) = (kind, count, payload)
        }
    }

    /// The arrays of a tree, stored behind a pointer so that accesses need no exclusivity checks.
    fileprivate struct Storage {
        /// The nodes, followed by a node that represents an absent value.
        var nodes = UnsafeMutablePointer<Node>.allocate(capacity: 64)
        var nodeCapacity = 64
        var nodeCount = 0
        var bytes = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 1)
        var byteCapacity = 512
        var byteCount = 0
        var references: [Value] = []
        var count = 0
    }

    private let storage: UnsafeMutablePointer<Storage>

    package init() {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage())
    }

    /// Creates a tree with copies of the given values.
    package convenience init(_ values: [Value]) {
        self.init()
        replaceAll(with: values)
    }

    deinit {
        storage.pointee.nodes.deallocate()
        storage.pointee.bytes.deallocate()
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// The number of arguments, without the nil arguments at the end.
    package var count: Int { storage.pointee.count }

    /// The argument at an index; after the last argument, an argument of the kind `nil`.
    ///
    /// - Complexity: O(*n*) in the index.
    package subscript(index: Int) -> Argument {
        var node = 0
        if index < count {
            for _ in 0..<index { node = Int(storage.pointee.nodes[node].end) }
        } else {
            node = storage.pointee.nodeCount
        }
        return argument(at: node)
    }

    /// Returns the argument, or the part of an argument, at a node.
    func argument(at node: Int) -> Argument { Argument(storage: storage, index: node) }

    /// The values of the arguments.
    package var values: [Value] { (0..<count).map { self[$0].value } }

    /// The approximate size of the arguments in bytes, measured like ``Value/size``.
    package var size: Int { 16 * storage.pointee.nodeCount + storage.pointee.byteCount }

    /// Whether the tree uses so little memory that it can be kept for reuse.
    package var isSmall: Bool {
        storage.pointee.nodeCapacity <= 4_096 && storage.pointee.byteCapacity <= 65_536
    }

    // MARK: Writing

    /// Replaces all arguments with copies of the given values.
    package func replaceAll(with values: [Value]) {
        removeAll()
        for value in values { append(value) }
        finish()
    }

    /// Removes all arguments.
    package func removeAll() {
        storage.pointee.nodeCount = 0
        storage.pointee.byteCount = 0
        storage.pointee.count = 0
        if !storage.pointee.references.isEmpty {
            storage.pointee.references.removeAll(keepingCapacity: true)
        }
    }

    /// Makes room for new nodes and bytes, which the caller must then write.
    ///
    /// - Returns: A pointer to the first new node, a pointer to the first new byte, and the index
    ///   of that byte.
    package func makeRoom(
        nodes newNodes: Int,
        bytes newBytes: Int
    ) -> (nodes: UnsafeMutablePointer<Node>, bytes: UnsafeMutableRawPointer, offset: Int) {
        let (node, byte) = (storage.pointee.nodeCount, storage.pointee.byteCount)
        if node + newNodes >= storage.pointee.nodeCapacity {
            let old = storage.pointee.nodes
            storage.pointee.nodeCapacity = 2 * (node + newNodes)
            storage.pointee.nodes = .allocate(capacity: storage.pointee.nodeCapacity)
            storage.pointee.nodes.update(from: old, count: node)
            old.deallocate()
        }
        if byte + newBytes > storage.pointee.byteCapacity {
            let old = storage.pointee.bytes
            storage.pointee.byteCapacity = 2 * (byte + newBytes)
            storage.pointee.bytes = .allocate(
                byteCount: storage.pointee.byteCapacity,
                alignment: 1
            )
            storage.pointee.bytes.copyMemory(from: old, byteCount: byte)
            old.deallocate()
        }
        storage.pointee.nodeCount = node + newNodes
        storage.pointee.byteCount = byte + newBytes
        return (storage.pointee.nodes + node, storage.pointee.bytes + byte, byte)
    }

    /// Adds a reference.
    ///
    /// - Returns: The payload for the node of the reference.
    package func append(reference: Value) -> Int64 {
        storage.pointee.references.append(reference)
        return Int64(storage.pointee.references.count - 1)
    }

    /// Computes the end of each value.
    ///
    /// Call this function after all nodes are written.
    package func finish() {
        let (nodes, nodeCount) = (storage.pointee.nodes, storage.pointee.nodeCount)
        var index = nodeCount
        while index > 0 {
            index -= 1
            nodes[index].end = UInt32(index + 1)
            guard nodes[index].kind == .table else { continue }
            var end = index + 1
            let parts = Int(nodes[index].count) + 2 * Int(nodes[index].payload)
            for _ in 0..<parts { end = Int(nodes[end].end) }
            nodes[index].end = UInt32(end)
        }
        nodes[nodeCount] = Node(.nil)
        var number = 0
        storage.pointee.count = 0
        while index < nodeCount {
            number += 1
            if nodes[index].kind != .nil { storage.pointee.count = number }
            index = Int(nodes[index].end)
        }
    }

    private func append(_ value: Value) {
        switch value {
        case .nil: append(Node(.nil))
        case .boolean(let boolean): append(Node(.boolean, payload: boolean ? 1 : 0))
        case .integer(let integer): append(Node(.integer, payload: integer))
        case .number(let number):
            append(Node(.number, payload: Int64(bitPattern: number.bitPattern)))
        case .string(let string): append(string)
        case .table(let table):
            append(
                Node(
                    .table,
                    count: UInt32(table.list.count),
                    payload: Int64(table.entries.count)
                )
            )
            for value in table.list { append(value) }
            for (key, value) in table.entries {
                switch key {
                case .integer(let integer): append(Node(.integer, payload: integer))
                case .string(let string): append(string)
                }
                append(value)
            }
        case .function: append(Node(.function, payload: append(reference: value)))
        case .screen: append(Node(.screen, payload: append(reference: value)))
        case .object: append(Node(.object, payload: append(reference: value)))
        }
    }

    private func append(_ node: Node) { makeRoom(nodes: 1, bytes: 0).nodes.pointee = node }

    private func append(_ string: ByteString) {
        string.withBytes { bytes in
            let (node, target, offset) = makeRoom(nodes: 1, bytes: bytes.count)
            UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyMemory(from: bytes)
            node.pointee = Node(.string, count: UInt32(bytes.count), payload: Int64(offset))
        }
    }
}

/// An argument of a call, or a part of an argument, that is read without being copied.
///
/// An argument is valid as long as its tree exists.
package struct Argument {
    /// The kinds of values.
    package enum Kind: UInt8, BitwiseCopyable, CaseIterable {
        case `nil`, boolean, integer, number, string, table, function, screen, object
    }

    // Not retained, because the reader of an argument retains the tree.
    private let storage: UnsafePointer<ArgumentTree.Storage>
    /// The index of the argument's node.
    let index: Int

    fileprivate init(storage: UnsafePointer<ArgumentTree.Storage>, index: Int) {
        (self.storage, self.index) = (storage, index)
    }

    @inline(__always)
    private var node: ArgumentTree.Node { storage.pointee.nodes[index] }

    package var kind: Kind { node.kind }
    package var isNil: Bool { node.kind == .nil }

    /// The bytes of a string; empty for any other value.
    package var bytes: UnsafeRawBufferPointer {
        let node = node
        guard node.kind == .string else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(
            start: storage.pointee.bytes + Int(node.payload),
            count: Int(node.count)
        )
    }

    /// The text of a string that is valid UTF-8; nil for any other value.
    package var text: String? { kind == .string ? ByteString(bytes: bytes).text : nil }

    /// The text of a string that is a valid name; nil for any other value.
    package var name: String? {
        Name.isValid(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// The number of values in the list of a table.
    var listCount: Int { kind == .table ? Int(node.count) : 0 }
    /// The number of entries of a table that are not in its list.
    var entryCount: Int { kind == .table ? Int(node.payload) : 0 }

    /// The parts of a table: the values of its list, and then its keys, each with its value.
    var parts: Parts { Parts(next: Argument(storage: storage, index: index + 1)) }

    struct Parts {
        fileprivate var next: Argument

        /// Returns the next part and advances.
        ///
        /// There must be a next part.
        mutating func take() -> Argument {
            defer { next = Argument(storage: next.storage, index: Int(next.node.end)) }
            return next
        }

        /// Skips the given number of values in the list of a table.
        mutating func skip(_ count: Int) { for _ in 0..<count { _ = take() } }
    }

    /// The value for a string key of a table; nil if the key is absent.
    package subscript(name: String) -> Argument? {
        var parts = parts
        parts.skip(listCount)
        for _ in 0..<entryCount {
            let (key, value) = (parts.take(), parts.take())
            if key.isString(name) { return value }
        }
        return nil
    }

    /// Whether the value is a string with the bytes of a text.
    private func isString(_ text: String) -> Bool {
        guard kind == .string, node.count == text.utf8.count else { return false }
        var text = text
        return text.withUTF8 { $0.elementsEqual(bytes) }
    }

    /// The strings in a list, or a single string as an array; empty for any other value.
    package var names: [String] {
        if let text { return [text] }
        var names: [String] = []
        names.reserveCapacity(listCount)
        var parts = parts
        for _ in 0..<listCount {
            if let name = parts.take().text { names.append(name) }
        }
        return names
    }

    /// A copy of the value.
    package var value: Value {
        let node = node
        switch node.kind {
        case .nil: return .nil
        case .boolean: return .boolean(node.payload != 0)
        case .integer: return .integer(node.payload)
        case .number: return .number(Double(bitPattern: UInt64(bitPattern: node.payload)))
        case .string: return .string(ByteString(bytes: bytes))
        case .function, .screen, .object: return storage.pointee.references[Int(node.payload)]
        case .table:
            var parts = parts
            var list: [Value] = []
            if node.count > 0 {
                list.reserveCapacity(Int(node.count))
                for _ in 0..<node.count { list.append(parts.take().value) }
            }
            var entries: [(key: InfoTable.Key, value: Value)] = []
            if node.payload > 0 {
                entries.reserveCapacity(Int(node.payload))
                for _ in 0..<node.payload {
                    let key = parts.take().key
                    entries.append((key, parts.take().value))
                }
            }
            return .table(InfoTable(list: list, sortedEntries: entries))
        }
    }

    /// A copy of the value, as a key of a table.
    var key: InfoTable.Key {
        kind == .integer ? .integer(node.payload) : .string(ByteString(bytes: bytes))
    }
}

extension NameIndex {
    /// Returns the index of the name in a string argument; nil for any other argument.
    func index(of argument: Argument) -> Int? {
        argument.kind == .string ? index(of: argument.bytes) : nil
    }
}
