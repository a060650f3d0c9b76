// SPDX-License-Identifier: MIT

/// A coordinator as apps write it by hand: a closure for each name, an enumeration of screens, and
/// a stack.
///
/// It is the minimum cost of a navigation without scripts: there is no tree, no event, no rollback
/// and no completion handler.
final class Coordinator {
    enum Screen: Equatable {
        case show(id: Int64)
        case settings
    }

    /// The stack, whose last screen is visible.
    private(set) var stack: [Screen]
    private var routes: [String: (inout [Screen], [String: Int64]) -> Screen] = [:]

    /// Creates a coordinator with a stack of shows.
    init(height: Int64) {
        stack = (1...height).map { .show(id: $0) }
        routes["ShowPage/open"] = { stack, info in
            let existing = stack.lastIndex { if case .show = $0 { true } else { false } }
            if let existing {
                stack.removeSubrange((existing + 1)...)
            } else {
                stack.append(.show(id: info["showId"] ?? 0))
            }
            return stack[stack.count - 1]
        }
        routes["Settings/open"] = { stack, _ in
            stack.append(.settings)
            return .settings
        }
    }

    /// Navigates to a route, and returns the visible screen; nil for an unknown name.
    @inline(never)
    private func navigate(_ name: String, _ info: [String: Int64]) -> Screen? {
        routes[name]?(&stack, info)
    }

    /// Navigates to shows the given number of times, and returns the sum of the identifiers of the
    /// shown screens.
    func navigate(_ count: Int) -> Int64 {
        var sum: Int64 = 0
        for _ in 0..<count {
            if case .show(let id)? = navigate("ShowPage/open", [:]) { sum &+= id }
        }
        return sum
    }
}
