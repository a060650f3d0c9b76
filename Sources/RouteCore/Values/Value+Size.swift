// SPDX-License-Identifier: MIT

extension Value {
    /// The approximate size of the value in bytes.
    ///
    /// - Complexity: O(*n*) in the number of values inside the value.
    public var size: Int {
        switch self {
        case .nil, .boolean, .integer, .number, .screen, .function, .object: 16
        case .string(let string): 16 + string.count
        case .table(let table): table.size
        }
    }
}

extension InfoTable {
    /// The approximate size of the table in bytes.
    ///
    /// - Complexity: O(*n*) in the number of values inside the table.
    public var size: Int {
        list.reduce(16) { $0 + $1.size }
            + entries.reduce(0) { sum, entry in
                let key = if case .string(let string) = entry.key { string.count } else { 0 }
                return sum + 16 + key + entry.value.size
            }
    }
}
