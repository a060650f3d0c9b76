// SPDX-License-Identifier: MIT

import RouteCore

/// A value of a field or parameter.
enum Datum: Hashable, Sendable {
    case integer(Int)
    /// A float with an integer value, such as `3.0`.
    case number(Int)
    case text(String)

    /// The value as Lua and tree notation write it.
    var written: String {
        switch self {
        case .integer(let integer): "\(integer)"
        case .number(let integer): "\(integer).0"
        case .text(let text): "\"\(text)\""
        }
    }

    /// The value as the engine receives it.
    var value: Value {
        switch self {
        case .integer(let integer): .integer(Int64(integer))
        case .number(let integer): .number(Double(integer))
        case .text(let text): .string(ByteString(text))
        }
    }

    /// Returns whether the values are equal by Lua's `==`.
    func equals(_ other: Datum) -> Bool {
        switch (self, other) {
        case (.integer(let left), .number(let right)), (.number(let left), .integer(let right)):
            left == right
        default: self == other
        }
    }
}

/// The parameters of a navigation, or the fields of a screen.
typealias Info = [String: Datum]

extension Info {
    /// The values in parentheses, sorted by name; empty if there are no values.
    var written: String {
        if isEmpty { return "" }
        return "("
            + sorted { $0.key < $1.key }.map { "\($0)=\($1.written)" }.joined(separator: ", ")
            + ")"
    }

    /// The values as the engine receives them.
    var table: InfoTable {
        var table = InfoTable()
        for (name, datum) in self { table[name] = datum.value }
        return table
    }

    /// Returns whether a value and a value of other parameters are equal by Lua's `==`, or are both
    /// absent.
    func agrees(with other: Info, on name: String, as otherName: String) -> Bool {
        switch (self[name], other[otherName]) {
        case (nil, nil): true
        case (let left?, let right?): left.equals(right)
        default: false
        }
    }
}

/// The source of a value in a definition.
enum Source: Hashable, Sendable {
    case info(String)
    case constant(Datum)
    /// The successor of a parameter's value; 1 if there is no value.
    case next(String)

    /// Returns the value, or nil if there is none.
    ///
    /// - Throws: `script` for the successor of a text.
    func read(_ info: Info) throws(Failure) -> Datum? {
        switch self {
        case .info(let name): return info[name]
        case .constant(let datum): return datum
        case .next(let name):
            switch info[name] {
            case nil: return .integer(1)
            case .integer(let integer): return .integer(integer + 1)
            case .number(let integer): return .number(integer + 1)
            case .text: throw Failure("script")
            }
        }
    }
}

/// The sources of values, by name, in a definition.
typealias Sources = [String: Source]

extension Sources {
    func read(_ info: Info) throws(Failure) -> Info {
        var result = Info()
        for (name, source) in self { result[name] = try source.read(info) }
        return result
    }
}

/// A condition on parameters.
enum Condition: Hashable, Sendable {
    case always
    case has(String)
    case equals(String, Datum)

    func holds(_ info: Info) -> Bool {
        switch self {
        case .always: true
        case .has(let name): info[name] != nil
        case .equals(let name, let datum): info[name]?.equals(datum) ?? false
        }
    }
}

/// The reason why a navigation does not succeed.
struct Failure: Error, Hashable {
    /// The error code of the contract, or `stayed`.
    let code: String

    init(_ code: String) { self.code = code }
}
