// SPDX-License-Identifier: MIT

/// The states of a search, and the steps between them.
struct SearchGraph<Mark: Sendable>: Sendable {
    /// A step from one state to another.
    struct Edge: Sendable {
        let step: ExploredStep
        let target: Int
    }

    /// A state.
    struct State: Sendable {
        let fingerprint: StateFingerprint
        let view: StateView
        let mark: Mark
        /// The length of a shortest path from the start.
        let depth: Int
        /// The previous state on the path, and the step from that state; `nil` for the start.
        let parent: (state: Int, step: ExploredStep)?
        /// Whether the state is reached only by steps of the user beyond the bound.
        ///
        /// Rules do not apply to the state.
        let isBeyond: Bool
        /// The steps from the state; `nil` if not all steps were taken.
        var edges: [Edge]?
        /// The steps of the user, including the steps of offered controls if these were taken;
        /// `nil` if the steps are unknown.
        var userEdges: [Edge]?
        /// Whether the steps of offered controls were taken.
        var hasControls = false
    }

    private(set) var states: [State] = []
    private var indices: [StateFingerprint: Int] = [:]
    /// The number of states within the bound.
    private(set) var count = 0

    subscript(index: Int) -> State { states[index] }

    /// Returns the index of the state with a fingerprint; `nil` if the state is new.
    func index(of fingerprint: StateFingerprint) -> Int? { indices[fingerprint] }

    /// Adds a new state, and returns its index.
    mutating func add(_ state: State) -> Int {
        states.append(state)
        indices[state.fingerprint] = states.count - 1
        if !state.isBeyond { count += 1 }
        return states.count - 1
    }

    mutating func setEdges(_ edges: [Edge], of index: Int) { states[index].edges = edges }
    mutating func setUserEdges(_ edges: [Edge]?, of index: Int) { states[index].userEdges = edges }
    mutating func addControls(_ edges: [Edge], of index: Int) {
        states[index].userEdges? += edges
        states[index].hasControls = true
    }

    /// The indices of the states within the bound, by depth.
    var inner: [Int] { states.indices.filter { !states[$0].isBeyond } }

    /// Returns the steps of a shortest path from the start to a state.
    func path(to index: Int) -> [ExploredStep] {
        var steps: [ExploredStep] = []
        var current = index
        while let (parent, step) = states[current].parent {
            steps.append(step)
            current = parent
        }
        return steps.reversed()
    }

    /// Returns the given states and all states that a user can reach from them, in a fixed order.
    func reachable(from sources: [Int]) -> [Int] {
        var known = Set(sources)
        var queue = sources
        var next = 0
        while next < queue.count {
            for edge in states[queue[next]].userEdges ?? []
            where known.insert(edge.target).inserted {
                queue.append(edge.target)
            }
            next += 1
        }
        return queue
    }

    /// Returns the distance from each state to the nearest goal.
    ///
    /// - Parameters:
    ///   - edges: Returns the steps from a state; `nil` if they are unknown. A state with unknown
    ///     steps counts as a goal.
    ///   - isGoal: Returns whether a state is a goal.
    /// - Returns: The number of steps for each state; `nil` for a state from which no goal can be
    ///   reached.
    func distances(
        over edges: (State) -> [Edge]?,
        to isGoal: (State) -> Bool
    ) -> [Int?] {
        var sources = [[Int]](repeating: [], count: states.count)
        var distances = [Int?](repeating: nil, count: states.count)
        var queue: [Int] = []
        for (index, state) in states.enumerated() {
            guard let known = edges(state), !isGoal(state) else {
                distances[index] = 0
                queue.append(index)
                continue
            }
            for edge in known { sources[edge.target].append(index) }
        }
        var next = 0
        while next < queue.count {
            let index = queue[next]
            next += 1
            for source in sources[index] where distances[source] == nil {
                distances[source] = (distances[index] ?? 0) + 1
                queue.append(source)
            }
        }
        return distances
    }
}
