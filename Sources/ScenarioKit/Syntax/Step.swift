// SPDX-License-Identifier: MIT

package import LuaRouting

/// One step of a scenario.
package struct Step: Sendable {
    /// What a step does.
    ///
    /// Parsing has one entry for each in ``Vocabulary/steps``.
    package enum Action: Sendable {
        /// Sets the tree of a window.
        case given(window: String, TreeNotation)
        /// Builds the first tree as the scripts declare it.
        case start([FieldNotation])
        /// Goes to the screen of a target.
        indirect case navigate(NavigateStep)
        /// Opens a URL, or a route string.
        indirect case open(OpenStep)
        /// Dispatches a URL to the routing that it matches.
        indirect case dispatch(DispatchStep)
        /// Does a piece of work.
        case doTask(Target, [FieldNotation])
        /// Cancels the last request, or the one that has a name.
        case cancel(String?)
        /// Cancels all links that wait.
        case cancelLinks
        /// Leaves screens.
        indirect case leave(LeaveStep)
        /// Says how one call of a task of the host ends.
        indirect case stub(CallPattern, TaskEnd)
        /// Ends a call of a task of the host.
        indirect case complete(Target, TaskEnd)
        /// Calls a function that the scripts export.
        case call(String, [FieldNotation])
        /// Opens a gate.
        case openGate(String)
        /// Closes a gate.
        case closeGate(String)
        /// Sets a value in the state of the scripts, by a path of keys.
        indirect case setState([String], Value)
        /// Has the scripts at a path serve, or the same ones again; or sees them rejected.
        indirect case reload(String?, fails: Bool)
        /// Ends the app and begins it again.
        case restart
        /// Keeps what stands, under a name.
        case snapshot(String)
        /// Brings back what was kept under a name.
        case restore(String)
        /// Has the host answer otherwise than at once.
        case host(HostAct)
        /// Does what a person does, of which the host only reports.
        indirect case user(PersonAct)
        /// Moves the clock on by seconds.
        case advance(Double)
        /// Moves the clock on to each due timer in turn.
        case settle
        /// Moves the clock on to a time, in seconds since 1970.
        case moveClock(to: Double)
        /// Looks at what is, or at what happened.
        indirect case expect(Expectation)
        /// Gives a value a name.
        indirect case bind(name: String, Binding)
        /// Says something in the report.
        case note(String)
    }

    /// What the step does.
    package let action: Action
    /// The word that opens it.
    package let word: String
    /// The name that `as` gives to a request.
    package let name: String?
    /// Whether it need not be used: a step after `maybe`.
    package let isOptional: Bool
    /// Whether it has names that `let` gave in the places of values.
    package let usesBindings: Bool
    /// The text of which it is a part.
    package let text: StepText
    /// Where in the text it stands.
    package let range: Range<Int>
}

extension Step.Action {
    /// Whether it only looks: what happened before it is still "what happened last".
    package var isLooking: Bool {
        switch self {
        case .expect, .bind, .note: true
        default: false
        }
    }

    /// Whether it has an end of its own, and `as` can give it a name.
    package var isRequest: Bool {
        switch self {
        case .start, .navigate, .open, .dispatch, .doTask, .leave, .call: true
        default: false
        }
    }

    /// Whether `expect done` and its like are about it only where they name it.
    package var isMeantByNameOnly: Bool {
        switch self {
        case .leave, .call: true
        default: false
        }
    }

    /// Whether it prepares for what is expected to happen, so that it is a mistake if nothing uses
    /// it.
    package var isPreparation: Bool {
        switch self {
        case .stub, .openGate, .host(.refuses): true
        default: false
        }
    }

    /// Whether it builds the first tree: `expect done` and its like are about what was asked for
    /// before, which waits for that tree, where there is something.
    package var isStart: Bool {
        if case .start = self { true } else { false }
    }
}

/// A step `navigate`.
package struct NavigateStep: Sendable {
    /// Where to go.
    package let target: Target
    /// The parameters.
    package var info: [FieldNotation]
    /// The screen from which the action starts.
    package var from: ScreenNotation?
    /// The other options; without a timeout, that of the file counts.
    package var options = NavigationOptions()
}

/// A step that leaves screens.
package struct LeaveStep: Sendable {
    /// How it leaves them.
    package enum Verb: Sendable {
        /// Goes back some screens.
        case back(Int)
        /// Makes the topmost screen that matches visible.
        case popTo(ScreenNotation)
        /// Goes back to the first screen of the visible stack.
        case popToRoot
        /// Dismisses the topmost level, or all above the first.
        case dismiss(all: Bool)
        /// Closes the topmost screen that matches, with a value for whoever opened it.
        case close(ScreenNotation, Value)
        /// Selects the topmost screen that matches.
        case select(ScreenNotation)
        /// Selects a tab by its number, from 1 on.
        case selectTab(Int)
        /// Puts new screens in place of the topmost screen that matches.
        case replace(ScreenNotation, with: TreeNotation)
    }

    /// How it leaves them.
    package var verb: Verb
    /// The options.
    package var options = NavigationOptions()
}

/// A step `open`.
package struct OpenStep: Sendable {
    /// The text, which may be any bytes.
    package let text: ByteString
    /// The screen from which the action starts.
    package var from: ScreenNotation?
    /// Who asks; nil for `url`.
    package var origin: Origin?
}

/// A step `dispatch`.
package struct DispatchStep: Sendable {
    /// The URL, which may be any bytes.
    package let url: ByteString
    /// How long it may wait, in seconds, zero or less for ever; nil for what the file says.
    package var timeout: Double?
    /// Who dispatches; nil for `url`.
    package var origin: Origin?
}

/// What a step `host` has the host do.
package enum HostAct: Sendable {
    /// It holds what it is given.
    case holds
    /// It applies what it holds, and from then on what it is given.
    case applies
    /// It refuses the next change that has an operation.
    case refuses(String)
}

/// What a step `user` has a person do.
package enum PersonAct: Sendable {
    /// Goes back one screen.
    case back
    /// Dismisses the topmost level.
    case dismisses
    /// Selects the topmost tab that matches.
    case selects(ScreenNotation)
    /// Selects a tab by its number, from 1 on.
    case selectsTab(Int)
    /// Leaves some of the screens that stand, and orders and selects them; what is foreign may
    /// come.
    case makes(TreeNotation)
    /// Opens a window, in which screens stand.
    case opensWindow(String, TreeNotation)
    /// Closes a window.
    case closesWindow(String)
}

/// A pattern of calls: a target, and parameters where they are written.
package struct CallPattern: Sendable {
    /// The target.
    package let target: Target
    /// The parameters that are equal, no others where there are none; nil for any.
    package let info: [FieldNotation]?
    /// Where the pattern stands.
    package let range: Range<Int>
}

/// How a task ends.
package struct TaskEnd: Sendable {
    /// Whether it did what it was asked.
    package let isFinished: Bool
    /// What it says of it.
    package let info: Value
}

/// What a name can stand for.
package enum Binding: Sendable {
    /// The screen that the main window shows.
    case top
    /// The topmost screen that matches.
    case screen(ScreenNotation)
    /// What the last request gave.
    case result
    /// What stands in the state of the scripts, by a path of keys.
    case state([String])
}
