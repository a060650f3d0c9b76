// SPDX-License-Identifier: MIT

package import RouteCore

/// The declaration of a class, besides its fields.
package struct ClassDeclaration {
    /// The source location.
    package var location: RouteError.Location?
    /// The routes to which the controls on screens of the class lead; nil if they are not declared.
    package var offers: [Target]?
    /// Whether screens of the class may be dismissed; nil if they always may.
    package var dismissal: Dismissal?
    /// The function that decides whether a screen is guarded.
    ///
    /// If nil, a screen is guarded if its class has a function ``leaving``.
    package var guarded: ScriptFunction?
    /// The function that is called before a screen is removed.
    package var leaving: ScriptFunction?
    /// The answer of tabs to a tap on the selected tab; nil for the default.
    package var reselection: Reselection?
    /// The policy of a foreign class; nil for the policy of all foreign classes.
    package var foreignPolicy: ForeignPolicy?
    /// The function that restores a screen from a snapshot.
    package var restorer: ScriptFunction?

    /// Creates the declaration of a class that decides nothing.
    package init(at location: RouteError.Location? = nil) { self.location = location }

    /// Whether screens of a class may be dismissed.
    package enum Dismissal {
        case always(Bool)
        case function(ScriptFunction)
    }

    /// The reaction of a tabs class to a tap on the selected tab, if it is not the default.
    package enum Reselection {
        case ignored
        case function(ScriptFunction)
    }

    /// Whether the class decides whether its screens may be removed.
    package var guardsScreens: Bool { dismissal != nil || leaving != nil || guarded != nil }
}

/// The declarations of classes, by name.
package struct ClassDeclarations {
    package private(set) var all: [String: ClassDeclaration] = [:]
    /// The number of classes with a ``ClassDeclaration/dismissal``.
    private var dismissalCount = 0
    /// The number of classes with a ``ClassDeclaration/leaving``.
    private var leavingCount = 0
    /// The number of classes that decide whether their screens may be removed.
    private var guardCount = 0

    package init() {}

    /// Whether any class decides whether its screens may be dismissed.
    package var hasDismissals: Bool { dismissalCount > 0 }
    /// Whether the screens of any class are asked before they are removed.
    package var hasLeavings: Bool { leavingCount > 0 }
    /// Whether any class decides whether its screens may be removed.
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
