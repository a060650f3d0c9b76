// SPDX-License-Identifier: MIT

internal import RouteCore

/// The rules and functions of a class of screens.
package struct ClassDeclaration: Sendable {
    /// The routes to which the controls on a screen of the class lead; nil if the class does not
    /// declare `offers`.
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
    /// The policy for foreign screens of the class; nil for the policy that applies to all classes.
    package var foreignPolicy: ForeignPolicy?
    /// The function that restores a screen from a snapshot.
    package var restorer: ScriptFunction?

    /// Creates a declaration without rules.
    package init() {}

    fileprivate var isEmpty: Bool {
        offers == nil && reselection == nil && foreignPolicy == nil && restorer == nil
            && !guardsScreens
    }

    /// Whether there is any rule about the removal of screens.
    package var guardsScreens: Bool { dismissal != nil || leaving != nil || guarded != nil }

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
}

/// The rules of classes, by name.
package struct ClassDeclarations {
    /// The declarations that have rules, which few classes have.
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

    /// The rules of a class; nil if there are none.
    package subscript(name: String) -> ClassDeclaration? { all[name] }

    /// Declares the rules of a class, replacing an earlier declaration.
    package mutating func declare(_ name: String, _ declaration: ClassDeclaration) {
        if declaration.isEmpty, all.isEmpty { return }
        if let old = all.removeValue(forKey: name) { count(old, -1) }
        if declaration.isEmpty { return }
        all[name] = declaration
        count(declaration, 1)
    }

    private mutating func count(_ declaration: ClassDeclaration, _ step: Int) {
        if declaration.dismissal != nil { dismissalCount += step }
        if declaration.leaving != nil { leavingCount += step }
        if declaration.guardsScreens { guardCount += step }
    }
}
