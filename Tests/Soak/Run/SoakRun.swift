// SPDX-License-Identifier: MIT

import Foundation
import Soak

/// Runs the soak for the requested number of navigations, and prints the report.
@main
enum SoakRun {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let navigations = arguments.first ?? 1_000_000
        let reloads = arguments.dropFirst().first ?? navigations / 1_000
        // Objects that are created once, such as the first state's tables, exist before the count.
        _ = try Soak(seed: 1).run(navigations: 10_000, reloads: 100)
        let before = residentBytes()
        let clock = ContinuousClock()
        let start = clock.now
        let report = try Soak(seed: UInt64(arguments.dropFirst(2).first ?? 2))
            .run(navigations: navigations, reloads: reloads, rewinds: navigations / 1_000)
        let seconds = start.duration(to: clock.now) / .seconds(1)
        let after = residentBytes()
        print(
            "navigations  \(report.navigations), \(report.ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
        print("tasks        \(report.tasks)")
        print("links        \(report.links)")
        print(
            "reloads      \(report.reloads.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
        print("rewinds      \(report.rewinds), states explored twice \(report.explored)")
        print("restored     \(report.restored)")
        print(
            "gestures     \(report.guards.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
        print("generations  at most \(report.mostGenerations) at once")
        print(
            "scripts      \(report.memory.start) bytes at the start, \(report.memory.end) at the end"
        )
        print("process      \(before / 1024) KiB before, \(after / 1024) KiB after")
        print("time         \(String(format: "%.1f", seconds)) s")
        for violation in report.violations { print("VIOLATION    \(violation)") }
        exit(report.violations.isEmpty ? 0 : 1)
    }

    /// Returns the resident memory of the process in bytes; 0 if it is unknown.
    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
