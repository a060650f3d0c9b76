// SPDX-License-Identifier: MIT

package import RouteCore

/// The fields of an event, which one function writes and reads: `fields("name", gate)`.
package struct EventFields {
    /// The event to read; nil to write.
    private let event: Event?
    /// The fields that were written, in order.
    fileprivate var written: [(name: String, value: Value)] = []
    /// Whether all fields that were read have the type that was asked for.
    fileprivate var isReadable = true

    fileprivate init(of event: Event?) { self.event = event }

    /// Writes a field and returns its value, or returns the value that the event has.
    ///
    /// An absent field has the value that is given.
    mutating func callAsFunction<Field: ValueRepresentable>(
        _ name: String,
        _ value: Field
    ) -> Field {
        if event == nil { written.append((name, value.routeValue)) }
        return read(name) ?? value
    }

    /// Writes a field unless it is nil, or returns the value that the event has.
    mutating func callAsFunction<Field: ValueRepresentable>(
        _ name: String,
        _ value: Field?
    ) -> Field? {
        if event == nil, let value { written.append((name, value.routeValue)) }
        return read(name) ?? value
    }

    /// Writes a word, or returns the word that the event has.
    mutating func word<Word: RawRepresentable<String>>(_ name: String, _ word: Word) -> Word {
        let read = Word(rawValue: self(name, word.rawValue))
        if read == nil { isReadable = false }
        return read ?? word
    }

    private mutating func read<Field: ValueRepresentable>(_ name: String) -> Field? {
        guard let found = event?[name], !found.isNil else { return nil }
        let field = try? Field(routeValue: found)
        if field == nil { isReadable = false }
        return field
    }
}

/// An act or a call that has a word and fields in events.
package protocol EventCoded {
    /// One value of each case, into which events are read.
    static var templates: [Self] { get }
    /// The word in events.
    var word: String { get }
    /// Returns a copy, after passing each value with its name through the fields.
    func coded(by fields: inout EventFields) -> Self
}

extension EventCoded {
    /// The fields in events, besides the word.
    package var fields: [(name: String, value: Value)] {
        var fields = EventFields(of: nil)
        _ = coded(by: &fields)
        return fields.written
    }

    /// Returns the same with the fields of an event; nil if one is of another type.
    func reading(_ event: Event) -> Self? {
        var fields = EventFields(of: event)
        let read = coded(by: &fields)
        return fields.isReadable ? read : nil
    }

    /// Returns the value with a word and the fields of an event; nil for an unknown word, or if a
    /// field is of another type.
    static func read(_ word: String?, _ event: Event) -> Self? {
        templates.first { $0.word == word }?.reading(event)
    }
}
