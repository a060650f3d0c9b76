// SPDX-License-Identifier: MIT

public import LuaRouting

#if canImport(UIKit)
public import UIKit
public import UserNotifications
#else
public import UIKitStandin
#endif

/// A host that shows the screens of a router with view controllers.
///
/// The app provides a closure for each class of screens, which makes the view controller of a screen.
/// The host makes the view hierarchy of each window equal to the router's tree. It also reports
/// changes by the user or the app's own code, such as a swipe back, a sheet that is pulled down, a
/// selected tab, or an alert.
///
/// ```swift
/// let host = UIKitHost()
/// host.screens["Home"] = { _ in HomeController() }
/// host.screens["Product"] = { screen in ProductController(id: screen.fields["id"].int ?? 0) }
/// let router = try Router(scripts: scripts, host: host)
/// host.follow(router)
/// host.show("main", in: window)
/// router.start()
/// ```
///
/// Screens of the kinds `nav`, `tabs` and `split` get a `UINavigationController`, `UITabBarController`
/// or `UISplitViewController`, unless a closure in ``screens`` makes a subclass for their class. The
/// host checks the visible view controllers at the end of each turn of the main run loop, and the rest
/// of the hierarchy at most every 0.25 seconds. If the app has set the delegate of a view controller,
/// the host does not replace it.
///
/// UIKit sometimes refuses a presentation, or never ends a transition. The host retries a refused
/// presentation, and waits for a transition no longer than ``transitionTimeout``. If it cannot show
/// a tree, the navigation fails with the code `host`, and the host shows the previous tree again.
@MainActor
public final class UIKitHost {
    /// Makes the view controller of a screen.
    public typealias MakeController = @MainActor (Screen) throws -> UIViewController

    /// The functions that make view controllers, by the class of the screen.
    ///
    /// For a screen of the kind `nav`, `tabs` or `split`, the result must be a subclass of UIKit's
    /// container; for a container class that scripts declare, a ``ScreenContainer``. A ``ScreenUpdating``
    /// view controller is notified when fields change. If the closure throws an error, the navigation
    /// fails.
    public var screens: [String: MakeController] = [:]

    /// Called when the router opens a window that is not shown yet.
    ///
    /// The app must then call ``show(_:in:)``, immediately or later.
    ///
    /// By default, a navigation that opens a window fails.
    public var openWindow: ((_ name: String) -> Void)?

    /// Called when the router has closed a window.
    ///
    /// By default, the window stays on screen without contents.
    public var closeWindow: ((_ name: String, UIWindow) -> Void)?

    /// Returns the view that a popover points to; nil if the view controller of the popover has set
    /// one.
    ///
    /// A navigation fails if it presents a popover that has no view or item to point to.
    public var popoverSource: ((Screen, _ presenter: UIViewController) -> UIView?)?

    /// Describes a view controller that the app has presented, or pushed on a stack, without the
    /// router; nil to ignore it.
    ///
    /// By default, the class is the name of the view controller's type, such as
    /// `UIAlertController`, and there are no fields. In an adopted window, the closure of
    /// ``adopt(_:as:_:)`` is called if the result is nil or this default. A `UISearchController` is
    /// ignored, and so are view controllers of the system, such as context menus, whose type names
    /// begin with `_`. Navigations continue below ignored view controllers. A view controller that
    /// an ignored one presents counts as presented by the presenter of the ignored one.
    public var describeForeign: (UIViewController) -> ScreenDescription? = { controller in
        controller.isAuxiliary ? nil : ScreenDescription(controller)
    }

    /// Returns the tab bar item of a tab; nil to keep the item of its view controller.
    ///
    /// By default, the item is made from the fields `title`, a text, and `icon`, the name of a
    /// symbol or an image. If the tab is a stack without fields, the fields of the stack's first
    /// screen are used. The closure is called again when these fields change.
    public var tabItem: (Fields) -> UITabBarItem? = { fields in
        let (title, icon) = (fields["title"].text, fields["icon"].text)
        guard title != nil || icon != nil else { return nil }
        let image = icon.flatMap { UIImage(systemName: $0) ?? UIImage(named: $0) }
        return UITabBarItem(title: title, image: image, tag: 0)
    }

    /// Whether tab bar controllers get `UITab`s, which sidebars need, with the titles and the
    /// images of ``tabItem``; false by default.
    ///
    /// Set this property before the first tabs are shown. It has no effect before iOS 18, tvOS 18
    /// and visionOS 2. A tab bar controller to which the app has given `UITab`s always keeps them.
    /// Groups of tabs are not read.
    public var usesTabs = false

