// SPDX-License-Identifier: MIT

#if CommandLine
import SystemGaps

/// A progress line on the standard error.
///
/// On a terminal, the line is updated in place, at most every 300 ms. Otherwise a new line is
/// written, at most every ten seconds.
final class ProgressLine: Sendable {
    private struct State {
        var last: ContinuousClock.Instant
        var isShown = false
    }

    private let isTerminal: Bool
    private let state = Lock(State(last: .now))

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// Shows a text, unless another text was shown too recently.
    func show(_ text: String) {
        let text: String? = state.withLock { state in
            let pause: Duration = isTerminal ? .milliseconds(300) : .seconds(10)
            guard .now - state.last >= pause else { return nil }
            state.last = .now
            state.isShown = isTerminal
            return isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n"
        }
        if let text { Self.send(text) }
    }

    /// Removes the line from the terminal.
    func clear() {
        let isShown = state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if isShown { Self.send("\r\u{1B}[K") }
    }

    private static func send(_ text: String) {
        // A partial write is ignored: an incomplete line does no harm.
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
#endif
