// SPDX-License-Identifier: MIT

public import LuaRouting

#if canImport(UIKit)
public import UIKit
public import UserNotifications
#else
public import UIKitStandin
#endif

/// The functions for scenes.
///
/// Each of these functions implements one function of a scene delegate.
extension UIKitHost {
    /// The type of the user activities for state restoration.
    ///
    /// List it in `NSUserActivityTypes` of the app.
    public static let restorationType = "luaroute.snapshot"

    /// Shows a window of the tree in a scene.
    ///
    /// The first scene restores the screens of the session, or starts the router. Then the deep
    /// links with which the scene was opened are opened, including the link of a notification or of
    /// a shortcut item.
    ///
    /// Call this function after ``follow(_:movesClock:)``. Otherwise a debug build stops, and in
    /// other builds the window is empty.
    ///
    /// If `router.start` of the scripts fails, the window is empty, and the app may set its own
    /// root view controller in `started`. This view controller stays until a reload or a rollback
    /// activates other scripts. These scripts start again, and their screens replace the view
    /// controller.
    ///
    /// An app with several scenes gives each scene a different name: a second scene with the same
    /// name takes over the window of the first. When a scene is closed permanently, call
    /// ``windowClosed(_:)``.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - session: The session of the scene.
    ///   - options: The options of the connection.
    ///   - name: The name of the window in the tree.
    ///   - notation: The tree of a window that the system has opened without the router; nil if the
    ///     window is the first one or the router opens it.
    ///   - started: Called once if this scene is the first, when the screens were restored or the
    ///     router was started. The closure receives the window, and the error if nothing is on
    ///     screen. By default, the error is logged.
    /// - Returns: The window; nil if the scene has none.
    public func connect(
        _ scene: UIScene,
        to session: UISceneSession,
        options: UIScene.ConnectionOptions,
        as name: String = "main",
        opening notation: TreeNotation? = nil,
        started: ((UIWindow, RouteError?) -> Void)? = nil
    ) -> UIWindow? {
        guard let scene = scene as? UIWindowScene else { return nil }
        let window = UIWindow(windowScene: scene)
        show(name, in: window)
        window.makeKeyAndVisible()
        if let router {
            if router.tree.windows.isEmpty {
                restore(
                    session.stateRestorationActivity,
                    router,
                    completion: started.map { started in { started(window, $0.failure) } }
                )
            } else if router.tree.window(name) == nil {
                if let notation {
                    router.report(.opened(window: name, notation))
                } else {
                    router.log(
                        "warn",
                        "the scene of the window '\(name)' is empty: the tree has no such window (pass 'opening' for a window that the system opens)"
                    )
                }
            }
        } else {
            assertionFailure("call 'follow' with the router before 'connect'")
        }
        open(options, in: name)
        settle()
        return window
    }

    /// Opens the deep links with which a scene was opened: URLs, universal links, and the link of a
    /// notification or of a shortcut item.
    ///
    /// ``connect(_:to:options:as:opening:started:)`` calls this function. An app that adopts its
    /// window instead calls it after adopting.
    ///
    /// - Parameters:
    ///   - options: The options of the connection.
    ///   - window: The name of the window in the tree.
    /// - Returns: Whether the scripts have a route or a routing for one of the links.
    @discardableResult
    public func open(_ options: UIScene.ConnectionOptions, in window: String = "main") -> Bool {
        var answers = [open(options.urlContexts, in: window)]
        answers += options.userActivities.map { self.continue($0, in: window) }
        if let response = options.notificationResponse {
            answers.append(open(response, in: window))
        }
        if let item = options.shortcutItem { answers.append(open(item, in: window)) }
        return answers.contains(true)
    }

    /// Opens the URLs in a window of the tree, with the origin `external`.
    ///
    /// - Returns: Whether the scripts have a route or a routing for one of the URLs.
    @discardableResult
    public func open(_ contexts: Set<UIOpenURLContext>, in window: String = "main") -> Bool {
        contexts.map { open($0.url.absoluteString, in: window) }.contains(true)
    }

