// SPDX-License-Identifier: MIT

import CBaseline

/// A Lua state of the baselines, closed when nobody uses it any more.
final class PlainState {
    let baseline: OpaquePointer

    /// Opens a state and runs a script, whose results the baselines use by their positions.
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

/// A script of a benchmark that does not give what the benchmark calls.
struct MissingFunction: Error, CustomStringConvertible {
    var script: String

    var description: String { "'\(script)' did not give its functions" }
}
