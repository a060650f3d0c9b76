// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine

/// Surroundings of a stage that record events, and that refuse changes if a test requests this.
final class RecordingSurroundings: StageSurroundings {
    /// The events so far.
    private(set) var events: [(kind: Event.Kind, fields: [(name: String, value: Value)])] = []
    /// The error with which the host refuses to prepare screens.
    var refusal: RouteError?
    /// The error with which a change exceeds the capabilities of the scripts.
    var breach: RouteError?
    /// Called with the screens that the host prepares.
    var prepares: ([ScreenID], inout Stage) throws(RouteError) -> Void = { _, _ in }
    /// Whether a routing for queued deep links matches every URL.
    var isRouting = false
    /// The screens whose fields scripts must read again.
    private(set) var forgotten: Set<ScreenID> = []

    /// The kinds of events without a listener.
    var unheard: Set<Event.Kind> = []

    func hears(_ kind: Event.Kind, lending stage: inout Stage) -> Bool { !unheard.contains(kind) }

    func report(
        _ kind: Event.Kind,
        at place: RouteError.Location?,
        _ fields: [(name: String, value: Value)],
        lending stage: inout Stage
    ) {
        events.append((kind, fields))
    }

    func prepare(_ screens: [ScreenID], lending stage: inout Stage) throws(RouteError) {
        if let refusal { throw refusal }
        try prepares(screens, &stage)
    }

    func checkCapabilities(
        of difference: Difference,
        lending stage: inout Stage
    ) throws(RouteError) {
        if let breach { throw breach }
    }

    func isRouting(_ text: ByteString, lending stage: inout Stage) -> Bool { isRouting }

    /// The other pending navigations, and the entry of the running navigation.
    var others: (Precedence, own: Precedence.Entry)?

    func precedence(lending stage: inout Stage) -> (Precedence, own: Precedence.Entry)? { others }

    func titles(of numbers: [Int]) -> [String] { numbers.map { "#\($0)" } }

    func forgetFields(of screens: [ScreenID]) { forgotten.formUnion(screens) }
}
