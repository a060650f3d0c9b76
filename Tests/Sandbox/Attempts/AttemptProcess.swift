// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The result of an attempt that ran in its own process.
struct Sighting {
    /// How the attempt ended: an outcome, or how the process ended.
    let ending: String
    /// The result or the error message.
    let text: String
    /// The damage that the next entry found; empty if there was none.
    let harm: String
    let milliseconds: Int

    /// Returns whether the attempt was contained as the table expects.
    func isFine(for attempt: Attempt) -> Bool {
        ending == attempt.expected.rawValue && harm.isEmpty
    }
}

/// Makes attempts in processes with limited processor time.
struct AttemptProcess {
    /// The program that makes one attempt.
    let program: URL
    /// The time limit of an entry, in seconds; nil for the limit of routers.
    var seconds: Double?
    /// The timeout of a process in seconds of the wall clock.
    ///
    /// The timeout only ends a process that does nothing: on a busy machine, a working process
    /// needs many times its processor time.
    private static let timeout = 60.0

    /// Ends this process after two seconds of processor time, or 0.8 seconds after its entries must
    /// have ended.
    static func limitThisProcess(to attempt: Attempt, seconds: Double?) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_CPU.rawValue)
        #else
        let resource = RLIMIT_CPU
        #endif
        let entries = Double(attempt.moments.count) * (seconds ?? 0)
        let whole = max(2, rlim_t((entries + 0.8).rounded(.up)))
        var time = rlimit(rlim_cur: whole, rlim_max: whole + 1)
        setrlimit(resource, &time)
    }

    /// Makes an attempt and waits for its end.
    func sight(_ attempt: Attempt, of table: URL) throws -> Sighting {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments =
            ["--row", "\(attempt.id)", table.path()]
            + (seconds.map { ["--seconds", "\($0)"] } ?? [])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let start = Date.now
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let isInTime = ended.wait(timeout: .now() + Self.timeout) == .success
        if !isInTime {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
        }
        let milliseconds = Int(Date.now.timeIntervalSince(start) * 1000)
        // The output of a trial is smaller than the buffer of a pipe.
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        let parts = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let end: String? =
            if !isInTime || process.terminationStatus == SIGXCPU {
                "HANG"
            } else if process.terminationReason == .uncaughtSignal {
                "CRASH \(process.terminationStatus)"
            } else if process.terminationStatus != 0 || parts.count != 3 {
                "EXIT \(process.terminationStatus)"
            } else {
                nil
            }
        return Sighting(
            ending: end ?? parts[0],
            text: end == nil ? parts[1] : "",
            harm: end == nil ? parts[2] : "",
            milliseconds: milliseconds
        )
    }
}
