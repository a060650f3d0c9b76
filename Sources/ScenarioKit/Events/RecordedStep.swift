// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// A step of the scenario that reproduces a recording, with the steps around it.
struct RecordedStep {
    /// A request in a recording; its number restarts when the app is started again.
    struct Request: Hashable {
        let kind: AppCall.Request
        let number: Int
        /// The number of times that the app was started before.
        let epoch: Int
    }

    /// The text, without `as NAME`.
    var text: String
    /// The index of the request's event.
    let event: Int
    /// The request that the step makes.
    var request: Request?
    /// Whether conditions refer to the step's request only by name.
    var isNamedOnly = false
    /// Whether the step is a tap on the selected tab.
    var isReselection = false
    /// The request that the step cancels.
    var cancels: Request?
    /// Whether the step was made during the effects of the previous step.
    var isNested = false
    /// The steps that prepare for the step's effects, such as `stub`.
    var preparations: [String] = []
    /// Comments about differences from the session.
    var remarks: [String] = []
    /// The reason why there is no step for an act of the app; the later steps are comments.
    var loss: String?

    /// Whether the step needs a private value, which events do not contain.
    var isPrivate: Bool { (preparations + [text]).contains(where: RecordedText.isHidden) }
}

/// The reason why no step reproduces an event.
struct RecordingLoss: Error {
    let reason: String

    /// A file cannot contain the text of the step.
    static let noStep = RecordingLoss("a step that a file cannot contain")

    init(_ reason: String) { self.reason = reason }
}
