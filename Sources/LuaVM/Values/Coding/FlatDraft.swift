// SPDX-License-Identifier: MIT

/// A value that is being encoded.
///
/// Values are collected before they are written, because a table begins with its sizes, which are
/// known only at the end.
///
/// Another reason is that a type may request its container several times, use an outer container
/// while it still has an inner one, and write a key twice.
final class FlatDraft {
    enum Part {
        case leaf(FlatLeaf)
        case draft(FlatDraft)
    }

    private enum Form { case none, single, list, table }

    private var form = Form.none
    private var single = Part.leaf(.nil)
    private var list: [Part] = []
    private var entries: [CodedKey: Part] = [:]

    /// The number of elements of the list.
    var count: Int { list.count }

    /// Makes the draft a list.
    ///
    /// Returns false if the draft already has another form.
    func becomeList() -> Bool { become(.list) }

    /// Makes the draft a table.
    ///
    /// Returns false if the draft already has another form.
    func becomeTable() -> Bool { become(.table) }

    /// Makes the draft a single value.
    ///
    /// Returns false if the draft already has another form.
    func become(_ part: Part) -> Bool {
        single = part
        return become(.single)
    }

    private func become(_ new: Form) -> Bool {
        guard form == .none || form == new else { return false }
        form = new
        return true
    }

    func append(_ part: Part) { list.append(part) }

    func set(_ part: Part, for key: CodedKey) { entries[key] = part }

    // MARK: Writing

    /// Writes the value, with its keys in the same order as the keys of script tables.
    fileprivate func write(to writer: inout FlatWriter) {
        switch form {
        case .single: single.write(to: &writer)
        case .none: writer.beginTable(list: 0, entries: 0)
        case .list:
            let end = list.firstIndex(where: \.isNil) ?? list.count
            let others = list.indices[end...].filter { !list[$0].isNil }
            writer.beginTable(list: end, entries: others.count)
            for part in list[..<end] { part.write(to: &writer) }
            for index in others {
                writer.write(Int64(index) + 1)
                list[index].write(to: &writer)
            }
        case .table:
            let entries = entries.filter { !$0.value.isNil }.sorted { $0.key < $1.key }
            // The entries 1, 2, 3 … form the list, regardless of the order in which they were
            // added.
            var start = 0
            while start < entries.count, entries[start].key < .integer(1) { start += 1 }
            var end = start
            while end < entries.count, entries[end].key == .integer(Int64(end - start) + 1) {
                end += 1
            }
            writer.beginTable(list: end - start, entries: entries.count - (end - start))
            for (_, part) in entries[start..<end] { part.write(to: &writer) }
            for (key, part) in entries[..<start] + entries[end...] {
                switch key {
                case .integer(let integer): writer.write(integer)
                case .text(let text): writer.write(text)
                }
                part.write(to: &writer)
            }
        }
    }
}

extension FlatDraft.Part {
    /// Whether the part is nil.
    ///
    /// If so, its entry is omitted from the table.
    fileprivate var isNil: Bool {
        switch self {
        case .leaf(.nil): true
        case .leaf: false
        case .draft(let draft): draft.isNil
        }
    }

    func write(to writer: inout FlatWriter) {
        switch self {
        case .leaf(.boolean(let value)): writer.write(value)
        case .leaf(.integer(let value)): writer.write(value)
        case .leaf(.number(let value)): writer.write(value)
        case .leaf(.text(let value)): writer.write(value)
        case .leaf(.bytes(let value)): writer.write(bytes: value)
        case .leaf(.nil), .leaf(.other): writer.writeNil()
        case .draft(let draft): draft.write(to: &writer)
        }
    }
}

extension FlatDraft {
    fileprivate var isNil: Bool { form == .single && single.isNil }
}
