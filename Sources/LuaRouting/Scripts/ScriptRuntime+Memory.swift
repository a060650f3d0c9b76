// SPDX-License-Identifier: MIT

internal import LuaVM

/// Counts the memory that the budget of a Lua state covers.
extension ScriptRuntime {
    /// Adds the data that Swift keeps for scripts to the memory of the Lua state.
    ///
    /// - Parameter keptBytes: The size of the data that Swift keeps for all scripts, in bytes.
    @inline(__always)
    func count(keptBytes: Int) {
        let sizes = keptBytes + state.declaredBytes + objects.declaredBytes
        // The allocator rounds sizes up, and leaves space between blocks.
        let bytes = sizes + sizes / 6
        guard bytes != state.countedBytes else { return }
        lua.countMemory(bytes - state.countedBytes)
        state.countedBytes = bytes
    }

    /// Counts the memory of the arguments in a call that declares something.
    ///
    /// The arguments are kept until other scripts become active.
    ///
    /// A declaration that replaces an earlier one with the same name is counted once.
    func countDeclaration(by function: APIFunction, _ arguments: Arguments, size: Int) {
        lastDeclaration += 1
        state.declaration = lastDeclaration
        // Names are stored in more than one table.
        let bytes = 2 * size + Self.declarationBytes
        state.declaredBytes += bytes
        // While scripts load, a repeated name is an error anyway.
        guard !isLoading, case let names = (0..<2).compactMap({ arguments.tree[$0].text }),
            !names.isEmpty
        else { return }
        let key = ([function.name] + names).joined(separator: " ")
        state.declaredBytes -= state.declaredSizes.updateValue(bytes, forKey: key) ?? 0
    }

    /// The approximate size of a declaration without its arguments, in bytes.
    private static let declarationBytes = 512
}
