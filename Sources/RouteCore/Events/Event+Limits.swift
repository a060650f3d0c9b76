// SPDX-License-Identifier: MIT

/// Limits on the size of app values in events.
///
/// The limits keep the cost of an event independent of the size of its data. The router's own
/// texts, such as error messages, have separate limits.
extension Event {
    /// The maximum size of one app string in an event, in bytes.
    package static let stringLimit = 256
    /// The maximum size of the values in an event, in bytes.
    package static let valueLimit = 4 * 1024

    /// The maximum size of the text of one screen in an event, in bytes.
    ///
    /// An event has at most two such texts.
    package static let screenLimit = valueLimit / 2

    /// The maximum size of the text of a window's tree in an event, in bytes.
    package static let treeLimit = 4 * valueLimit

    /// The names of the fields whose values are texts that the router writes.
    ///
    /// Separate limits apply to these fields.
    private static let texts: Set = ["screen", "from", "tree", "trees"]

    /// Truncates the values of an event: each string after 256 bytes, and the total after 4 KiB.
    ///
    /// A truncated string ends with `… (5000000 bytes)`, where the number is the full length. A
    /// truncated table has the key `…`, whose value is the number of entries that were left out.
    ///
    /// - Complexity: O(1), independent of the size of the values.
    package static func cut(
        _ fields: [(name: String, value: Value)]
    ) -> [(name: String, value: Value)] {
        var left = valueLimit
        // The number of queued deep links is limited elsewhere. Each link is truncated on its own.
        if fields.allSatisfy({ name, value in name != "links" && value.fits(in: &left) }) {
            return fields
        }
        left = valueLimit
        return fields.map { name, value in
            if texts.contains(name) { return (name, value) }
            guard name == "links", case .table(let links) = value else {
                return (name, value.cut(to: &left))
            }
            let cut = links.list.map { link in
                var left = valueLimit
                return link.cut(to: &left)
            }
            return (name, .table(InfoTable(list: cut)))
        }
    }
}

extension Event.Kind {
    /// Whether events of the kind can contain values from the app.
    package var hasValues: Bool {
        switch self {
        case .navigate, .reselected, .task, .link, .restore, .host, .call: true
        default: false
        }
    }
}

extension Value {
    /// Subtracts the size of the value from the remaining bytes, and returns whether the value fits
    /// without truncation.
    fileprivate func fits(in left: inout Int) -> Bool {
        switch self {
        case .string(let string):
            left -= string.count
            return left >= 0 && string.count <= Event.stringLimit
        case .table(let table):
            left -= 8
            for value in table.list {
                guard left >= 0, value.fits(in: &left) else { return false }
            }
            for (key, value) in table.entries {
                if case .string(let key) = key { left -= key.count }
                guard left >= 0, value.fits(in: &left) else { return false }
            }
            return left >= 0
        default:
            left -= 8
            return left >= 0
        }
    }

    fileprivate func cut(to left: inout Int) -> Value {
        switch self {
        case .string(let string):
            let limit = max(0, min(Event.stringLimit, left))
            left -= min(string.count, limit)
            return .string(string.count <= limit ? string : string.cut(at: limit))
        case .table(let table): return .table(table.cut(to: &left))
        default:
            left -= 8
            return self
        }
    }
}

extension InfoTable {
    fileprivate func cut(to left: inout Int) -> InfoTable {
        var kept: [Value] = []
        left -= 8
        for value in list {
            guard left > 0 else { break }
            kept.append(value.cut(to: &left))
        }
        var cut = InfoTable(list: kept)
        var count = kept.count
        for (key, value) in entries {
            guard left > 0 else { break }
            if case .string(let text) = key {
                guard text.count <= Event.stringLimit else { continue }
                left -= text.count
            }
            cut[key] = value.cut(to: &left)
            count += 1
        }
        let lacking = list.count + entries.count - count
        if lacking > 0 { cut["…"] = .integer(Int64(lacking)) }
        return cut
    }
}

extension ByteString {
    /// Returns the first `limit` bytes of the string, followed by the full length of the string.
    ///
    /// A string of at most `limit` bytes is returned unchanged.
    package func cut(at limit: Int) -> ByteString {
        guard count > limit else { return self }
        var start = prefix(limit).displayText[...]
        // The cut may be inside a character.
        if start.unicodeScalars.last == "\u{FFFD}" { start = start.dropLast() }
        return ByteString("\(start)… (\(count) bytes)")
    }
}
