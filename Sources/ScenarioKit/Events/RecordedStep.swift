// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A step of the scenario that reproduces a recording, with the steps around it.
struct RecordedStep {
    /// A request that a recording has.
    enum Request: Hashable {
        case navigation(Int)
        case task(Int)
        case link(Int)
        case call(Int)
    }

    /// The text, without `as NAME`.
    var text: String
    /// The index of its event.
    let event: Int
    /// The request that it makes.
    var request: Request?
    /// Whether conditions refer to its request only by name.
    var isNamedOnly = false
    /// Whether it is a tap on the selected tab.
    var isReselection = false
    /// The request that it cancels.
    var cancels: Request?
    /// Whether it was made within the effects of the step before it.
    var isNested = false
    /// The steps that prepare for its effects, such as `stub`.
    var preparations: [String] = []
    /// Comments about differences from the session.
    var remarks: [String] = []
    /// The reason why there is no step for an act of the app; the steps after it are comments.
    var loss: String?
}

/// The reason why no step reproduces an event.
struct RecordingLoss: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
