// SPDX-License-Identifier: MIT

/// A snapshot that is brought back, and what of it could not come.
public struct Restoration {
    /// A screen or a link of a snapshot that did not come back.
    public typealias Loss = RestorationLoss

    /// The navigation that brings it back, which tells how it ended.
    public let navigation: Navigation

    /// What did not come back, once the snapshot is staged; what stood in and above a screen went
    /// with it.
    ///
    /// What waits for the host, such as links, is added when the navigation has ended.
    public var losses: [Loss] { navigation.journey.losses }
}
