// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// A step of the scenario that reproduces a recording, with the steps around it.
struct RecordedStep {
    /// A request that a recording has; its number begins anew when the app is started again.
    struct Request: Hashable {
        let kind: AppCall.Request
        let number: Int
        /// The number of times that the app was started before.
        let epoch: Int
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

    /// Whether it has a private value, which no event has.
    var isPrivate: Bool { (preparations + [text]).contains(where: RecordedText.isHidden) }
}

/// The reason why no step reproduces an event.
struct RecordingLoss: Error {
    let reason: String

    /// The text of the step is none that a file can have.
    static let noStep = RecordingLoss("a step that no file can have")

    init(_ reason: String) { self.reason = reason }
}