    /// Returns the link of a notification; nil if the notification has none.
    ///
    /// By default, the link is the text `url` in the `userInfo` of the notification, if the user
    /// tapped the notification itself and not one of its actions.
    public var notificationLink: (UNNotificationResponse) -> String? = { response in
        guard response.actionIdentifier == UNNotificationDefaultActionIdentifier else { return nil }
        return response.notification.request.content.userInfo["url"] as? String
    }

    /// Returns the link of a shortcut item; nil if it has none.
    ///
    /// By default, the link is the text `url` in the `userInfo` of the item.
    public var shortcutLink: (UIApplicationShortcutItem) -> String? = {
        $0.userInfo?["url"] as? String
    }

    /// Performs a task that the scripts expect of the host.
    ///
    /// If nil, each task ends unfinished, and an error is logged.
    public var onTask: ((HostTask) -> Void)?
    /// Called when the result of a task is no longer needed.
    public var onCancelTask: ((HostTask) -> Void)?
    /// The dependencies that the scripts expect of the host, by name.
    public var dependencies: [String: Value] = [:]

    /// The maximum time that the host waits for a transition, or for a view controller that is in
    /// the way of a screen, in seconds.
    ///
    /// It must be less than ``Router/Configuration/applyTimeout``.
    public var transitionTimeout = 3.0

    /// The router, which retains this host.
    public internal(set) weak var router: Router?

    /// The view controllers and the windows.
    let registry = Registry()
    /// The change that is being applied.
    var change: ChangeInProgress?
    /// The hierarchy after the last step.
    var last = Hierarchy()
    /// The progress of the work on the hierarchy.
    var progress = Progress()
    /// The state of the windows at rest; nil if all view controllers must be checked.
    var rest: Rest?
    /// The time of the last check of all view controllers.
    var looked = -CFAbsoluteTime.infinity
    var turns: RunLoopTurns?
    /// The driver of the router's clock; nil if the host does not move the clock.
    var driver: RouterDriver?
    /// The guards of the visible screens that are guarded.
    var guards: [ScreenID: Guard] = [:]
    /// Closures that undo what the host changed to keep the guarded screens on screen.
    var restorations: [() -> Void] = []
    /// The hierarchy in which gestures on the guarded screens were blocked.
    var kept = Hierarchy()
    /// Called while the router sets the tree of an adopted window.
    var adoption: (() -> Void)?

    /// Creates a host that shows nothing yet.
    public init() { registry.delegate.host = self }

    /// Makes the host report to the given router, which must have been created with this host, and
    /// move the router's clock.
    ///
    /// Set ``screens`` and ``onTask`` before the call: an error in the log names each screen in
    /// `router.expects` of the scripts that is missing in ``screens``, and each task if ``onTask``
    /// is nil. A warning is logged if the router is not started within 3 seconds.
    ///
    /// The router and the host retain each other until ``Router/shutDown()``, which also releases
    /// the windows, the view controllers and the closures of the host at the end of the turn.
    ///
    /// - Parameters:
    ///   - router: The router.
    ///   - movesClock: Whether to move the clock by a ``RouterDriver``; false if the app has its
    ///     own driver, or a test calls ``Router/advance(to:)``.
    public func follow(_ router: Router, movesClock: Bool = true) {
        self.router = router
        router.checkScreens(screens.keys, fix: "set 'screens' of the host before 'follow'")
        if onTask == nil { router.checkTasks(fix: Self.taskFix) }
        // A router has one driver at a time.
        driver = nil
        driver = movesClock ? RouterDriver(router) : nil
        router.checkStart(fix: "call 'connect' or 'adopt' of the host, or 'start' of the router")
        turns = RunLoopTurns { [weak self] in self?.settle() }
    }

    /// Shows a window of the router's tree in a window of the app.
    ///
    /// If another window of the app has shown this window of the tree until now, the other window
    /// no longer does.
    ///
    /// - Parameters:
    ///   - name: The name of the window in the tree, such as `main`.
    ///   - window: The window, whose root view controller the host sets.
    public func show(_ name: String, in window: UIWindow) {
        for (other, shown) in registry.windows where other != name && shown === window {
            registry.windows.removeValue(forKey: other)
            registry.descriptions[other] = nil
        }
        let old = registry.windows.updateValue(window, forKey: name)
        registry.lost.remove(name)
        // If a change has failed because the app had no window, the new window must not be closed
        // now.
        if router?.tree.window(name) == nil { registry.used.remove(name) }
        rest = nil
        if let old, old !== window {
            registry.descriptions[name] = nil
            // The new window shows the view controllers of the old one.
            old.rootViewController?.dismiss(animated: false)
            old.rootViewController = nil
        }
        settle()
    }

