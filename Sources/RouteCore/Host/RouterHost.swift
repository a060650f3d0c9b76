// SPDX-License-Identifier: MIT

/// The app that shows the screens.
///
/// A router calls its host on the thread to which the router is confined. ``show(_:_:done:)`` is
/// the only requirement: a host that makes its view hierarchy equal to the tree needs nothing else.
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
/// is a class, `windows[name, default: Window()].root = view` sets the root of a new window and
/// stores nothing.
///
/// A router holds its host. If the host owns the router, ``Router/shutDown()`` breaks the retain
/// cycle.
public protocol RouterHost: AnyObject {
    /// Makes the view hierarchy equal to a tree.
    ///
    /// The next change is made only after `done` was called. If `done` is called with an error, or
    /// not within ``Router/Configuration/applyTimeout``, the navigation fails with the code `host`,
    /// the previous tree is restored, and the host is asked to show it, with
    /// ``Change/isResynchronization``.
    ///
    /// - Parameters:
    ///   - tree: The screens to show. Screens that the change removes can still be read in it.
    ///   - change: How the tree differs from the one that was shown last, for hosts that animate or
    ///     that apply operations.
    ///   - done: The completion handler: called once, on the router's thread, also before this
    ///     function returns. Further calls are ignored.
    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    )

    /// Prepares resources for new screens, while the navigation can still be rolled back.
    ///
    /// It is also called for the screens of a window that the host reported, and of a tree that was
    /// set; in these cases an error is only logged. By default it does nothing.
    ///
    /// - Throws: Any error; the navigation fails with the code `host`, nothing changes, and
    ///   ``discard(_:)`` follows.
    func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws

    /// Releases the resources of screens that will not be shown. By default it does nothing.
    func discard(_ screens: [ScreenID])

    /// Performs a task that the scripts expect of the host and did not register.
    ///
    /// By default it ends the task unfinished.
    func doTask(_ task: HostTask)

    /// Cancels a task whose result is no longer needed. By default it does nothing.
    func cancelTask(_ task: HostTask)

    /// Returns a dependency that the scripts expect of the host and do not provide themselves.
    ///
    /// It is called when a route first needs the dependency, and again after all screens that
    /// received it are gone.
    ///
    /// - Parameter name: The name, one of the names declared with `router.expects`.
    /// - Returns: The value, which scripts share. If it is nil, the default, the navigation fails
    ///   with the code `missingDependency`. A table is copied once, and all users share the copy; a
    ///   ``HostObject`` is opaque to scripts.
    func dependency(_ name: String) -> Value?
}

extension RouterHost {
    /// Prepares nothing.
    public func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {}
    /// Releases nothing.
    public func discard(_ screens: [ScreenID]) {}
    /// Ends the task unfinished.
    public func doTask(_ task: HostTask) { task.end(false, "the host does not perform tasks") }
    /// Stops nothing.
    public func cancelTask(_ task: HostTask) {}
    /// Has no dependencies.
    public func dependency(_ name: String) -> Value? { nil }
}
