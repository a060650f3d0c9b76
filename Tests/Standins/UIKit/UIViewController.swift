// SPDX-License-Identifier: MIT

// UIKit's documentation is that of these declarations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
open class UIResponder: NSObject {}

@MainActor
open class UIView: UIResponder {
    weak var controller: UIViewController?
    public private(set) var subviews: [UIView] = []
    public private(set) weak var superview: UIView?
    open var bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    open var frame = CGRect(x: 0, y: 0, width: 390, height: 844)
    open var autoresizingMask: AutoresizingMask = []

    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    }

    /// The window that contains the view; nil if the view is not shown.
    open var window: UIWindow? { controller?.windowOnScreen }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        view.superview = self
        subviews.append(view)
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
    public private(set) var gestureRecognizers: [UIGestureRecognizer]?

    open func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
        recognizer.view = self
    }
}

@MainActor
open class UIWindow: UIView {
    public weak var windowScene: UIWindowScene?
    public var isHidden = true

    public override init() { super.init() }

    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init()
    }

    open override var window: UIWindow? { self }

    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            if let presented = oldValue?.ownPresented {
                Device.current.raise("the root is replaced, and \(presented) over it stays")
            }
            if let parent = rootViewController?.parent {
                Device.current.raise("the root of a window is in \(parent)")
            }
            oldValue?.ownWindow = nil
            rootViewController?.ownWindow = self
        }
    }

    open func makeKeyAndVisible() { isHidden = false }
}

