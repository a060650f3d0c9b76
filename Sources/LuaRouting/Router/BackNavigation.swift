// SPDX-License-Identifier: MIT

internal import LuaVM

/// Back actions by the user, such as a press of Android's back button.
extension Router {
    /// Handles a back action if the router must decide: the screen is guarded, or the user is on
    /// the first screen.
    ///
    /// Call this function before the system's default action. If the screen is guarded, the router
    /// calls ``back(_:options:completion:)`` with the origin `person`, unless the guard is `never`;
    /// see ``guard(of:)-([ScreenID])``. If there is no screen to leave, the router calls the
    /// function that a script declares with `router.onBack`. This function may navigate, but cannot
    /// wait. An error that the function raises is logged.
    ///
    /// ```swift
    /// if !router.handleBack() { finish() }
    /// ```
    ///
    /// - Parameter window: The name of the window in which the user goes back.
    /// - Returns: Whether the action was handled. If false, the caller performs the default action.
    ///   Also false if the host itself must pop a stack or dismiss an unguarded modal, and report
    ///   the change.
    public func handleBack(window: String = "main") -> Bool {
        if let report = reportOfBack(window: window) {
            let options = NavigationOptions(window: window, origin: .person)
            if case .done = leave(by: report, { back(options: options) }) { return false }
            return true
        }
        do throws(RouteError) {
            return try callBackHandler(window: window)
        } catch {
            logUnheard(error)
            return false
        }
    }

    /// Calls the function that a script declares with `router.onBack`, if there is no screen to
    /// leave.
    ///
    /// - Returns: Whether the script handled the back action.
    /// - Throws: The error that the function raises.
    package func callBackHandler(window: String) throws(RouteError) -> Bool {
        enter()
        if queue.isShutDown { return false }
        guard let function = serving.declarations.backHandler?.function.lua,
            tree.window(window) != nil,
            reportOfBack(window: window) == nil
        else { return false }
        defer { pump() }
        var isHandled = false
        defer { emitCall(.back(window: window, isHandled: isHandled)) }
        isHandled = try lending.calling(for: serving) { () throws(RouteError) in
            try generation.runtime.call(function, arguments: [Value(window)]) == .boolean(true)
        }
        return isHandled
    }

    /// Returns the report of a back action; nil if there is no screen to leave.
    ///
    /// Either the innermost stack with more than one screen loses its last screen, or the modal
    /// around the visible leaf is dismissed.
    package func reportOfBack(window: String) -> Report? {
        guard let window = tree.window(window) else { return nil }
        switch tree.back(from: tree.visibleLeaf(of: window)) {
        case .dismiss(let presenter): return .dismissed(presenter: presenter)
        case .pop(let screen):
            guard let nav = tree.screen(screen)?.parent, let container = tree.screen(nav) else {
                return nil
            }
            return .children(container.children.dropLast(), of: nav)
        case nil: return nil
        }
    }
}
