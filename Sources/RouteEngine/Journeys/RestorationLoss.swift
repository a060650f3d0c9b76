// SPDX-License-Identifier: MIT

internal import RouteCore

/// A screen or a deep link of a snapshot that could not be restored.
///
/// ```swift
/// for loss in router.restore(snapshot).losses {
///     print(loss.path)  // main/nav/Page[2]
///     print(loss.reason)  // 'restore' of class 'Page' returned nothing
/// }
/// ```
public struct RestorationLoss: Sendable, Equatable, CustomStringConvertible {
    /// The former position of the screen: the window, and then the classes from the root to the
    /// screen with their positions among their siblings, such as `main/tabs/nav[2]/ShowPage[1]`.
    ///
    /// A `^` precedes a modal.
    public let path: String
    /// The reason why the screen or the deep link could not be restored.
    public let reason: String

    /// The loss as text for messages.
    public var description: String { "\(path) was not restored: \(reason)" }

    package init(path: String, reason: String) {
        (self.path, self.reason) = (path, reason)
    }
}
