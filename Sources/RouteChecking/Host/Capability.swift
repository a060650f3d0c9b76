// SPDX-License-Identifier: MIT

/// A single capability of ``Capabilities``.
///
/// The raw value is the name of the capability in messages, events and documents.
package enum Capability: String, CaseIterable {
    case screens, tasks, urls
    case push, present, replaceRoot, restore, force, windows
    case leaving, interceptAll, timeout
    case timerCount = "timers.count"
    case timerPeriod = "timers.period"
    case navigationRate = "rates.navigations"
    case presentRate = "rates.presents"
    case logRate = "rates.logBytes"
    case eventRate = "rates.events"
    case turnTime = "time.turn"
    case secondTime = "time.second"
    case memory, pending

    package init(_ change: Capabilities.TreeChange) {
        self =
            switch change {
            case .push: .push
            case .present: .present
            case .replaceRoot: .replaceRoot
            case .restore: .restore
            case .force: .force
            }
    }

    /// The text to append to the message about an exceeded budget if this capability set the limit;
    /// nil if the capability limits no budget.
    package var note: StaticString? {
        switch self {
        case .memory: ", capability 'memory'"
        case .turnTime: ", capability 'time.turn'"
        case .secondTime: ", capability 'time.second'"
        default: nil
        }
    }

    /// Whether a violation of the capability fails with `budget`, rather than with `forbidden`.
    package var isLimit: Bool {
        switch self {
        case .screens, .tasks, .urls, .push, .present, .replaceRoot, .restore, .force, .leaving,
            .interceptAll, .timeout, .timerPeriod:
            false
        case .windows, .timerCount, .navigationRate, .presentRate, .logRate, .eventRate, .turnTime,
            .secondTime, .memory, .pending:
            true
        }
    }
}
