// SPDX-License-Identifier: MIT

// UIKit's documentation is that of these declarations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
open class UIScene: UIResponder {
    @MainActor
    public final class ConnectionOptions: NSObject {
        public let urlContexts: Set<UIOpenURLContext>
        public let userActivities: Set<NSUserActivity>
        public let notificationResponse: UNNotificationResponse?
        public let shortcutItem: UIApplicationShortcutItem?

        public init(
            urlContexts: Set<UIOpenURLContext> = [],
            userActivities: Set<NSUserActivity> = [],
            notificationResponse: UNNotificationResponse? = nil,
            shortcutItem: UIApplicationShortcutItem? = nil
        ) {
            self.urlContexts = urlContexts
            self.userActivities = userActivities
            self.notificationResponse = notificationResponse
            self.shortcutItem = shortcutItem
        }
    }
}

@MainActor
open class UIWindowScene: UIScene {}

@MainActor
public protocol UISceneDelegate: NSObject {
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    func sceneDidDisconnect(_ scene: UIScene)
}

@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

@MainActor
public final class UISceneSession: NSObject {
    public var stateRestorationActivity: NSUserActivity?
    public override init() {}
}

@MainActor
public final class UIOpenURLContext: NSObject {
    public let url: URL
    public init(url: URL) { self.url = url }
}

public final class NSUserActivity: NSObject {
    public let activityType: String
    public var webpageURL: URL?
    public var userInfo: [AnyHashable: Any]?
    public init(activityType: String) { self.activityType = activityType }
}

public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

@MainActor
public final class UIApplicationShortcutItem: NSObject {
    public let type: String
    public let userInfo: [String: Any]?
    public init(type: String, userInfo: [String: Any]? = nil) {
        (self.type, self.userInfo) = (type, userInfo)
    }
}

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

@MainActor
public final class UNNotificationResponse: NSObject {
    public struct Content { public let userInfo: [AnyHashable: Any] }
    public struct Request { public let content: Content }
    public struct Notification { public let request: Request }

    public let actionIdentifier: String
    public let notification: Notification

    public init(
        userInfo: [AnyHashable: Any],
        actionIdentifier: String = UNNotificationDefaultActionIdentifier
    ) {
        self.actionIdentifier = actionIdentifier
        notification = Notification(request: Request(content: Content(userInfo: userInfo)))
    }
}
