// SPDX-License-Identifier: MIT

package import RouteCore

/// The declaration of a class of screens, except its fields.
package struct ClassDeclaration {
    /// The source location of the declaration.
    package let location: RouteError.Location?
    /// The rules of the class; nil if the class has no rules, which is the usual case.
    private let boxed: Boxed<Rules>?

    /// Creates the declaration of a class.
    package init(at location: RouteError.Location? = nil, _ rules: Rules = Rules()) {
        self.location = location
        boxed = rules.isEmpty ? nil : Boxed(rules)
    }

    /// The rules and functions of a class.
    package struct Rules: Sendable {
        /// The routes to which the controls on a screen of the class lead; nil if the
        /// class does not declare `offers`.
        package var offers: [Target]?
        /// The rule that decides whether a screen may be dismissed; nil if a screen may always be
        /// dismissed.
        package var dismissal: Dismissal?
        /// The function that decides whether a screen is guarded.
        ///
        /// If this property is nil, a screen is guarded if its class has a function ``leaving``.
        package var guarded: ScriptFunction?
        /// The function that is called before a screen is removed.
        package var leaving: ScriptFunction?
        /// The reaction of tabs to a tap on the selected tab; nil for the default reaction.
        package var reselection: Reselection?
        /// The policy for foreign screens of the class; nil for the policy that applies to all
        /// classes.
        package var foreignPolicy: ForeignPolicy?
        /// The function that restores a screen from a snapshot.
        package var restorer: ScriptFunction?

        /// Creates an empty set of rules.
        package init() {}

        fileprivate var isEmpty: Bool {
            offers == nil && reselection == nil && foreignPolicy == nil && restorer == nil
                && !guardsScreens
        }

        /// Whether there is any rule about the removal of screens.
        fileprivate var guardsScreens: Bool {
            dismissal != nil || leaving != nil || guarded != nil
        }
    }

    /// A rule that decides whether the screens of a class may be dismissed.
    package enum Dismissal: Sendable {
        case always(Bool)
        case function(ScriptFunction)
    }

    /// The reaction of tabs to a tap on the selected tab.
    package enum Reselection: Sendable {
        case ignored
        case function(ScriptFunction)
    }

    package var offers: [Target]? { boxed?.value.offers }
    package var dismissal: Dismissal? { boxed?.value.dismissal }
    package var guarded: ScriptFunction? { boxed?.value.guarded }
    package var leaving: ScriptFunction? { boxed?.value.leaving }
    package var reselection: Reselection? { boxed?.value.reselection }
    package var foreignPolicy: ForeignPolicy? { boxed?.value.foreignPolicy }
    package var restorer: ScriptFunction? { boxed?.value.restorer }

    /// Whether the class has any rule about the removal of its screens.
    package var guardsScreens: Bool { boxed?.value.guardsScreens ?? false }
}

/// The declarations of classes, by name.
package struct ClassDeclarations {
    package private(set) var all: [String: ClassDeclaration] = [:]
    /// The number of classes with a ``ClassDeclaration/dismissal``.
    private var dismissalCount = 0
    /// The number of classes with a ``ClassDeclaration/leaving``.
    private var leavingCount = 0
    /// The number of classes with any rule about the removal of their screens.
    private var guardCount = 0

    package init() {}

    /// Whether any class has a rule about dismissing its screens.
    package var hasDismissals: Bool { dismissalCount > 0 }
    /// Whether any class has a function ``ClassDeclaration/leaving``.
    package var hasLeavings: Bool { leavingCount > 0 }
    /// Whether any class has a rule about the removal of its screens.
    package var guardsScreens: Bool { guardCount > 0 }

    /// The declaration of a class; nil if there is none.
    package subscript(name: String) -> ClassDeclaration? { all[name] }

    /// Declares a class, replacing an earlier declaration.
    package mutating func declare(_ name: String, _ declaration: ClassDeclaration) {
        if let old = all.updateValue(declaration, forKey: name) { count(old, -1) }
        count(declaration, 1)
    }

    private mutating func count(_ declaration: ClassDeclaration, _ step: Int) {
        if declaration.dismissal != nil { dismissalCount += step }
        if declaration.leaving != nil { leavingCount += step }
        if declaration.guardsScreens { guardCount += step }
    }
}
