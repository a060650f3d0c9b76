// SPDX-License-Identifier: MIT

/// The number of bytes that navigations and tasks hold for scripts.
final class KeptMemory {
    private(set) var bytes = 0

    /// A number of bytes that count until it is destroyed.
    struct Share: ~Copyable {
        private let memory: KeptMemory
        private let bytes: Int

        /// Counts bytes from now on.
        init(_ bytes: Int, of memory: KeptMemory) {
            self.memory = memory
            self.bytes = bytes
            memory.bytes += bytes
        }

        deinit { memory.bytes -= bytes }
    }
}

/// The one account of memory that scripts draw from: the values of Lua, and all that Swift keeps for
/// them.
///
/// What Swift keeps is counted, not measured: values by ``Value/size``, objects by a fixed number.
/// ``Generation/countKeptMemory()`` adds it to the memory of the Lua state, whose budget then covers
/// both.
extension Router {
    /// The number of bytes that Swift keeps for all scripts.
    @inline(__always)
    var keptBytes: Int {
        keptMemory.bytes + tree.heldBytes + world.stateBytes + world.closingBytes
            + timers.timerCount * Self.timerBytes
    }

    /// The size of a timer, roughly, in bytes.
    private static let timerBytes = 256

    /// The largest number of navigations that are pending at the same time.
    static let pendingLimit = 1_000

    /// The largest number of tasks that are pending at the same time.
    static let taskLimit = 1_000

    /// Throws `budget` if the scripts and what is kept for them exceed their limit.
    ///
    /// Entries into scripts notice it themselves. This is for what needs no script, such as
    /// templates that the host's navigations copy.
    func checkMemory() throws(RouteError) {
        let generation = generation
        guard !isRunningScript else { return }
        generation.countKeptMemory()
        guard generation.lua.memoryUsed > generation.budget.bytes else { return }
        // Objects that no script can reach any more may hold screens and navigations.
        generation.lua.collectGarbage()
        releaseScreens()
        generation.countKeptMemory()
        guard generation.lua.memoryUsed > generation.budget.bytes else { return }
        throw .memoryExceeded(generation.budget.bytes)
    }
}

extension Generation {
    /// Adds what Swift keeps for scripts to the memory of the Lua state.
    @inline(__always)
    func countKeptMemory() {
        let sizes = router.keptBytes + declaredBytes + objects.declaredBytes
        // The allocator rounds up, and keeps room between blocks.
        let bytes = sizes + sizes / 6
        guard bytes != countedBytes else { return }
        lua.countMemory(bytes - countedBytes)
        countedBytes = bytes
    }

    /// Counts the arguments of a function that declares something, which stay until other scripts
    /// are active.
    ///
    /// Declaring the same name again, which replaces what was declared, counts once.
    func countDeclaration(by function: APIFunction, _ arguments: Arguments, size: Int) {
        // Names are kept by more than one table.
        let bytes = 2 * size + Self.declarationBytes
        let names = arguments.values.prefix(2).compactMap(\.text)
        // While scripts load, the same name again is an error.
        if isLoading || names.isEmpty {
            declaredBytes += bytes
        } else {
            let key = ([function.name] + names).joined(separator: " ")
            declaredBytes += bytes - (declaredSizes.updateValue(bytes, forKey: key) ?? 0)
        }
    }

    /// The size of a declaration without its arguments, roughly, in bytes.
    private static let declarationBytes = 512
}

extension RouteError {
    static func memoryExceeded(_ limit: Int) -> RouteError {
        RouteError(
            .budget,
            "memory limit exceeded (at most \(limit) bytes for scripts and what is kept for them)"
        )
    }
}
