// SPDX-License-Identifier: MIT

public import LuaRouting

#if canImport(UIKit)
public import UIKit
#else
public import UIKitStandin
#endif

/// A view controller that shows the fields of its screen, and shows them again when they change.
///
/// ```swift
/// final class ProductController: UIViewController, ScreenUpdating {
///     func update(to screen: Screen) { title = screen.fields["name"].text }
/// }
/// ```
@MainActor
public protocol ScreenUpdating: UIViewController {
    /// Shows the fields of the screen.
    ///
    /// This function is called before the view controller is first shown, and whenever fields have
    /// changed.
    func update(to screen: Screen)
}

/// A view controller with children, for screens of a class that scripts declare with the kind
/// `container`.
///
/// ```swift
/// final class PagesController: UIViewController, ScreenContainer {
///     private(set) var contents: [UIViewController] = []
///     var selectedContent: UIViewController?
///
///     func setContents(_ contents: [UIViewController], animated: Bool) {
///         for old in self.contents where !contents.contains(old) { old.removeFromParent() }
///         for new in contents { addChild(new) }
///         self.contents = contents
///     }
/// }
/// ```
@MainActor
public protocol ScreenContainer: UIViewController {
    /// The children, in the order set by ``setContents(_:animated:)`` or by the user.
    var contents: [UIViewController] { get }

    /// The selected child, if the container shows only one child.
    ///
    /// The property changes when the user selects another child.
    var selectedContent: UIViewController? { get set }

    /// Replaces the children with the given view controllers.
    ///
    /// - Parameters:
    ///   - contents: The children, in order. Existing children keep their views.
    ///   - animated: Whether to animate the change.
    func setContents(_ contents: [UIViewController], animated: Bool)
}

/// A container for a view controller that a navigation controller refuses to push: another
/// navigation controller, or a split view controller.
@MainActor
final class BoxController: UIViewController {
    let content: UIViewController

    init(_ content: UIViewController) {
        self.content = content
        super.init(nibName: nil, bundle: nil)
        addChild(content)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        content.view.frame = view.bounds
        content.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(content.view)
        content.didMove(toParent: self)
    }
}

/// A reason why the host cannot show a screen.
struct HostError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
