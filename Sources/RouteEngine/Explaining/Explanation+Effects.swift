// SPDX-License-Identifier: MIT

public import RouteCore

/// The effects that an explained navigation would have.
extension Explanation {
    /// A screen that would be built or updated, with the source location of its route.
    public struct Made: Sendable {
        /// The screen in tree notation.
        public let screen: String
        /// The source location of the screen's route.
        public let location: RouteError.Location?
    }

    /// A screen that would be removed.
    public struct Leaving: Sendable {
        /// The screen in tree notation.
        public let screen: String
        /// Whether `dismissible`, `guarded` or `leaving` of the screen's class would be called.
        public let isAsked: Bool
    }

    /// A call in a script that a dry run does not execute, because the call would have an effect.
    public struct Call: Sendable {
        /// The kind of effect that the call would have.
        public enum Kind: String, Sendable {
            /// A task would begin or end.
            case task
            /// A navigation would begin.
            case navigation
            /// A timer would be started.
            case timer
            /// The call would have another effect.
            case other
        }

        /// The kind of effect that the call would have.
        public let kind: Kind
        /// The call, as written in the script.
        public let text: String
        /// The source location of the call.
        public let location: RouteError.Location?

        package init(
            kind: Kind,
            text: String,
            location: RouteError.Location?
        ) {
            self.kind = kind
            self.text = text
            self.location = location
        }
    }

    /// A line that would be written to the log.
    public struct Line: Sendable {
        /// The level: `debug`, `info`, `warn` or `error`.
        public let level: String
        /// The text of the line.
        public let message: String
        /// The source location in the script that writes the line.
        public let location: RouteError.Location?
    }

    /// The tree of a window in tree notation.
    public struct WindowTree: Sendable {
        /// The name of the window.
        public let name: String
        /// The tree before the navigation; empty if the window does not exist.
        public let before: String
        /// The tree after the navigation; nil if the navigation would fail.
        ///
        /// If the navigation would wait before it has a plan, this is the same as ``before``.
        public package(set) var after: String?

        package init(
            name: String,
            before: String,
            after: String? = nil
        ) {
            self.name = name
            self.before = before
            self.after = after
        }
    }

    /// Removes the effects of a navigation that would fail, because such a navigation changes
    /// nothing.
    package mutating func dropChanges() {
        operations = []
        windows.removeAll(where: \.before.isEmpty)
        for index in windows.indices { windows[index].after = nil }
    }
}