    /// Reports that a window of the app was closed, for example by the user.
    public func windowClosed(_ name: String) {
        guard registry.windows.removeValue(forKey: name) != nil else { return }
        registry.used.remove(name)
        registry.descriptions[name] = nil
        rest = nil
        change?.target.roots.removeValue(forKey: name)
        router?.report(.closed(window: name))
    }

    /// Returns the view controller of a screen; nil if none was made.
    public func controller(of screen: ScreenID) -> UIViewController? {
        registry.controllers[screen]
    }

    /// Returns the screen of a view controller, or of the nearest ancestor that has one; nil if
    /// there is none.
    ///
    /// ```swift
    /// if let screen = host.screen(of: self) { router.close(screen, value: "M") }
    /// ```
    public func screen(of controller: UIViewController) -> ScreenID? {
        var controller: UIViewController? = controller
        while let current = controller {
            if let id = registry.identities[ObjectIdentifier(current)] { return id }
            controller = current.parent
        }
        return nil
    }
}

/// A screen that the app shows without the router, such as an alert.
public struct ScreenDescription {
    /// The class of the screen.
    ///
    /// Its kind is `foreign`.
    public var `class`: String
    /// The fields, which contain only plain data.
    public var fields: Fields

    /// Creates a description.
    public init(class name: String, fields: Fields = Fields()) {
        self.class = name
        self.fields = fields
    }

    /// Creates a description whose class is the name of the view controller's type.
    @MainActor
    public init(_ controller: UIViewController) {
        // The name of a generic type ends with arguments, and types of the system begin with
        // underscores.
        let name = String(describing: type(of: controller)).prefix { $0 != "<" }.drop { $0 == "_" }
        self.init(class: Name.isValid(String(name)) ? String(name) : "foreign")
    }
}

extension UIKitHost: @MainActor RouterHost {
    /// Makes the view hierarchies equal to the tree, and calls the completion handler when the last
    /// transition has ended.
    public func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        guard router != nil else {
            return done(.failure(HostError("call 'follow' with the router before it starts")))
        }
        let scope = isFresh ? rest.map { Scope(from: $0.tree, to: tree) } : nil
        rest = nil
        // The router ignores the result of a change for which it no longer waits.
        self.change = ChangeInProgress(
            tree,
            target(of: tree, in: scope),
            scope: scope,
            isAnimated: change.isAnimated,
            guards: change.guards,
            done: done
        )
        progress.change += 1
        progress.forget()
        settle()
    }

    /// Makes the view controllers of new screens.
    public func prepare(_ screens: [ScreenID], in tree: ScreenTree) throws {
        adoption?()
        for id in screens where registry.controllers[id] == nil {
            guard let screen = tree.screen(id), screen.kind != .foreign else { continue }
            if screen.presenter != nil { try screen.presentation.check() }
            registry.add(try makeController(of: screen), as: id)
        }
    }

    /// Releases the view controllers of screens that will not be shown, at the end of the turn.
    ///
    /// If the router has abandoned a change, such a view controller may already be on screen. It is
    /// then removed first.
    public func discard(_ screens: [ScreenID]) {}

    private static let taskFix = "set 'onTask' of the host before 'follow'"

    /// Passes the task to ``onTask``.
    ///
    /// Before the task ends, the router is notified of everything that was dismissed with it, such
    /// as an alert.
    public func doTask(_ task: HostTask) {
        guard let onTask else {
            guard let router else { return task.end(false, "call 'follow' with the router") }
            return router.refuse(task, fix: Self.taskFix)
        }
        onTask(
            HostTask(id: task.id, service: task.service, task: task.task, info: task.info) {
                [weak self] isFinished, info in
                self?.settle()
                task.end(isFinished, info)
            }
        )
    }

    /// Passes the task to ``onCancelTask``.
    public func cancelTask(_ task: HostTask) { onCancelTask?(task) }

    /// Returns the value in ``dependencies``.
    public func dependency(_ name: String) -> Value? { dependencies[name] }
}
