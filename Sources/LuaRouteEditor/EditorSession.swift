// SPDX-License-Identifier: MIT

internal import Dispatch
internal import LuaRouting
internal import RouteCore
internal import ScenarioKit
internal import SystemGaps

/// A type that connects a language server to the streams of a process.
///
/// The calling thread reads messages. Another thread, with a stack of 16 MB, owns the server and
/// answers requests. If a request is cancelled before it is handled, the server answers with an
/// error. Findings are published when the client has sent nothing for 200 ms.
package final class EditorSession: Sendable {
    private struct State {
        var parts: [MessageStream.Part] = []
        /// The IDs of cancelled requests and the tokens of cancelled progress reports, as text.
        var cancelled: Set<String> = []
        var isClosed = false
        var exitCode: Int32?
    }

    /// The pause in typing after which findings are published.
    private static let pause = DispatchTimeInterval.milliseconds(200)

    private let state = Lock(State())
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    package init() {}

    /// Serves a client until the client sends `exit` or its stream ends.
    ///
    /// - Parameters:
    ///   - read: A closure that returns the next bytes from the client; nil at the end of the
    ///     stream.
    ///   - write: A closure that sends text to the client.
    ///   - report: A closure that prints the reason for the exit code 66.
    /// - Returns: The exit code: 0 if the client sent `shutdown` before `exit`, or if its stream
    ///   ended; 66 if its stream ended with text that is not a message; 70 if the server's thread
    ///   cannot be created; otherwise 1.
    package func run(
        read: () -> [UInt8]?,
        write: @escaping @Sendable (String) -> Void,
        report: (String) -> Void
    ) -> Int32 {
        let thread = SystemThread(stackSize: ScriptExecutor.stackSize, end: .detached) {
            self.work(write)
            self.ended.signal()
        }
        guard thread != nil else { return ExitCode.defect.rawValue }
        var stream = MessageStream()
        while state.withLock({ $0.exitCode }) == nil, let bytes = read() {
            for part in stream.add(bytes) {
                if add(part) {
                    // No message is read after `exit`.
                    ended.wait()
                    return state.withLock { $0.exitCode } ?? 0
                }
            }
        }
        state.withLock { $0.isClosed = true }
        signal.signal()
        ended.wait()
        if let code = state.withLock({ $0.exitCode }) { return code }
        guard let problem = stream.problemAtEnd else { return 0 }
        report(problem.message)
        return ExitCode.inputMissing.rawValue
    }

    /// Adds a part of the stream, and returns whether the part is the message `exit`.
    private func add(_ part: MessageStream.Part) -> Bool {
        var isLast = false
        state.withLock { state in
            if case .success(let message) = part {
                switch message["method"].text {
                case "$/cancelRequest":
                    state.cancelled.insert(message["params"]["id"].description)
                    return
                case "window/workDoneProgress/cancel":
                    state.cancelled.insert(message["params"]["token"].description)
                    return
                case "exit": isLast = true
                default: break
                }
            }
            state.parts.append(part)
        }
        signal.signal()
        return isLast
    }

    private var hasMessages: Bool { state.withLock { !$0.parts.isEmpty || $0.isClosed } }

    private func work(_ write: @escaping @Sendable (String) -> Void) {
        let server = LanguageServer { write(MessageStream.framed($0)) }
        while server.exitCode == nil {
            let wait = signal.wait(timeout: server.hasNews ? .now() + Self.pause : .distantFuture)
            if wait == .timedOut {
                server.update { [self] in hasMessages }
                continue
            }
            let (part, isClosed) = state.withLock { state in
                (state.parts.isEmpty ? nil : state.parts.removeFirst(), state.isClosed)
            }
            switch part {
            case .success(let message)?:
                let id = message["id"]
                // A client can cancel a request by the request's ID or by the token of its
                // progress.
                let tokens = [id, message["params"]["workDoneToken"], LanguageServer.token(of: id)]
                    .filter { !$0.isNil }.map(\.description)
                server.handle(message) { [self] in
                    state.withLock { !$0.cancelled.isDisjoint(with: tokens) }
                }
            case .failure(let problem)?: server.handle(problem)
            case nil: if isClosed { return }
            }
            // A cancellation has no effect on requests that have been answered.
            state.withLock { if $0.parts.isEmpty { $0.cancelled = [] } }
        }
        state.withLock { $0.exitCode = server.exitCode }
    }
}
