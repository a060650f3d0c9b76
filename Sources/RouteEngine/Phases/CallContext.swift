// SPDX-License-Identifier: MIT

package import RouteCore

/// The rights of a function of a script, and the step for which it runs.
package struct CallContext {
    /// The effects that calls of the function may have.
    package enum Effects {
        /// All: no navigation is planned or staged.
        case all
        /// None: the function helps to plan a navigation, and may be called several times.
        case none
        /// It may set `router.state`, and has no other effect: a provider or a handler, which is
        /// called once.
        case state
        /// It may make screens and set their fields, on the stage of its navigation.
        case stage
        /// It may also place screens: the function of a declared action.
        case action
    }

    /// The kind of function that may end by `router.stop`, `stay` or `redirect`.
    package enum Answering {
        case nobody
        /// A `prepare`, which may only stop.
        case prepare
        case interceptor
    }

    package var effects = Effects.all
    package var answering = Answering.nobody
    // Not counted: copies of a context are made for each step, and a phase holds the step for as
    // long as its function runs.

    /// The step whose function it is.
    package unowned(unsafe) var step: Step?
    /// The step of the plan whose interceptor it is.
    package unowned(unsafe) var link: Plan.Link?
    /// The stack on which the action of the step would push.
    package var standingNav: ScreenID?
    /// The number of trees, one inside the other, that are being built.
    package var depth = 0
    /// The serial of the last screen that was made before the navigation was planned.
    package var planningSerial: Int32 = 0

    /// Creates a context; without arguments that of a call that belongs to no phase.
    package init(effects: Effects = .all, planningSerial: Int32 = 0) {
        self.effects = effects
        self.planningSerial = planningSerial
    }

    /// Whether calls may have no effects but ``Effects/state``.
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

    /// The context of a function that a step has for its navigation.
    package func of(_ step: Step?) -> CallContext {
        var context = self
        context.step = step
        return context
    }
}
