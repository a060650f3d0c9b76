// SPDX-License-Identifier: MIT

internal import LuaVM

/// The Swift values behind the objects of scripts.
final class HeldObjects {
    /// The names in messages of types that are no values.
    var names: [ObjectType: String] = [:]
    var hasMetHandle = false
    unowned(unsafe) var generation: Generation?
    var navigations: [Int64: Navigation] = [:]
    var tasks: [Int64: RouteTask] = [:]
    var routings: [Int64: Routing] = [:]
    var links: [Int64: QueuedLink] = [:]
    var hosted: [Int64: HostObject] = [:]
    // No two accesses overlap: each takes all, or adds one.
    @exclusivity(unchecked) var droppedScreens: [Int64] = []
    private var numbers: [ObjectIdentifier: Int64] = [:]
    private var lastNumber: Int64 = 0
    /// The sizes of the objects that scripts made, and their sum, in bytes.
    private var sizes: [Int64: Int] = [:]
    @exclusivity(unchecked) private(set) var declaredBytes = 0

    var connected: ObjectReader {
        guard let generation else {
            preconditionFailure("objects are connected before scripts run")
        }
        return ObjectReader(generation: generation, held: self)
    }

    func number(of object: HostObject) -> Int64 {
        let key = ObjectIdentifier(object)
        if let number = numbers[key] { return number }
        lastNumber += 1
        numbers[key] = lastNumber
        hosted[lastNumber] = object
        return lastNumber
    }

    /// Counts the memory of an object that a script made.
    func count(_ object: HostObject, size: Int) {
        let number = number(of: object)
        guard sizes.updateValue(size, forKey: number) == nil else { return }
        declaredBytes += size
    }

    func forgetHostObject(_ number: Int64) {
        guard let object = hosted.removeValue(forKey: number) else { return }
        numbers[ObjectIdentifier(object)] = nil
        declaredBytes -= sizes.removeValue(forKey: number) ?? 0
    }
}
