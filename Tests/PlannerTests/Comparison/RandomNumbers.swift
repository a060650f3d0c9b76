// SPDX-License-Identifier: MIT

/// A small generator with a seed, so that a failing case can be told and run again.
struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    // SplitMix64, by Steele, Lea and Flood (2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Whether something that happens so often in a hundred happens now.
    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// One of the choices, each as often as its weight says.
    mutating func choose<Element>(_ choices: [(weight: Int, Element)]) -> Element {
        var rest = below(choices.reduce(0) { $0 + $1.weight })
        for (weight, element) in choices {
            if rest < weight { return element }
            rest -= weight
        }
        return choices[choices.count - 1].1
    }
}
