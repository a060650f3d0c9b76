// SPDX-License-Identifier: MIT

package import RouteCore

/// The fields of an event.
///
/// The same code, such as `fields("name", gate)`, writes the fields and reads them.
package struct EventFields {
    /// The event whose fields are read; nil if fields are written.
    private let event: Event?
    /// The fields that were written, in order.
    fileprivate var written: [(name: String, value: Value)] = []
    /// Whether all fields that were read have the expected types.
    fileprivate var isReadable = true

    fileprivate init(of event: Event?) { self.event = event }

    /// Writes a field and returns its value, or reads the field from the event.
    ///
    /// If the event does not contain the field, the given value is returned.
    mutating func callAsFunction<Field: ValueRepresentable>(
        _ name: String,
        _ value: Field
    ) -> Field {
        if event == nil { written.append((name, value.routeValue)) }
        return read(name) ?? value
    }

    /// Writes a field if its value is not nil, or reads the field from the event.
    mutating func callAsFunction<Field: ValueRepresentable>(
        _ name: String,
        _ value: Field?
    ) -> Field? {
        if event == nil, let value { written.append((name, value.routeValue)) }
        return read(name) ?? value
    }

    /// Writes a field whose value is a word, or reads the word from the event.
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

/// A type whose values are written to events as a word and fields.
package protocol EventCoded {
    /// One value of each case, as a template for reading events.
    static var templates: [Self] { get }
    /// The word for the case in events.
    var word: String { get }
    /// Passes each associated value with its field name to `fields`, and returns a copy with the
    /// values that `fields` returns.
    func coded(by fields: inout EventFields) -> Self
}

extension EventCoded {
    /// The fields in events, without the word.
    package var fields: [(name: String, value: Value)] {
        var fields = EventFields(of: nil)
        _ = coded(by: &fields)
        return fields.written
    }

    /// Returns a copy with the values of an event's fields; nil if a field has the wrong type.
    func reading(_ event: Event) -> Self? {
        var fields = EventFields(of: event)
        let read = coded(by: &fields)
        return fields.isReadable ? read : nil
    }

    /// Returns the value for a word and the fields of an event; nil if the word is unknown, or if a
    /// field has the wrong type.
    static func read(_ word: String?, _ event: Event) -> Self? {
        templates.first { $0.word == word }?.reading(event)
    }
}
