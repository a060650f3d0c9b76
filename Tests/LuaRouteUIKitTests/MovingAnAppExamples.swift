// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import UIKitStandin

/// The code of the article "Move an app, route by route".
final class DrawerController: UIViewController, ScreenContainer {
    private(set) var contents: [UIViewController] = []
    var selectedContent: UIViewController?

    func setContents(_ contents: [UIViewController], animated: Bool) {
        for old in self.contents where !contents.contains(old) { old.removeFromParent() }
        for new in contents where !self.contents.contains(new) { addChild(new) }
        self.contents = contents
    }
}

@MainActor
enum MovingAnApp {
    static func adopt(_ window: UIWindow, _ host: UIKitHost) throws {
        try host.adopt(window) { controller in
            switch controller {
            case is DrawerController: ScreenDescription(class: "Drawer")
            case is ProductController: ScreenDescription(class: "Product")
            default: nil
            }
        }
    }

    static func isRoute(_ link: String, _ router: Router) -> Bool {
        router.answers(link)
    }
}
