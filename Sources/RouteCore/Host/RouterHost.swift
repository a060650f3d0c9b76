// SPDX-License-Identifier: MIT

/// The part of an app that shows the screens of a router.
///
/// A router calls its host on the thread to which the router is confined. ``show(_:_:done:)`` is
/// the only requirement. A host that makes its view hierarchy equal to the tree needs no other
/// function.
///
/// ```swift
/// final class ConsoleHost: RouterHost {
///     func show(
///         _ tree: ScreenTree,
///         _ change: Change,
///         done: @escaping (Result<Void, any Error>) -> Void
///     ) {
///         for window in tree.windows {
///             print(window.name, tree[tree.visibleLeaf(of: window)].class)
///         }
///         done(.success(()))
///     }
/// }
/// ```
///
/// A host that keeps an object for each window must store the object before using it: if `Window`
/// is a class, `windows[name, default: Window()].root = view` sets the root of a new window, but
/// does not store the window.
///
/// A router retains its host. If the host owns the router, ``Router/shutDown()`` breaks the retain
/// cycle.
public protocol RouterHost: AnyObject {
    /// Makes the view hierarchy equal to a tree.
    ///
    /// The router makes the next change only after `done` was called. The navigation fails with the
    /// code `host` if `done` is called with an error, or is not called within
    /// ``Router/Configuration/applyTimeout``. The router then restores the previous tree and asks
    /// the host to show that tree, with ``Change/isResynchronization``.
    ///
    /// - Parameters:
    ///   - tree: The screens to show. The tree can also be used to read screens that the change
    ///     removes.
    ///   - change: The difference from the tree that was shown last, for hosts that animate changes
    ///     or apply operations.
    ///   - done: The completion handler. Call it once on the router's thread; it may be called
    ///     before this function returns. Further calls are ignored.
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    )

    /// Prepares resources for new screens, while the navigation can still be rolled back.
    ///
    /// The router also calls this function for the screens of a window that the host reported, and
    /// for the screens of a tree that was set. In these cases, an error is only logged. The default
    /// implementation does nothing.
    ///
    /// - Throws: Any error. The navigation then fails with the code `host`, the tree does not
    ///   change, and ``discard(_:)`` is called.
    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws

    /// Releases the resources of screens that will not be shown. The default implementation does
    /// nothing.
    func discard(_ screens: [ScreenID])

    /// Performs a task that the scripts expect from the host and do not register themselves.
    ///
    /// The default implementation ends the task unfinished.
    func doTask(_ task: HostTask)

    /// Cancels a task whose result is no longer needed. The default implementation does nothing.
    func cancelTask(_ task: HostTask)

    /// Returns a dependency that the scripts expect from the host and do not provide themselves.
    ///
    /// The router calls this function when a route first needs the dependency, and again after all
    /// screens that received the dependency are gone.
    ///
    /// - Parameter name: The name of the dependency, which the scripts declare with
    ///   `router.expects`.
    /// - Returns: The value, or nil if the host does not provide the dependency; the navigation
    ///   then fails with the code `missingDependency`. The default implementation returns nil. All
    ///   scripts share the value: a table is copied only once, and a ``HostObject`` is opaque to
    ///   scripts.
    func dependency(_ name: String) -> Value?
}

extension RouterHost {
    /// Does nothing.
    public func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {}
    /// Does nothing.
    public func discard(_ screens: [ScreenID]) {}
    /// Ends the task unfinished.
    public func doTask(_ task: HostTask) { task.end(false, "the host does not perform tasks") }
    /// Does nothing.
    public func cancelTask(_ task: HostTask) {}
    /// Returns nil.
    public func dependency(_ name: String) -> Value? { nil }
}
