// SPDX-License-Identifier: MIT

/// The restoration of a snapshot, with a list of the screens and deep links that were not restored.
///
/// ```swift
/// let restoration = router.restore(snapshot)
/// print(restoration.navigation.status.name, restoration.losses.count)  // done 0
/// print(router.treeNotation())  // nav[Home, Page(id=7)]
/// ```
public struct Restoration {
    /// A screen or a deep link of a snapshot that was not restored.
    public typealias Loss = RestorationLoss

    /// The navigation that restores the snapshot.
    ///
    /// Its `status` contains the outcome.
    public let navigation: Navigation

    /// The screens and deep links that were not restored.
    ///
    /// If a screen is not restored, neither are its children and the screens above it. Lost screens
    /// are known once the snapshot is staged. Lost deep links are added when the navigation has
    /// ended.
    public var losses: [Loss] { navigation.journey.losses }
}
