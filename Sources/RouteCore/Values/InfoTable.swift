// SPDX-License-Identifier: MIT

/// A table of values: a list with positions from 1, and other entries with keys.
///
/// Tables with the same content have the same representation. The values at the positions 1 to *n*
/// without a gap are in ``list``; all other values are in ``entries``, sorted by key. Setting a
/// value to nil removes it. Therefore, two tables with the same content are equal and print the
/// same text.
///
/// ```swift
/// var info: InfoTable = ["id": 7]
/// info["title"] = "News"
/// print(info["id"].int ?? 0, info)  // 7 {id=7, title="News"}
/// ```
public struct InfoTable: Sendable, Equatable {
    /// A key that is not a position of the list.
    public enum Key: Hashable, Sendable, Comparable {
        /// An integer key.
        case integer(Int64)
        /// A string key.
        case string(ByteString)

        /// Orders integers before strings; integers and strings are each ordered by value.
        public static func < (left: Key, right: Key) -> Bool {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): left < right
            case (.string(let left), .string(let right)): left < right
            case (.integer, .string): true
            case (.string, .integer): false
            }
        }

        /// Returns a negative number if this key sorts before the other key, 0 if the keys are
        /// equal, and a positive number if this key sorts after the other key.
        @inline(__always)
        fileprivate func order(to other: Key) -> Int {
            switch (self, other) {
            case (.string(let left), .string(let right)): left.order(to: right)
            case (.integer(let left), .integer(let right)):
                left == right ? 0 : left < right ? -1 : 1
            case (.integer, .string): -1
            case (.string, .integer): 1
            }
        }

        /// The key as a component of a path: `.price`, `[7]`, `["two words"]`.
        ///
        /// Control characters are escaped as in Lua, and keys longer than 40 bytes are truncated.
        public var pathComponent: String {
            switch self {
            case .integer(let integer): "[\(integer)]"
            case .string(let string): Self.pathComponent(string.prefix(41 * 4).displayText)
            }
        }

        private static func pathComponent(_ text: String) -> String {
            var bytes = 0
            let part = Substring(
                text.unicodeScalars.prefix { scalar in
                    bytes += UTF8.width(scalar)
                    return bytes <= 40
                }
            )
            let rest = part.endIndex < text.endIndex ? "..." : ""
            if isIdentifier(part.utf8) { return ".\(part)\(rest)" }
            var quoted = ""
            for scalar in part.unicodeScalars {
                switch scalar {
                case "\"", "\\": quoted += "\\\(scalar)"
                case "\u{0}"..<"\u{20}", "\u{7F}":
                    let digits = String(scalar.value)
                    quoted += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                default: quoted.unicodeScalars.append(scalar)
                }
            }
            return "[\"\(quoted)\(rest)\"]"
        }

        private static func isIdentifier(_ bytes: Substring.UTF8View) -> Bool {
            bytes.first?.isDigit == false && bytes.allSatisfy(\.isWord)
        }
    }

    /// The values at the positions 1, 2, 3 and so on, none of which is nil.
    public private(set) var list: [Value]

    /// All other entries, sorted by key.
    ///
    /// No value is nil.
    public private(set) var entries: [(key: Key, value: Value)]

    /// Creates an empty table.
    public init() {
        list = []
        entries = []
    }

    /// Creates a table from the values of a list.
    ///
    /// Values after a nil keep their positions, which become integer keys.
    public init(list: [Value]) {
        self.init()
        self.list.reserveCapacity(list.count)
        for (index, value) in list.enumerated() { self[.integer(Int64(index) + 1)] = value }
    }

    /// Creates a table from normalized content: no value is nil, the keys are in ascending order,
    /// and no key is a position of the list or the position after the last element.
    package init(list: [Value], sortedEntries: [(key: Key, value: Value)]) {
        self.list = list
        entries = sortedEntries
        assert(list.allSatisfy { !$0.isNil } && sortedEntries.allSatisfy { !$0.value.isNil })
        assert(zip(entries, entries.dropFirst()).allSatisfy { $0.key < $1.key })
        assert(!entries.contains { $0.key == .integer(Int64(list.count) + 1) })
    }

    /// Whether the table is empty.
    public var isEmpty: Bool { list.isEmpty && entries.isEmpty }

    /// Whether the table has no entries besides the list.
    public var isList: Bool { entries.isEmpty }

    /// The number of values.
    public var count: Int { list.count + entries.count }

    /// The value for a key; nil if there is none.
    ///
    /// - Complexity: O(log *n*) to read, O(*n*) to add or remove a key.
    public subscript(key: Key) -> Value {
        get {
            if case .integer(let position) = key, position >= 1, position <= list.count {
                return list[Int(position) - 1]
            }
            let (index, isPresent) = find(key)
            return isPresent ? entries[index].value : .nil
        }
        set {
            if case .integer(let position) = key, position >= 1, position <= list.count {
                set(newValue, at: Int(position) - 1)
            } else if case .integer(let position) = key, position == list.count + 1, !newValue.isNil
            {
                list.append(newValue)
                gatherFollowers()
            } else {
                let (index, isPresent) = find(key)
                switch (isPresent, newValue.isNil) {
                case (true, true): entries.remove(at: index)
                case (true, false): entries[index].value = newValue
                case (false, true): break
                case (false, false): entries.insert((key, newValue), at: index)
                }
            }
        }
    }

    /// The value for a string key; nil if there is none.
    public subscript(name: String) -> Value {
        get { self[.string(ByteString(name))] }
        set { self[.string(ByteString(name))] = newValue }
    }

    /// Whether two tables are deeply equal, with values compared like `==` in Lua.
    public func isEqual(to other: InfoTable) -> Bool {
        list.count == other.list.count && entries.count == other.entries.count
            && zip(list, other.list).allSatisfy { $0.isEqual(to: $1) }
            && zip(entries, other.entries).allSatisfy {
                $0.key == $1.key && $0.value.isEqual(to: $1.value)
            }
    }

    /// Whether two tables have the same representation.
    public static func == (left: InfoTable, right: InfoTable) -> Bool {
        left.list == right.list && left.entries.count == right.entries.count
            && zip(left.entries, right.entries).allSatisfy {
                $0.key == $1.key && $0.value == $1.value
            }
    }

    private mutating func set(_ value: Value, at index: Int) {
        guard value.isNil else {
            list[index] = value
            return
        }
        // Removing a value leaves a gap, so the values after the gap become entries with their
        // positions as keys.
        let followers = list[(index + 1)...].enumerated().map {
            (key: Key.integer(Int64(index + 2 + $0.offset)), value: $0.element)
        }
        list.removeSubrange(index...)
        let (place, _) = find(.integer(Int64(index) + 1))
        entries.insert(contentsOf: followers, at: place)
    }

    private mutating func gatherFollowers() {
        let (start, isPresent) = find(.integer(Int64(list.count) + 1))
        guard isPresent else { return }
        var end = start
        while end < entries.count, entries[end].key == .integer(Int64(list.count) + 1) {
            list.append(entries[end].value)
            end += 1
        }
        entries.removeSubrange(start..<end)
    }

    private func find(_ key: Key) -> (index: Int, isPresent: Bool) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            let order = entries[middle].key.order(to: key)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }
}

extension InfoTable: ExpressibleByDictionaryLiteral {
    /// Creates a table from a literal.
    ///
    /// If a key occurs twice, the last value wins.
    public init(dictionaryLiteral elements: (Key, Value)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }
}

extension InfoTable.Key: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates a string key.
    public init(stringLiteral value: String) { self = .string(ByteString(value)) }
    /// Creates an integer key.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}
