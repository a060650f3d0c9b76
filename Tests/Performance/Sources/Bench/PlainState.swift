// SPDX-License-Identifier: MIT

import CBaseline

/// A Lua state of a baseline, which is closed when its last reference is released.
final class PlainState {
    let baseline: OpaquePointer

    /// Opens a state and runs a script, whose results the baseline uses by their positions on the
    /// stack.
    init(_ script: String) throws {
        guard let baseline = baseline_open(script) else {
            throw MissingFunction(script: "baseline")
        }
        self.baseline = baseline
    }

    deinit {
        baseline_close(baseline)
    }
}

/// The error for a script of a benchmark that lacks a function that the benchmark calls.
struct MissingFunction: Error, CustomStringConvertible {
    var script: String

    var description: String { "'\(script)' did not give its functions" }
}
