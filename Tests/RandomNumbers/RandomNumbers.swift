// SPDX-License-Identifier: MIT

/// A random number generator with a seed, so that a failing case can be run again.
///
/// The algorithm is SplitMix64, by Steele, Lea and Flood (2014).
package struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, a bound.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Returns true with the given probability in percent.
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns true with a probability of one in the given number.
    package mutating func isTrue(oneIn chances: Int) -> Bool { below(chances) == 0 }

    /// Returns a random element of a list that is not empty.
    package mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// Returns one of the choices, with a probability proportional to its weight.
    package mutating func choose<Element>(_ choices: [(weight: Int, Element)]) -> Element {
        var rest = below(choices.reduce(0) { $0 + $1.weight })
        for (weight, element) in choices {
            if rest < weight { return element }
            rest -= weight
        }
        return choices[choices.count - 1].1
    }
}
