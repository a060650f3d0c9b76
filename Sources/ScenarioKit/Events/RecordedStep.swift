// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteEngine

/// A step of a scenario that reproduces a recording, with the lines around the step.
struct RecordedStep {
    /// A request in a recording.
    ///
    /// The numbers of requests restart when the app is started again.
    struct Request: Hashable {
        let kind: AppCall.Request
        let number: Int
        /// The number of earlier starts of the app in the recording.
        let epoch: Int
    }

    /// The text of the step, without `as NAME`.
    var text: String
    /// The index of the event that the step reproduces.
    let event: Int
    /// The request that the step makes.
    var request: Request?
    /// Whether conditions can refer to the step's request only by name.
    var isNamedOnly = false
    /// Whether the step is a tap on the selected tab.
    var isReselection = false
    /// The request that the step cancels.
    var cancels: Request?
    /// Whether the recorded call was made during the effects of the previous step.
    var isNested = false
    /// The steps, such as `stub`, that prepare for the effects of this step.
    var preparations: [String] = []
    /// The comments about differences from the recorded session.
    var remarks: [String] = []
    /// The reason why no step reproduces an action by the app; `nil` if there is a step.
    ///
    /// If there is a reason, the later steps are written as comments.
    var loss: String?

    /// Whether the step needs a private value, which events do not contain.
    var isPrivate: Bool { (preparations + [text]).contains(where: RecordedText.isHidden) }
}

/// The reason why no step reproduces an event.
struct RecordingLoss: Error {
    let reason: String

    /// The reason for a step whose text cannot be written in a scenario file.
    static let noStep = RecordingLoss("a step that a scenario file cannot express")

    init(_ reason: String) { self.reason = reason }
}
