// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The state of the windows while the host is idle.
struct Rest {
    /// The tree that the windows show.
    var tree: ScreenTree
    /// The identities of the visible view controllers; see ``UIKitHost/marks``.
    let marks: [Int]
    /// The screens of the last change, some of which may no longer exist.
    var touched: Set<ScreenID>

    init(_ tree: ScreenTree, _ marks: [Int], touched: Set<ScreenID> = []) {
        (self.tree, self.marks, self.touched) = (tree, marks, touched)
    }
}

extension UIKitHost {
    /// The time after a full check during which the host checks only visible view controllers, in
    /// seconds.
    private static let freshness = 0.25

    /// Whether the host has checked all view controllers recently.
    var isFresh: Bool { CFAbsoluteTimeGetCurrent() - looked < Self.freshness }

    /// Whether the visible part of the windows shows a tree.
    ///
    /// - Complexity: O(*d* + *n* / 1024), where *d* is the depth of the visible part and *n* the
    ///   number of screens.
    func isAtRest(_ tree: ScreenTree) -> Bool {
        guard var rest, isFresh, rest.marks == marks else { return false }
        if !tree.isShared(with: rest.tree) {
            guard tree.windows == rest.tree.windows,
                tree.screens(changedSince: rest.tree)
                    .allSatisfy({ !tree.isAlive($0) && !rest.tree.isAlive($0) })
            else { return false }
            rest.tree = tree
        }
        if !rest.touched.isEmpty {
            registry.removeAll(rest.touched, except: tree)
            rest.touched = []
        }
        self.rest = rest
        return true
    }

    /// The identities of the visible view controllers and of the view controllers that contain
    /// them, each with the number of its children.
    var marks: [Int] {
        var marks: [Int] = []
        for (name, window) in registry.windows where registry.used.contains(name) {
            marks.append(0)
            if let root = window.rootViewController { mark(root, &marks) }
        }
        return marks
    }

    private func mark(_ controller: UIViewController, _ marks: inout [Int]) {
        marks.append(Int(bitPattern: ObjectIdentifier(controller)))
        func mark(_ children: [UIViewController], visible: UIViewController?) {
            marks.append(children.count)
            if let visible { self.mark(visible, &marks) }
        }
        switch controller {
        case let nav as UINavigationController:
            mark(nav.viewControllers, visible: nav.topViewController)
        case let tabs as UITabBarController:
            mark(tabs.contents, visible: tabs.selectedContent)
        case let split as UISplitViewController:
            marks.append(split.isCollapsed ? 1 : 0)
            for child in children(of: split) { self.mark(child, &marks) }
        case let container as any ScreenContainer:
            mark(container.contents, visible: container.selectedContent)
            if container.selectedContent == nil {
                for child in container.contents { self.mark(child, &marks) }
            }
        case let box as BoxController: self.mark(box.content, &marks)
        default: break
        }
        if let modal = controller.ownModal { self.mark(modal, &marks) }
    }
}
