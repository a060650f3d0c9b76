// SPDX-License-Identifier: MIT

import Foundation
public import Testing

extension Tag {
    /// A tag for tests that repeat their work for very many cases.
    @Tag public static var sweep: Self
}

extension Trait where Self == ConditionTrait {
    /// Disables a test with the tag `sweep` in the runs of `scripts/check`.
    ///
    /// `swift test` of Swift 6.3 cannot filter by tags.
    public static var unlessQuick: Self {
        .disabled(if: SweepShare.current == nil, "sweeps are left out")
    }
}

/// The share of a sweep's cases that a run tests.
///
/// The environment variable `LUAROUTE_SWEEPS` is `0`, or a share such as `3/7`. If it is not set,
/// all cases are tested.
public struct SweepShare: Sendable {
    /// The share of this run; nil if sweeps are left out.
    public static let current = SweepShare(ProcessInfo.processInfo.environment["LUAROUTE_SWEEPS"])

    /// The index of the first case.
    let first: Int
    /// The distance from one case to the next.
    let stride: Int

    /// Reads a share; nil if sweeps are left out.
    init?(_ text: String?) {
        let numbers = (text ?? "1/1").split(separator: "/").map { Int($0) ?? -1 }
        if numbers == [0] { return nil }
        precondition(
            numbers.count == 2 && 1 <= numbers[0] && numbers[0] <= numbers[1],
            "LUAROUTE_SWEEPS is '\(text ?? "")', and not '0' or a share such as '3/7'"
        )
        (first, stride) = (numbers[0] - 1, numbers[1])
    }
}

extension Collection {
    /// The elements that belong to the share of this run; empty if sweeps are left out.
    public var sweepShare: [Element] { elements(of: .current) }

    func elements(of share: SweepShare?) -> [Element] {
        guard let share else { return [] }
        return zip(0..., self).filter { $0.0 % share.stride == share.first }.map(\.1)
    }
}
