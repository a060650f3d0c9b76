// SPDX-License-Identifier: MIT

import Foundation
import SystemGaps

/// Runs a closure on its own thread with a stack of the given size, and returns the closure's
/// result.
func onThread<Result: Sendable>(
    stackSize: Int,
    _ body: @escaping @Sendable () -> Result
) -> Result? {
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = body()
        box.result.withLock { $0 = result }
        done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    done.wait()
    return box.result.withLock { $0 }
}

private final class Box<Result: Sendable>: Sendable {
    let result = Lock<Result?>(nil)
}

struct Point: Codable, Equatable {
    var x: Int
    var y: Double?
}

struct Nothing: Codable, Equatable {}

enum Kind: String, Codable { case show, podcast }

enum Level: Int, Codable { case low = 1, high = 3 }

indirect enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case pair(Int, String)
    case group([Shape])
}

/// A list that is made of nested structures.
struct Chain: Codable, Sendable {
    final class Link: Codable, Sendable {
        let next: Chain
        init(_ next: Chain) { self.next = next }
        init(from decoder: any Decoder) throws { next = try Chain(from: decoder) }
        func encode(to encoder: any Encoder) throws { try next.encode(to: encoder) }
    }

    let next: Link?

    init(_ count: Int) { next = count > 1 ? Link(Chain(count - 1)) : nil }

    var count: Int { 1 + (next?.next.count ?? 0) }
}

/// An object that contains itself.
final class Cycle: Encodable {
    var next: Cycle?
}

/// A value that is nested without end, and that needs no table for each level.
struct Endless: Codable {
    init() {}
    init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decode(Endless.self)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

/// A value that throws its own error.
struct Throwing: Codable {
    struct Failure: Error, CustomStringConvertible { let description = "it never works" }

    init() {}
    init(from decoder: any Decoder) throws { throw Failure() }
    func encode(to encoder: any Encoder) throws { throw Failure() }
}

/// A value that encodes itself both as a table and as a list.
struct TwoKinds: Encodable {
    enum CodingKeys: CodingKey { case x }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(1, forKey: .x)
        var list = encoder.unkeyedContainer()
        try list.encode(1)
    }
}

class Base: Codable {
    let name: String
    init(name: String) { self.name = name }
}

/// A class that encodes its inherited properties in a separate container.
final class Derived: Base, @unchecked Sendable {
    enum CodingKeys: CodingKey { case size }

    let size: Int

    init(name: String, size: Int) {
        self.size = size
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.decode(Int.self, forKey: .size)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .size)
        try super.encode(to: container.superEncoder())
    }
}

/// A class that encodes its inherited properties in the same container as its own.
final class Shared: Base, @unchecked Sendable {
    enum CodingKeys: CodingKey { case size }

    let size: Int

    init(name: String, size: Int) {
        self.size = size
        super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
        size = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .size)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .size)
        try super.encode(to: encoder)
    }
}

/// A structure whose keys are integers.
struct Numbered: Codable, Equatable {
    enum CodingKeys: Int, CodingKey { case second = 2, seventh = 7, first = 1 }

    var first = "one"
    var second = "two"
    var seventh = "seven"
}

/// A value that writes to an outer container while it keeps inner ones, and that writes one key
/// twice.
struct Intertwined: Encodable {
    enum CodingKeys: CodingKey { case inner, after, deep }

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: CodingKeys.self)
        try outer.encode("dropped", forKey: .after)
        var list = outer.nestedUnkeyedContainer(forKey: .inner)
        var deep = list.nestedContainer(keyedBy: CodingKeys.self)
        try outer.encode(3, forKey: .after)
        try list.encode(1)
        try deep.encode(2, forKey: .deep)
    }
}
