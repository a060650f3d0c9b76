// SPDX-License-Identifier: MIT

/// A snapshot that is brought back, and what of it could not come.
public struct Restoration {
    /// A screen or a link of a snapshot that did not come back.
    public struct Loss: Sendable, Equatable, CustomStringConvertible {
        /// Where it stood: the window, then the classes from its root on with their positions
        /// among their neighbours, such as `main/tabs/nav[2]/ShowPage[1]`; `^` before a modal.
        public let path: String
        /// Why.
        public let reason: String

        /// The loss as messages have it.
        public var description: String { "\(path) did not come back: \(reason)" }
    }

    /// The navigation that brings it back, which tells how it ended.
    public let navigation: Navigation

    /// What did not come back, once the snapshot is staged; what stood in and above a screen went
    /// with it.
    ///
    /// What waits for the host, such as links, is added when the navigation has ended.
    public var losses: [Loss] { navigation.journey.losses }
}
