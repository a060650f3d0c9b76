// SPDX-License-Identifier: MIT

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The tabs of a tab bar controller: `UITab`s if it has any, otherwise view controllers.
///
/// UIKit calls no delegate function about `viewControllers` once there are `UITab`s.
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

    /// Sets the view controllers of the tabs.
    ///
    /// A view controller that remains keeps its `UITab`.
    ///
    /// - Parameters:
    ///   - contents: The view controllers, in order.
    ///   - usesTabs: Whether to convert tabs that are view controllers to `UITab`s.
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

    /// Sets the title and the image of a view controller's `UITab` from its tab bar item.
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
    /// Creates the tab of a view controller, with the title and the image of its tab bar item.
    fileprivate convenience init(of content: UIViewController) {
        self.init(
            title: content.tabBarItem?.title ?? content.title ?? "",
            image: content.tabBarItem?.image,
            // The identifier only has to be unique in the tab bar controller, in which each view
            // controller occurs once.
            identifier: "\(ObjectIdentifier(content))"
        ) { _ in content }
    }
}
