// SPDX-License-Identifier: MIT

/// A piece of work that is done in surroundings of increasing size, such as a table with more and
/// more entries.
struct Growth {
    /// One size of the surroundings.
    struct Point {
        let size: Int
        /// Makes the surroundings.
        let make: () throws -> Side
    }

    let name: String
    let text: String
    /// The unit of the size.
    let unit: String
    let points: [Point]

    /// The result of the rounds.
    struct Measurement {
        let growth: Growth
        /// The median time of one operation in nanoseconds, by size.
        let nanoseconds: [Double]

        /// The ratio of each figure to the first.
        var ratios: [Double] { nanoseconds.map { $0 / nanoseconds[0] } }
    }

    /// Measures all sizes in each round, so that a disturbance that is longer than a sample affects
    /// all sizes.
    ///
    /// - Throws: ``WrongResult``, or the error that stopped the work.
    func measure(rounds: Int) throws -> Measurement {
        let samplers = try points.map { point in
            let side = try point.make()
            try side.verify(name, "\(point.size) \(unit)")
            return try Sampler(side, of: name)
        }
        var samples = points.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, sampler) in samplers.enumerated() {
                samples[index].append(try sampler.sample())
            }
        }
        return Measurement(growth: self, nanoseconds: samples.map(\.median))
    }
}
