// SPDX-License-Identifier: MIT

/// The outcome of a navigation that did not fail: the screen that it reached, or the reason why it
/// stayed.
///
/// ```swift
/// let arrival = try await router.navigate(Target("Page", "show"), info: ["id": 7])
/// print(arrival.class ?? arrival.stayReason ?? "")
/// ```
public struct Arrival: Sendable, Hashable {
    /// The number of the navigation, as in ``Event/navigation``.
    public let navigation: Int
    /// The screen that the navigation reached; nil if the navigation stayed or leads to no screen.
    public let screen: ScreenID?
    /// The class of ``screen``.
    public let `class`: String?
    /// The reason why the navigation stayed; nil if it did not stay.
    ///
    /// Staying is not an error. For example, `back` stays if there is no screen to leave.
    public let stayReason: String?

    /// Whether the navigation stayed.
    public var hasStayed: Bool { stayReason != nil }
}

extension Navigation {
    /// Returns the outcome of the navigation, which must have ended.
    func outcome(in tree: ScreenTree) -> Result<Arrival, RouteError> {
        switch status {
        case .pending: preconditionFailure("the navigation has not ended")
        case .failed(let error), .cancelled(let error): .failure(error)
        case .done: .success(arrival(in: tree, stayReason: nil))
        case .stayed(let reason): .success(arrival(in: tree, stayReason: reason))
        }
    }

    private func arrival(in tree: ScreenTree, stayReason: String?) -> Arrival {
        Arrival(
            navigation: id,
            screen: screen,
            class: screen.flatMap { tree.screen($0)?.class },
            stayReason: stayReason
        )
    }
}
