// SPDX-License-Identifier: MIT

package import RouteCore

/// The depth and size of a link, a switch or a tree of routes, including nested declarations.
///
/// Several declarations may contain the same declaration, so the number of elements that a walk
/// visits can grow exponentially with the number of declarations.
package struct Nesting: Sendable {
    /// The number of levels, at least 1.
    package private(set) var depth: UInt8 = 1
    /// The number of parents and leaves that a walk visits.
    ///
    /// A walk does not enter links.
    package private(set) var size: UInt16 = 0

    /// The maximum number of levels.
    ///
    /// This limits the recursion when declarations are walked and released.
    package static let depthLimit = 100
    /// The maximum number of parents and leaves of one declaration.
    package static let sizeLimit = 10_000
    /// The maximum total number of parents and leaves of all steps in a bundle.
    package static let totalLimit = 200_000

    /// Creates the depth and size of a declaration that contains no other declarations.
    package init() {}

    /// Adds the given number of parents and leaves.
    ///
    /// - Throws: `script` if there are too many.
    package mutating func add(count: Int) throws(RouteError) {
        guard Int(size) + count <= Self.sizeLimit else { throw .nestsTooMany(Self.sizeLimit) }
        size += UInt16(count)
    }

    /// Adds the depth and size of a nested declaration.
    ///
    /// - Parameters:
    ///   - inner: The depth and size of the nested declaration.
    ///   - count: The number of parents and leaves that a walk visits in the nested declaration;
    ///     nil for its whole size.
    /// - Throws: `script` if there are too many levels, or too many parents and leaves.
    package mutating func add(_ inner: Nesting, count: Int? = nil) throws(RouteError) {
        guard inner.depth < Self.depthLimit else { throw .nestsTooDeep() }
        depth = max(depth, inner.depth + 1)
        try add(count: count ?? Int(inner.size))
    }

    /// Adds the parent of a step or of a case.
    ///
    /// - Throws: The same errors as ``add(_:count:)``.
    package mutating func add(_ from: From) throws(RouteError) {
        switch from {
        case .step(let step): try add(step.nesting, count: 1)
        case .choice(let choice): try add(choice.nesting, count: max(1, Int(choice.nesting.size)))
        case .current, .root, .finder, .route: try add(count: 1)
        }
    }
}

extension RouteError {
    fileprivate static func nestsTooDeep() -> RouteError {
        RouteError(
            .script,
            "links, switches and trees are nested too deeply (at most \(Nesting.depthLimit) levels expected)"
        )
    }

    /// An error for switches or trees that, including nested switches and trees, contain too many
    /// parents or leaves.
    package static func nestsTooMany(_ limit: Int) -> RouteError {
        RouteError(
            .script,
            "too many parent routes in a switch, or leaves in a tree, with nested ones counted (at most \(limit) expected)"
        )
    }
}
