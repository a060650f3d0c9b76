// SPDX-License-Identifier: MIT

import Foundation
public import Testing

extension Tag {
    /// A test that repeats its work for very many cases.
    @Tag public static var sweep: Self
}

extension Trait where Self == ConditionTrait {
    /// Disables a test with the tag `sweep` in the runs of `scripts/check`.
    ///
    /// It sets `LUAROUTE_SWEEPS=0` in the environment: `swift test` of Swift 6.3 cannot filter by
    /// tags.
    public static var unlessQuick: Self {
        .disabled(
            if: ProcessInfo.processInfo.environment["LUAROUTE_SWEEPS"] == "0",
            "sweeps are left out"
        )
    }
}
