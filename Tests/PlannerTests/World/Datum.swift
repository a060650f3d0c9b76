// SPDX-License-Identifier: MIT

import RouteCore

/// A value of a field or parameter.
enum Datum: Hashable, Sendable {
    case integer(Int)
    /// A float with an integer value: `3.0`.
    case number(Int)
    case text(String)

    /// As Lua and the notation of trees have it.
    var written: String {
        switch self {
        case .integer(let integer): "\(integer)"
        case .number(let integer): "\(integer).0"
        case .text(let text): "\"\(text)\""
        }
    }

    /// As the engine is handed it.
    var value: Value {
        switch self {
        case .integer(let integer): .integer(Int64(integer))
        case .number(let integer): .number(Double(integer))
        case .text(let text): .string(ByteString(text))
        }
    }

    /// Whether Lua's `==` holds.
    func equals(_ other: Datum) -> Bool {
        switch (self, other) {
        case (.integer(let left), .number(let right)), (.number(let left), .integer(let right)):
            left == right
        default: self == other
        }
    }
}

/// What a navigation is given, or the fields of a screen.
typealias Info = [String: Datum]

extension Info {
    /// In parentheses, by name; empty where there is nothing.
    var written: String {
        if isEmpty { return "" }
        return "("
            + sorted { $0.key < $1.key }.map { "\($0)=\($1.written)" }.joined(separator: ", ")
            + ")"
    }

    /// As the engine is handed it.
    var table: InfoTable {
        var table = InfoTable()
        for (name, datum) in self { table[name] = datum.value }
        return table
    }

    /// Whether Lua's `==` holds between two of the same name, or both are absent.
    func agrees(with other: Info, on name: String, as otherName: String) -> Bool {
        switch (self[name], other[otherName]) {
        case (nil, nil): true
        case (let left?, let right?): left.equals(right)
        default: false
        }
    }
}

/// Where a definition takes a value from.
enum Source: Hashable, Sendable {
    case info(String)
    case constant(Datum)
    /// The one after that of the info; 1 where there is none.
    case next(String)

    /// The value, nil where there is none.
    ///
    /// - Throws: `script` for a text that is counted on.
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

/// Values by name, as a definition makes them.
typealias Sources = [String: Source]

extension Sources {
    func read(_ info: Info) throws(Failure) -> Info {
        var result = Info()
        for (name, source) in self { result[name] = try source.read(info) }
        return result
    }
}

/// What is asked of an info.
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

/// Why a navigation does not end well.
struct Failure: Error, Hashable {
    /// The code of the contract, or `stayed`.
    let code: String

    init(_ code: String) { self.code = code }
}