    /// Opens the link of a tapped notification in a window of the tree, with the origin `external`.
    ///
    /// If ``notificationLink`` returns nil, the log contains a line of the level `debug`.
    ///
    /// - Returns: Whether ``notificationLink`` returned a link for which the scripts have a route
    ///   or a routing.
    @discardableResult
    public func open(_ response: UNNotificationResponse, in window: String = "main") -> Bool {
        if let link = notificationLink(response) { return open(link, in: window) }
        router?.log(
            "debug",
            "the notification has no link (add 'url' to its 'userInfo', or set 'notificationLink' of the host)"
        )
        return false
    }

    /// Opens the link of a shortcut item of the app's icon in a window of the tree, with the origin
    /// `external`.
    ///
    /// - Returns: Whether ``shortcutLink`` returned a link for which the scripts have a route or a
    ///   routing.
    @discardableResult
    public func open(_ item: UIApplicationShortcutItem, in window: String = "main") -> Bool {
        shortcutLink(item).map { open($0, in: window) } ?? false
    }

    private func open(_ link: String, in window: String) -> Bool {
        guard let router else { return false }
        let isAnswered = router.answers(link)
        // 'main' is the default, which recordings omit.
        let name = window == "main" ? nil : window
        router.open(link, options: NavigationOptions(window: name, origin: .external))
        return isAnswered
    }

    /// Opens the universal link of a user activity in a window of the tree, with the origin
    /// `external`.
    ///
    /// - Returns: Whether the activity has a universal link for which the scripts have a route or a
    ///   routing.
    @discardableResult
    public func `continue`(_ activity: NSUserActivity, in window: String = "main") -> Bool {
        guard activity.activityType == NSUserActivityTypeBrowsingWeb,
            let url = activity.webpageURL
        else { return false }
        return open(url.absoluteString, in: window)
    }

    /// Returns a user activity with a snapshot of the screens of all windows, without the values of
    /// private fields; nil if there is nothing to restore.
    public func restorationActivity() -> NSUserActivity? {
        guard let router, !router.tree.windows.isEmpty else { return nil }
        let activity = NSUserActivity(activityType: Self.restorationType)
        activity.userInfo = ["snapshot": router.snapshot().json]
        return activity
    }

    /// Restores a snapshot, or starts the router if there is no snapshot that can be restored.
    private func restore(
        _ activity: NSUserActivity?,
        _ router: Router,
        completion: ((Navigation) -> Void)?
    ) {
        guard let activity, activity.activityType == Self.restorationType else {
            router.start(completion: completion)
            return
        }
        do throws(RouteError) {
            let snapshot = try Snapshot(json: activity.userInfo?["snapshot"] as? String ?? "")
            restore(snapshot, router, completion: completion)
        } catch {
            start(router, insteadOfRestoring: error, completion: completion)
        }
    }

    /// Restores a snapshot.
    ///
    /// If this fails because the app does not show all of its windows, the windows that it shows
    /// are restored.
    private func restore(
        _ snapshot: Snapshot,
        _ router: Router,
        completion: ((Navigation) -> Void)?
    ) {
        router.restore(snapshot) { [weak self, weak router] restoration in
            guard let self, let router,
                case .failed(let error) = restoration.navigation.status
            else {
                completion?(restoration.navigation)
                return
            }
            let shown = Set(snapshot.windows).intersection(registry.windows.keys)
            guard error.code == .host, !shown.isEmpty, shown.count < snapshot.windows.count else {
                start(router, insteadOfRestoring: error, completion: completion)
                return
            }
            for name in snapshot.windows where !shown.contains(name) {
                router.log(
                    "warn",
                    "the window '\(name)' of the session is not restored, because no scene shows it"
                )
            }
            restore(snapshot.keeping(windows: shown), router, completion: completion)
        }
    }

    private func start(
        _ router: Router,
        insteadOfRestoring error: RouteError,
        completion: ((Navigation) -> Void)?
    ) {
        router.log(
            "warn",
            "the screens of the session cannot be restored, so the router starts without them: \(error.message)"
        )
        router.start(completion: completion)
    }
}

extension Navigation {
    /// The error with which the navigation ended.
    fileprivate var failure: RouteError? {
        switch status {
        case .failed(let error), .cancelled(let error): error
        case .pending, .done, .stayed: nil
        }
    }
}
