// SPDX-License-Identifier: MIT

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The tabs of a tab bar controller: `UITab`s, or else view controllers.
///
/// UIKit calls nothing that concerns `viewControllers` once there are `UITab`s.
extension UITabBarController {
    /// The view controllers of the tabs, in order.
    var contents: [UIViewController] {
        if #available(iOS 18, tvOS 18, visionOS 2, *), !tabs.isEmpty {
            return tabs.compactMap(\.viewController)
        }
        return viewControllers ?? []
    }

    /// The view controller of the selected tab.
    var selectedContent: UIViewController? {
        get {
            if #available(iOS 18, tvOS 18, visionOS 2, *), !tabs.isEmpty {
                return selectedTab?.viewController
            }
            return selectedViewController
        }
        set {
            if #available(iOS 18, tvOS 18, visionOS 2, *), !tabs.isEmpty {
                selectedTab = tabs.first { $0.viewController === newValue }
            } else {
                selectedViewController = newValue
            }
        }
    }

    /// Sets the view controllers of the tabs; the `UITab` of a remaining view controller does not
    /// change.
    ///
    /// - Parameters:
    ///   - contents: The view controllers, in order.
    ///   - usesTabs: Whether to make `UITab`s of tabs that are view controllers.
    ///   - animated: Whether to animate the change.
    func setContents(_ contents: [UIViewController], usesTabs: Bool, animated: Bool) {
        if #available(iOS 18, tvOS 18, visionOS 2, *), usesTabs || !tabs.isEmpty {
            let old = tabs
            let new = contents.map { content in
                old.first { $0.viewController === content } ?? UITab(of: content)
            }
            setTabs(new, animated: animated)
        } else {
            setViewControllers(contents, animated: animated)
        }
    }

    /// Gives the `UITab` of a view controller the title and the image of its item.
    func updateTab(of content: UIViewController) {
        guard #available(iOS 18, tvOS 18, visionOS 2, *),
            let tab = tabs.first(where: { $0.viewController === content })
        else { return }
        tab.title = content.tabBarItem?.title ?? ""
        tab.image = content.tabBarItem?.image
    }
}

@available(iOS 18, tvOS 18, visionOS 2, *)
extension UITab {
    /// Makes the tab of a view controller, with the title and the image of its item.
    fileprivate convenience init(of content: UIViewController) {
        self.init(
            title: content.tabBarItem?.title ?? content.title ?? "",
            image: content.tabBarItem?.image,
            // It is unique in the tab bar controller, which no two view controllers share.
            identifier: "\(ObjectIdentifier(content))"
        ) { _ in content }
    }
}
