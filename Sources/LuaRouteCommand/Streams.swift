// SPDX-License-Identifier: MIT

import ArgumentParser
import ScenarioKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where results and all else go.
///
/// Results are gathered and written in large pieces; what goes to the other stream comes
/// after the results that were there before it.
final class Streams {
    private var pending: [UInt8] = []
    private var hasFailed = false
    private var isClosed = false

    init() {
        // A reader that has read enough, as `head` does, ends the process quietly otherwise.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Whether a machine runs the command that nobody watches.
    static var isUnattended: Bool { getenv("CI") != nil }

    /// Writes a result.
    func output(_ text: String) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= 1 << 16 { flush() }
    }

    /// Writes what is no result.
    func errors(_ text: String) {
        flush()
        _ = write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// The end of the process: the code given, or that of a result that could not be written.
    func exit(_ code: ScenarioKit.ExitCode) -> ArgumentParser.ExitCode {
        flush()
        return ArgumentParser.ExitCode((hasFailed ? .outputFailed : code).rawValue)
    }

    private func flush() {
        defer { pending.removeAll(keepingCapacity: true) }
        guard !isClosed, !hasFailed, !pending.isEmpty else { return }
        switch write(pending, to: STDOUT_FILENO) {
        case 0: break
        case EPIPE: isClosed = true
        default: hasFailed = true
        }
    }

    /// Writes all bytes; returns 0, or the number of the error.
    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                #else
                    let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
                #endif
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var baseAddress: UnsafeRawPointer? {
        base.baseAddress.map { $0 + startIndex }
    }
}
