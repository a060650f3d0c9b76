// SPDX-License-Identifier: MIT

extension Value {
    /// How many tables may stand in each other where a value crosses to scripts.
    package static let depthLimit = 32

    /// Whether more tables stand in each other than may.
    ///
    /// What a host hands over may be of any depth. It is asked before anything else walks through
    /// the value: that would need as much stack as the value is deep.
    package var isTooDeep: Bool { isDeeper(than: Self.depthLimit) }

    private func isDeeper(than levels: Int) -> Bool {
        guard case .table(let table) = self else { return false }
        if levels == 0 { return true }
        return table.list.contains { $0.isDeeper(than: levels - 1) }
            || table.entries.contains { $0.value.isDeeper(than: levels - 1) }
    }
}
