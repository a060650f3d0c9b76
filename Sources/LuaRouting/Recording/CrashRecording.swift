// SPDX-License-Identifier: MIT

import SystemGaps

/// Writes all bytes with the system function `write`.
///
/// Within a type, `write` would refer to a method of the type instead of the system function.
private func writeBytes(_ descriptor: Int32, bytes: UnsafePointer<UInt8>, count: Int) {
    var start = 0
    while start < count {
        let written = write(descriptor, bytes + start, count - start)
        if written < 0, errno != EINTR { return }
        start += max(0, written)
    }
}

/// The flight recording of a router for crash handlers.
///
/// ``write(to:)`` may be called on any thread and in a signal handler, at any time: it does not
/// lock or allocate memory, and it reads only memory that never moves. For this reason, the lines
/// do not contain data that is stored in separate memory: parameters, messages, screens and the
/// state at the beginning. The lines contain the kinds, numbers and times of the events, and the
/// names of routes.
///
/// The router continues to run. If it is recording an event at that moment, the line of this event
/// may mix the values of two events, but is still a valid line of `luaroute.events/1`.
///
/// ```swift
/// let recording = router.crashRecording()
/// recording.write(to: descriptor)
/// ```
public struct CrashRecording: Sendable {
    let memory: CrashMemory

    /// Writes the events, the oldest first, in the format of `luaroute events`.
    ///
    /// - Parameter descriptor: The descriptor of an open file or pipe. Lines that cannot be written
    ///   are skipped, because a crash handler could not handle the error.
    /// - Complexity: O(*n*) in the number of events, at most 500; each event needs one system call.
    public func write(to descriptor: Int32) {
        // The interrupted code may be about to read `errno`.
        let code = errno
        defer { errno = code }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: CrashLine.capacity) { buffer in
            guard let bytes = buffer.baseAddress else { return }
            var line = CrashLine(bytes: bytes)
            memory.write(to: descriptor, &line)
        }
    }
}

extension Router {
    /// Returns the flight recording in a form that a crash handler can write from any thread.
    ///
    /// This function must be called on the thread of the router, and uses 150 KB of memory. The
    /// recording is updated while the router runs, and still contains the last events after the
    /// router is released.
    public func crashRecording() -> CrashRecording {
        checkThread()
        return CrashRecording(memory: recorder.crashMemory(verbs: Self.recordedVerbs))
    }
}

/// Memory that a crash handler reads: the slots of a flight recorder, and the bytes of names.
///
/// Only the router's thread writes to this memory. It consists of plain bytes that stay valid as
/// long as the object exists.
final class CrashMemory: @unchecked Sendable {
    private static let nameLength = 64

    let slots: UnsafeMutablePointer<FlightRecorder.Slot>
    private let capacity: Int
    /// The names of services and tasks by number, followed by the kinds of events and the verbs.
    ///
    /// Each name is padded with zeros to a fixed length.
    private let names: UnsafeMutablePointer<UInt8>
    private let nameCount: Int
    private let firstKind: Int
    private let firstVerb: Int

    init(
        slots: UnsafeMutablePointer<FlightRecorder.Slot>,
        capacity: Int,
        targetLimit: Int,
        verbs: [String]
    ) {
        let kinds = Event.Kind.allCases
        (self.slots, self.capacity) = (slots, capacity)
        firstKind = 2 * targetLimit
        firstVerb = firstKind + kinds.count
        nameCount = firstVerb + verbs.count
        names = .allocate(capacity: nameCount * Self.nameLength)
        names.initialize(repeating: 0, count: nameCount * Self.nameLength)
        for (place, kind) in kinds.enumerated() { setName(firstKind + place, kind.rawValue) }
        for (place, verb) in verbs.enumerated() { setName(firstVerb + place, verb) }
    }

    deinit {
        slots.deallocate()
        names.deallocate()
    }

    /// Sets the name of a route.
    func setTarget(_ number: UInt64, _ target: Target) {
        setName(2 * Int(number), target.service)
        setName(2 * Int(number) + 1, target.task)
    }

