// SPDX-License-Identifier: MIT

/// A type that sends events to an asynchronous sequence.
struct EventStream {
    /// The kind of the events in the stream; nil for all kinds.
    let kind: Event.Kind?
    /// Adds an event to the sequence.
    ///
    /// Returns whether the sequence still has a reader.
    let yield: (Event) -> Bool
    /// Ends the sequence.
    let finish: () -> Void

    /// Creates a stream whose events a function receives at once.
    init(_ yield: @escaping (Event) -> Bool, finish: @escaping () -> Void) {
        (kind, self.yield, self.finish) = (nil, yield, finish)
    }

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - kind: The kind of the events to send; nil for all kinds.
    ///   - continuation: The continuation of the sequence.
    ///   - element: Converts an event to an element of the sequence.
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
