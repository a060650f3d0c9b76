// SPDX-License-Identifier: MIT

internal import LuaVM

/// Sends what came from a script back to one.
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
