// SPDX-License-Identifier: MIT

internal import RouteCore

/// The declaration of a route that only redirects, with a constant target or a function that
/// returns the target.
package struct DeclaredRedirect: Sendable {
    /// The possible targets.
    ///
    /// If ``pick`` is nil, there is exactly one target.
    package let targets: [Target]
    /// `(info, nav)` → one of the targets; nil if the target is constant.
    package let pick: ScriptFunction?

    /// The keys that are allowed in a definition with `redirect`.
    static let keys = Definition.Keys([
        .redirect, .info, .url, .origin, .enabled, .fallback, .examples, .private, .override,
    ])

    /// The constant target; nil if a function returns the target.
    package var constant: Target? { pick == nil ? targets[0] : nil }

    /// Reads `{ service, task }` or `{ to = { targets }, pick = function }`.
    ///
    /// - Throws: `script` for any other value.
    init(_ value: Value) throws(RouteError) {
        guard case .table(let table) = value else { throw .badRedirect(value) }
        guard table.list.isEmpty, case .table(let targets) = table["to"] else {
            guard table.isList, let target = Target(table.list) else {
                throw .badRedirect(value)
            }
            (self.targets, pick) = ([target], nil)
            return
        }
        self.targets = try targets.list.map { target throws(RouteError) in
            guard case .table(let names) = target, let target = Target(names.list) else {
                throw .badRedirect(target)
            }
            return target
        }
        pick = table["pick"].function
        guard pick != nil, !self.targets.isEmpty else { throw .badRedirect(value) }
    }
}