    /// Sets a name.
    ///
    /// The name is truncated, and characters that JSON escapes are replaced.
    private func setName(_ number: Int, _ text: String) {
        let name = names + number * Self.nameLength
        var length = 0
        for byte in text.utf8 where length < Self.nameLength - 1 {
            let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
            name[length] = isPlain ? byte : UInt8(ascii: "?")
            length += 1
        }
        for place in length..<Self.nameLength { name[place] = 0 }
    }

    private func name(_ number: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(names + max(0, min(number, nameCount - 1)) * Self.nameLength)
    }

    // MARK: In the handler

    // The functions below must not allocate or lock, and must not call functions that may do so.

    func write(to descriptor: Int32, _ line: inout CrashLine) {
        line.add("{\"schema\":\"luaroute.events/1\"")
        line.end(descriptor)
        var first = 0
        for place in 0..<capacity where slots[place].number < slots[first].number { first = place }
        for offset in 0..<capacity {
            let slot = slots[first + offset < capacity ? first + offset : first + offset - capacity]
            switch slot.form {
            case .none: continue
            case .route:
                begin(&line, slot)
                addTarget(&line, slot)
            case .verb:
                begin(&line, slot)
                line.add(",\"verb\":", name(firstVerb + Int(slot.value & 0xFF)))
            case .plain, .fields, .commit, .shown:
                begin(&line, slot)
            }
            line.end(descriptor)
        }
    }

    private func begin(_ line: inout CrashLine, _ slot: FlightRecorder.Slot) {
        line.add("{\"seq\":")
        line.add(slot.sequence)
        line.add(",\"time\":")
        line.add(seconds: slot.time)
        if slot.navigation > 0 {
            line.add(",\"navigation\":")
            line.add(Int(slot.navigation))
        }
        if slot.parent > 0 {
            line.add(",\"parent\":")
            line.add(Int(slot.parent))
        }
        line.add(",\"generation\":")
        line.add(Int(slot.generation))
        // The raw tag of a case is its index in `allCases`.
        line.add(",\"kind\":", name(firstKind + Int(unsafeBitCast(slot.kind, to: UInt8.self))))
    }

    private func addTarget(_ line: inout CrashLine, _ slot: FlightRecorder.Slot) {
        let number = Int(slot.value & 0xFFFF)
        line.add(",\"service\":", name(2 * number))
        line.add(",\"task\":", name(2 * number + 1))
    }
}

/// A line that is composed in memory provided by the caller.
struct CrashLine {
    /// The maximum length of a line, in bytes.
    static let capacity = 512

    let bytes: UnsafeMutablePointer<UInt8>
    private var count = 0

    init(bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

    private mutating func put(_ byte: UInt8) {
        guard count < Self.capacity else { return }
        bytes[count] = byte
        count += 1
    }

    mutating func add(_ text: StaticString) {
        for place in 0..<text.utf8CodeUnitCount { put(text.utf8Start[place]) }
    }

    /// Adds a key and a zero-terminated name.
    mutating func add(_ key: StaticString, _ name: UnsafePointer<UInt8>) {
        add(key)
        put(0x22)
        var next = name
        while next.pointee != 0 {
            put(next.pointee)
            next += 1
        }
        put(0x22)
    }

    mutating func add(_ number: Int) {
        if number < 0 { put(0x2D) }
        add(magnitude: number.magnitude, digits: 1)
    }

    /// Adds a time in seconds, with six decimal places; `null` if the time cannot be represented.
    mutating func add(seconds: Double) {
        guard let micros = Int(exactly: (seconds * 1e6).rounded()) else { return add("null") }
        if micros < 0 { put(0x2D) }
        add(magnitude: micros.magnitude / 1_000_000, digits: 1)
        put(0x2E)
        add(magnitude: micros.magnitude % 1_000_000, digits: 6)
    }

    private mutating func add(magnitude: UInt, digits: Int) {
        var power: UInt = 1
        var length = 1
        while length < digits || magnitude / power >= 10 {
            power *= 10
            length += 1
        }
        while power > 0 {
            put(0x30 + UInt8(magnitude / power % 10))
            power /= 10
        }
    }

    /// Ends the JSON object, and writes the line.
    mutating func end(_ descriptor: Int32) {
        add("}\n")
        writeBytes(descriptor, bytes: bytes, count: count)
        count = 0
    }
}
