// SPDX-License-Identifier: MIT

/// A script failure that may have no other listener.
package enum ScriptFailure {
    /// A navigation that a script began.
    case navigation(Navigation)
    /// A task that a script began.
    case task(RouteTask)
    /// A function whose caller cannot catch errors, such as a timer's function.
    ///
    /// The latest event has logged the failure.
    case function
}
