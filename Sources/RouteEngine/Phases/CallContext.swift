// SPDX-License-Identifier: MIT

package import RouteCore

/// The permitted effects of a Lua function, and the step for which it runs.
package struct CallContext {
    /// The effects that calls of the function may have.
    package enum Effects {
        /// All effects: no navigation is being planned or staged.
        case all
        /// No effects: the function helps to plan a navigation, and may be called several times.
        case none
        /// Only setting `router.state` is permitted, in a provider or a handler, which is called
        /// once.
        case state
        /// Creating screens and setting their fields, on the stage of its navigation.
        case stage
        /// Also placing screens: the function of a declared action.
        case action
    }

    /// The kind of function that may end with `router.stop`, `stay` or `redirect`.
    package enum Answering {
        case nobody
        /// A `prepare`, which may only stop.
        case prepare
        case interceptor
    }

    package var effects = Effects.all
    package var answering = Answering.nobody
    // Unowned: contexts are copied for each step, and a phase retains the step while its function
    // runs.

    /// The step to which the function belongs.
    package unowned(unsafe) var step: Step?
    /// The step of the plan to which the interceptor belongs.
    package unowned(unsafe) var link: Plan.Link?
    /// The stack on which the action of the step would push.
    package var existingNav: ScreenID?
    /// The nesting depth of the trees that are being built.
    package var depth = 0
    /// The serial of the last screen that was made before the navigation was planned.
    package var planningSerial: Int32 = 0

    /// Creates a context; by default for a call outside of any phase.
    package init(effects: Effects = .all, planningSerial: Int32 = 0) {
        self.effects = effects
        self.planningSerial = planningSerial
    }

    /// Whether calls may have no effects except ``Effects/state``.
    package var isPlanning: Bool {
        switch effects {
        case .none, .state: true
        case .all, .stage, .action: false
        }
    }

    /// Whether calls change the stage of a navigation.
    package var isStaging: Bool {
        switch effects {
        case .stage, .action: true
        case .all, .none, .state: false
        }
    }

    /// Returns the context of a function of a step.
    package func of(_ step: Step?) -> CallContext {
        var context = self
        context.step = step
        return context
    }
}