@MainActor
open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }

    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    public required init?(coder: NSCoder) { super.init() }

    open var title: String?
    public let navigationItem = UINavigationItem()
    open var tabBarItem: UITabBarItem!

    // MARK: The view

    private var loadedView: UIView?

    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView = newValue
            newValue?.controller = self
        }
    }

    open var viewIfLoaded: UIView? {
        // A view is loaded before it is shown.
        if loadedView == nil, windowOnScreen != nil { loadViewIfNeeded() }
        return loadedView
    }

    open func loadView() { view = UIView() }

    open func viewDidLoad() {}

    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        viewDidLoad()
    }

    weak var ownWindow: UIWindow?

    /// The window that contains the view.
    ///
    /// This is the window of the view controller, unless an opaque view controller covers it or its
    /// container shows another child.
    var windowOnScreen: UIWindow? {
        if let cover = ownPresented, cover.transition == nil {
            switch cover.modalPresentationStyle {
            case .fullScreen, .currentContext: return nil
            default: break
            }
        }
        if let parent { return parent.shows(self) ? parent.windowOnScreen : nil }
        if let ownPresenting { return ownPresenting.windowOfLevels }
        return ownWindow
    }

    /// The window of the view controller, even if the view controller is covered.
    var windowOfLevels: UIWindow? {
        if let parent { return parent.shows(self) ? parent.windowOfLevels : nil }
        if let ownPresenting { return ownPresenting.windowOfLevels }
        return ownWindow
    }

    func shows(_ child: UIViewController) -> Bool { true }

    // MARK: Containment

    public internal(set) weak var parent: UIViewController?
    public internal(set) var children: [UIViewController] = []

    open func addChild(_ child: UIViewController) {
        guard child.parent !== self else { return }
        if let parent = child.parent {
            Device.current.raise("\(child) is added to \(self), and is in \(parent)")
        }
        if child.ownPresenting != nil {
            Device.current.raise("\(child) is added to \(self), and is presented")
        }
        if child.ownWindow != nil {
            Device.current.raise("\(child) is added to \(self), and is the root of a window")
        }
        child.willMove(toParent: self)
        child.parent = self
        children.append(child)
    }

    open func removeFromParent() {
        willMove(toParent: nil)
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}

    func ancestor<Ancestor: UIViewController>(_: Ancestor.Type) -> Ancestor? {
        var current = parent
        while let controller = current {
            if let found = controller as? Ancestor { return found }
            current = controller.parent
        }
        return nil
    }

    open var navigationController: UINavigationController? {
        ancestor(UINavigationController.self)
    }
    open var tabBarController: UITabBarController? { ancestor(UITabBarController.self) }
    open var splitViewController: UISplitViewController? { ancestor(UISplitViewController.self) }

    // MARK: Transitions

    var transition: Transition?

    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        transition ?? parent?.transitionCoordinator
    }

    // MARK: Presentations

    var ownPresented: UIViewController?
    weak var ownPresenting: UIViewController?

    open var presentedViewController: UIViewController? {
        ownPresented ?? parent?.presentedViewController
    }
    open var presentingViewController: UIViewController? {
        ownPresenting ?? parent?.presentingViewController
    }

    public internal(set) var isBeingPresented = false
    public internal(set) var isBeingDismissed = false
    open var isModalInPresentation = false
    open var definesPresentationContext = false
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    open var preferredContentSize = CGSize.zero

    open var modalPresentationStyle = UIModalPresentationStyle.pageSheet {
        didSet { if oldValue != modalPresentationStyle { controllerOfPresentation = nil } }
    }

    private var controllerOfPresentation: UIPresentationController?

    open var presentationController: UIPresentationController? {
        if let controllerOfPresentation { return controllerOfPresentation }
        switch modalPresentationStyle {
        case .pageSheet, .formSheet: controllerOfPresentation = UISheetPresentationController(self)
        case .popover: controllerOfPresentation = UIPopoverPresentationController(self)
        default: controllerOfPresentation = UIPresentationController(self)
        }
        return controllerOfPresentation
    }

    open var sheetPresentationController: UISheetPresentationController? {
        presentationController as? UISheetPresentationController
    }
    open var popoverPresentationController: UIPopoverPresentationController? {
        presentationController as? UIPopoverPresentationController
    }

    open func present(
        _ controller: UIViewController,
        animated: Bool,
        completion: (() -> Void)? = nil
    ) {
        let device = Device.current
        if controller === self { device.raise("\(self) presents itself") }
        if let parent = controller.parent {
            return device.raise("\(controller) is presented, and is in \(parent)")
        }
        if controller.ownPresenting != nil {
            return device.raise("\(controller) is presented, and is presented already")
        }
        let presenter = presenter(for: controller.modalPresentationStyle)
        guard presenter.windowOnScreen != nil else {
            return device.warn("attempt to present \(controller) on \(presenter), not in a window")
        }
        if let other = presenter.ownPresented {
            return device.warn(
                "attempt to present \(controller) on \(presenter), which presents \(other)"
            )
        }
        if device.happens(.presentRefused) {
            return device.warn("attempt to present \(controller) on \(presenter)")
        }
        if let popover = controller.popoverPresentationController, popover.sourceView == nil,
            popover.barButtonItem == nil
        {
            return device.raise("the popover \(controller) has no source")
        }
        presenter.ownPresented = controller
        controller.ownPresenting = presenter
        controller.loadViewIfNeeded()
        let isCompleted = !device.happens(.completionDropped)
        guard animated else {
            if isCompleted, let completion { device.after(0, completion) }
            return
        }
        controller.isBeingPresented = true
        Transition(of: [presenter, controller], lasting: 0.4) { _ in
            controller.isBeingPresented = false
            if isCompleted { completion?() }
        }
    }

    private func presenter(for style: UIModalPresentationStyle) -> UIViewController {
        var presenter = self
        while let parent = presenter.parent {
            let isContextual = style == .currentContext || style == .overCurrentContext
            if isContextual, presenter.definesPresentationContext { break }
            presenter = parent
        }
        return presenter
    }

    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        var holder: UIViewController? = self
        while let current = holder, current.ownPresented == nil { holder = current.parent }
        guard let presenter = holder ?? presentingViewController else { return }
        let device = Device.current
        guard let modal = presenter.ownPresented else { return }
        var above: UIViewController? = modal
        while let current = above {
            if current.isBeingPresented || current.isBeingDismissed {
                return device.warn(
                    "attempt to dismiss from \(presenter) while a transition is active"
                )
            }
            above = current.ownPresented
        }
        if device.happens(.dismissRefused) {
            return device.warn("attempt to dismiss from \(presenter)")
        }
        let isCompleted = !device.happens(.completionDropped)
        guard animated else {
            presenter.removeModal()
            if isCompleted, let completion { device.after(0, completion) }
            return
        }
        modal.isBeingDismissed = true
        Transition(of: [presenter, modal], lasting: 0.4) { _ in
            modal.isBeingDismissed = false
            presenter.removeModal()
            if isCompleted { completion?() }
        }
    }

    func removeModal() {
        guard let modal = ownPresented else { return }
        modal.removeModal()
        ownPresented = nil
        modal.ownPresenting = nil
    }

    // MARK: A person

    /// Touches and holds a view, so that a context menu opens.
    ///
    /// - Returns: The view controller of the menu, whose button closes the menu; nil if no menu
    ///   opens.
    @discardableResult
    @_spi(Person) public func openContextMenu() -> UIViewController? {
        guard windowOnScreen != nil, presentedViewController == nil else { return nil }
        let menu = _UIContextMenuActionsOnlyViewController()
        menu.modalPresentationStyle = .custom
        present(menu, animated: true)
        return menu.ownPresenting == nil ? nil : menu
    }

    /// Pulls down this view controller, which is a sheet, and releases it.
    ///
    /// - Parameter isCancelled: Whether the sheet goes back up.
    /// - Returns: Whether the sheet can be pulled.
    @discardableResult
    @_spi(Person) public func pullDown(isCancelled: Bool = false) -> Bool {
        guard let presenter = ownPresenting, ownPresented == nil, transition == nil,
            let presentation = presentationController,
            presentation is UISheetPresentationController
                || presentation is UIPopoverPresentationController
        else { return false }
        guard !isModalInPresentation else {
            presentation.delegate?.presentationControllerDidAttemptToDismiss(presentation)
            return false
        }
        isBeingDismissed = true
        let pull = Transition(of: [presenter, self], lasting: 0, isInteractive: true) {
            isCancelled in
            self.isBeingDismissed = false
            if !isCancelled { presenter.removeModal() }
        }
        Device.current.after(0.3) { pull.end(isCancelled: isCancelled) }
        return true
    }

    /// Taps the button of this view controller, which is an alert.
    @_spi(Person) public func tapButton() {
        guard let presenter = ownPresenting, transition == nil else { return }
        isBeingDismissed = true
        Transition(of: [presenter, self], lasting: 0.2) { _ in
            self.isBeingDismissed = false
            presenter.removeModal()
        }
    }
}

