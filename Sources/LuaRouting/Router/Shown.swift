// SPDX-License-Identifier: MIT

/// A change of the screen that is visible in a window.
///
/// ```swift
/// for await shown in router.shown { print(shown.window, shown.class, shown.cause) }
/// ```
public struct Shown: Sendable, Hashable {
    /// The number of the event, as in ``Event/sequence``.
    public let sequence: Int
    /// The name of the window.
    public let window: String
    /// The visible screen in tree notation, such as `Page(id=7)`.
    public let screen: String
    /// The class of the visible screen.
    public let `class`: String
    /// The screen that was visible before, in tree notation; nil if the window is new.
    public let previous: String?
    /// The cause: the target or the verb of the navigation, or `report` if the host reported the
    /// change.
    public let cause: String

    /// Creates the change from an event of the kind `shown`.
    init(_ event: Event) {
        sequence = event.sequence
        window = event["window"].text ?? ""
        screen = event["screen"].text ?? ""
        // Tree notation begins with the name of the class, and names contain none of these
        // characters.
        `class` = String(screen.prefix { !":([^".contains($0) })
        previous = event["previous"].text
        cause = event["cause"].text ?? ""
    }
}

extension Router {
    /// A sequence of the changes, from now on, of the screen that is visible in a window.
    ///
    /// The sequence includes changes that the host reports, but not changes by
    /// ``Router/setTree(_:window:)``. The sequence ends with the router. It may be read on any
    /// thread, by one reader.
    ///
    /// No element is lost: elements that a slow reader has not read are kept until they are read or
    /// the sequence is released. To limit the memory instead, read ``events(limit:)``.
    ///
    /// ```swift
    /// for await shown in router.shown { print(shown.window, shown.class, shown.cause) }
    /// ```
    public var shown: AsyncStream<Shown> {
        let (stream, continuation) = AsyncStream.makeStream(of: Shown.self)
        add(EventStream(of: .shown, to: continuation, Shown.init))
        return stream
    }
}
