// SPDX-License-Identifier: MIT

package import RouteCore

/// The effects that a Lua function may have, and the step for which it is called.
package struct CallContext {
    /// The effects that a function may have through the API functions that it calls.
    package enum Effects {
        /// All effects are permitted, because no navigation is being planned or staged.
        case all
        /// No effects are permitted, because the function is called during planning, possibly
        /// several times.
        case none
        /// Only setting `router.state` is permitted. The function is a provider or a handler, which
        /// is called once.
        case state
        /// Creating screens and setting their fields is permitted. The changes belong to the stage
        /// of the navigation.
        case stage
        /// Placing screens is also permitted, in the function of a declared action.
        case action
    }

    /// A kind of function.
    ///
    /// The kind determines whether the function may answer with `router.stop`, `router.stay` or
    /// `router.redirect`.
    package enum Answering {
        case nobody
        /// A `prepare` function, which may only stop the navigation.
        case prepare
        case interceptor
    }

    package var effects = Effects.all
    package var answering = Answering.nobody
    // Unowned, because contexts are copied for each step, and a phase retains the step while its
    // function runs.

    /// The step to which the function belongs, if any.
    package unowned(unsafe) var step: Step?
    /// The step of the plan to which the interceptor belongs, if any.
    package unowned(unsafe) var link: Plan.Link?
    /// The stack on which the action of the step would push.
    package var existingNav: ScreenID?
    /// The nesting depth of the tree that is being built.
    package var depth = 0
    /// The serial of the last screen that was created before the navigation was planned.
    package var planningSerial: Int32 = 0

    /// Creates a context.
    ///
    /// By default, the context is for a call outside of any phase.
    package init(effects: Effects = .all, planningSerial: Int32 = 0) {
        self.effects = effects
        self.planningSerial = planningSerial
    }

    /// Whether the function may have no effects, or may only set `router.state`.
    package var isPlanning: Bool {
        switch effects {
        case .none, .state: true
        case .all, .stage, .action: false
        }
    }

    /// Whether the function may change the stage of a navigation.
    package var isStaging: Bool {
        switch effects {
        case .stage, .action: true
        case .all, .none, .state: false
        }
    }

    /// Returns the context for a function of a step.
    package func of(_ step: Step?) -> CallContext {
        var context = self
        context.step = step
        return context
    }
}
