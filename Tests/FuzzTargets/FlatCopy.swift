// SPDX-License-Identifier: MIT

internal import LuaVM

/// Writes the values that were read from one script to another script.
enum FlatCopy {
    static func copy(_ reader: FlatReader, to writer: inout FlatWriter) {
        var reader = reader
        while let item = reader.next() {
            switch item {
            case .nil: writer.writeNil()
            case .boolean(let value): writer.write(value)
            case .integer(let value): writer.write(value)
            case .number(let value): writer.write(value)
            case .string(let bytes): writer.write(bytes: bytes)
            case .table(let list, let entries): writer.beginTable(list: list, entries: entries)
            case .function(let function): writer.write(function)
            case .object(let type, let identifier): writer.write(type, identifier)
            }
        }
    }
}
