// SPDX-License-Identifier: MIT

internal import LuaVM

/// The Swift values that script objects represent.
final class HeldObjects {
    /// The names, for messages, of the types whose objects cannot be transferred.
    var names: [ObjectType: String] = [:]
    var hasMetHandle = false
    unowned(unsafe) var generation: Generation?
    // Accesses cannot overlap, because each access reads the whole state or changes one property.
    @exclusivity(unchecked) var state = State()

    /// The values, by the identifiers of the objects that represent them.
    ///
    /// A checkpoint of the scripts contains these values.
    struct State {
        var navigations: [Int64: Navigation] = [:]
        var tasks: [Int64: RouteTask] = [:]
        var routings: [Int64: Routing] = [:]
        var links: [Int64: QueuedLink] = [:]
        fileprivate(set) var hosted: [Int64: HostObject] = [:]
        var droppedScreens: [Int64] = []
        fileprivate var numbers: [ObjectIdentifier: Int64] = [:]
        fileprivate var lastNumber: Int64 = 0
        /// The sizes of the objects that scripts created, in bytes.
        fileprivate var sizes: [Int64: Int] = [:]
        fileprivate(set) var declaredBytes = 0
    }

    var connected: ObjectReader {
        guard let generation else {
            preconditionFailure("scripts run before the objects are connected to a generation")
        }
        return ObjectReader(generation: generation, held: self)
    }

    func number(of object: HostObject) -> Int64 {
        let key = ObjectIdentifier(object)
        if let number = state.numbers[key] { return number }
        state.lastNumber += 1
        state.numbers[key] = state.lastNumber
        state.hosted[state.lastNumber] = object
        return state.lastNumber
    }

    /// Counts the memory of an object that a script created.
    func count(_ object: HostObject, size: Int) {
        let number = number(of: object)
        guard state.sizes.updateValue(size, forKey: number) == nil else { return }
        state.declaredBytes += size
    }

    func forgetHostObject(_ number: Int64) {
        guard let object = state.hosted.removeValue(forKey: number) else { return }
        state.numbers[ObjectIdentifier(object)] = nil
        state.declaredBytes -= state.sizes.removeValue(forKey: number) ?? 0
    }
}
