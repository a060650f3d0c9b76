// SPDX-License-Identifier: MIT

extension Value {
    /// The maximum nesting depth of tables that are passed to scripts.
    package static let depthLimit = 32

    /// Whether tables are nested deeper than the limit.
    ///
    /// A value from the host may be nested to any depth. Check this property before any recursion
    /// over the value, because recursion uses stack in proportion to the depth.
    package var isTooDeep: Bool { isDeeper(than: Self.depthLimit) }

    private func isDeeper(than levels: Int) -> Bool {
        guard case .table(let table) = self else { return false }
        if levels == 0 { return true }
        return table.list.contains { $0.isDeeper(than: levels - 1) }
            || table.entries.contains { $0.value.isDeeper(than: levels - 1) }
    }
}
