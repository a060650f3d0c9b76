// SPDX-License-Identifier: MIT

/// A reader of events as a sequence.
struct EventStream {
    /// The kind of the events in the stream; nil for all kinds.
    let kind: Event.Kind?
    /// Adds an event, and returns whether the sequence is still read.
    let yield: (Event) -> Bool
    /// Ends the sequence.
    let finish: () -> Void

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - kind: The kind of events that it reads; nil for all.
    ///   - continuation: The sequence.
    ///   - element: Makes an element of an event.
    init<Element: Sendable>(
        of kind: Event.Kind?,
        to continuation: AsyncStream<Element>.Continuation,
        _ element: @escaping (Event) -> Element
    ) {
        self.kind = kind
        yield = { event in
            if case .terminated = continuation.yield(element(event)) { false } else { true }
        }
        finish = { continuation.finish() }
    }
}