public struct CGSize: Equatable, Sendable {
    public var width: Double
    public var height: Double
    public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
    public static let zero = CGSize(width: 0, height: 0)
}

public struct CGRect: Equatable, Sendable {
    public var x, y, width, height: Double
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
    public var midX: Double { x + width / 2 }
    public var midY: Double { y + height / 2 }
}

public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen, pageSheet, formSheet, currentContext, custom, overFullScreen
    case overCurrentContext, popover
    case none = -1
    case automatic = -2
}

public enum UIModalTransitionStyle: Int, Sendable {
    case coverVertical, flipHorizontal, crossDissolve, partialCurl
}

@MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObject {
    func presentationControllerDidAttemptToDismiss(_ presentation: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerDidAttemptToDismiss(
        _ presentation: UIPresentationController
    ) {}
}

@MainActor
public protocol UIPopoverPresentationControllerDelegate: UIAdaptivePresentationControllerDelegate {}

@MainActor
open class UIPresentationController: NSObject {
    public unowned let presentedViewController: UIViewController
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

    init(_ presented: UIViewController) { presentedViewController = presented }
}

@MainActor
open class UISheetPresentationController: UIPresentationController {
    @MainActor
    public final class Detent: NSObject {
        public struct Identifier: RawRepresentable, Hashable, Sendable {
            public var rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public init(_ rawValue: String) { self.rawValue = rawValue }
            public static let medium = Identifier("medium")
            public static let large = Identifier("large")
        }
        public let identifier: Identifier
        private init(_ identifier: Identifier) { self.identifier = identifier }
        public static func medium() -> Detent { Detent(.medium) }
        public static func large() -> Detent { Detent(.large) }
    }
    open var detents: [Detent] = []
    open var prefersGrabberVisible = false
}

public struct UIPopoverArrowDirection: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let any = UIPopoverArrowDirection(rawValue: 15)
}

@MainActor
public final class UIBarButtonItem: NSObject {}

@MainActor
open class UIPopoverPresentationController: UIPresentationController {
    open var barButtonItem: UIBarButtonItem?
    open var sourceView: UIView?
    open var sourceRect = CGRect(x: 0, y: 0, width: 0, height: 0)
    open var permittedArrowDirections = UIPopoverArrowDirection.any
}

@MainActor
public final class UIImage: NSObject {
    public let name: String
    public init?(systemName: String) {
        guard systemName != "basket" else { return nil }
        name = "symbol " + systemName
    }
    public init?(named: String) { name = "image " + named }
}

@MainActor
public final class UITabBarItem: NSObject {
    public var title: String?
    public var image: UIImage?
    public init(title: String?, image: UIImage?, tag: Int) {
        (self.title, self.image) = (title, image)
    }
}

/// A view controller of the system.
final class _UIContextMenuActionsOnlyViewController: UIViewController {}

@MainActor
open class UISearchController: UIViewController {}

@MainActor
public final class UIAlertAction: NSObject {
    public enum Style: Int, Sendable { case `default`, cancel, destructive }
    public let title: String?
    public let style: Style
    private let handler: ((UIAlertAction) -> Void)?

    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        (self.title, self.style, self.handler) = (title, style, handler)
    }

    func perform() { handler?(self) }
}

@MainActor
open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable { case actionSheet, alert }
    open var message: String?
    public private(set) var actions: [UIAlertAction] = []

    open func addAction(_ action: UIAlertAction) { actions.append(action) }

    /// Taps the button of an action.
    ///
    /// UIKit dismisses the alert, and then performs the action.
    @_spi(Person) public func tap(_ title: String) {
        guard let action = actions.first(where: { $0.title == title }) else { return }
        dismiss(animated: true) { action.perform() }
    }

    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        modalPresentationStyle = .overFullScreen
    }
}
