// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What was seen of an attempt that was made in a process of its own.
struct Sighting {
    /// How it ended: an outcome, or what became of the process.
    let ending: String
    /// What it returned or said.
    let text: String
    /// What the next entry found harmed.
    let harm: String
    let milliseconds: Int

    /// Whether the attempt was contained as the table says.
    func isFine(for attempt: Attempt) -> Bool {
        ending == attempt.expected.rawValue && harm.isEmpty
    }
}

/// Makes attempts in processes, each within two seconds of processor time.
struct AttemptProcess {
    /// The program that makes one attempt.
    let program: URL
    /// How long an entry may take, in seconds; nil for what routers allow.
    var seconds: Double?
    /// The longest that a process may take, in seconds of the wall clock.
    var limit = 2.0

    /// Ends this process when it has taken two seconds of the processor.
    static func limitThisProcess() {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_CPU.rawValue)
        #else
            let resource = RLIMIT_CPU
        #endif
        var time = rlimit(rlim_cur: 2, rlim_max: 3)
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
        let isInTime = ended.wait(timeout: .now() + limit) == .success
        if !isInTime {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
        }
        let milliseconds = Int(Date.now.timeIntervalSince(start) * 1000)
        // What a trial prints is less than a pipe holds.
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
