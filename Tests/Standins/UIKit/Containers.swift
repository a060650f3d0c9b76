// SPDX-License-Identifier: MIT

// UIKit's documentation is that of these declarations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
open class UINavigationController: UIViewController {
    public convenience init(rootViewController: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        viewControllers = [rootViewController]
    }

    private var stack: [UIViewController] = []

    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }

    open var topViewController: UIViewController? { stack.last }

    open private(set) var isNavigationBarHidden = false

    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        isNavigationBarHidden = hidden
    }

    override func shows(_ child: UIViewController) -> Bool { child === stack.last }

    open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
        let device = Device.current
        if Set(controllers.map(ObjectIdentifier.init)).count < controllers.count {
            return device.raise("\(self) gets the same view controller twice")
        }
        for controller in controllers where !stack.contains(controller) {
            if controller is UINavigationController || controller is UISplitViewController {
                return device.raise("\(controller) is pushed onto a navigation controller")
            }
        }
        guard transition == nil, !device.happens(.navigationDropped) else {
            return device.warn("\(self) is in a transition: its view controllers stay")
        }
        let old = stack.last
        replace(controllers)
        guard animated, let new = stack.last, let old, new !== old, windowOnScreen != nil else {
            return
        }
        Transition(of: [self], lasting: 0.35) { _ in }
    }

    func replace(_ controllers: [UIViewController]) {
        for controller in stack where !controllers.contains(controller) {
            controller.removeFromParent()
        }
        for controller in controllers { addChild(controller) }
        stack = controllers
    }

    open func pushViewController(_ controller: UIViewController, animated: Bool) {
        setViewControllers(stack + [controller], animated: animated)
    }

    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1, let top = stack.last else { return nil }
        setViewControllers(stack.dropLast(), animated: animated)
        return top
    }

    open private(set) lazy var interactivePopGestureRecognizer: UIGestureRecognizer? = {
        let recognizer = UIGestureRecognizer(target: nil, action: nil)
        view.addGestureRecognizer(recognizer)
        return recognizer
    }()
    open private(set) lazy var interactiveContentPopGestureRecognizer: UIGestureRecognizer? = {
        let recognizer = UIGestureRecognizer(target: nil, action: nil)
        view.addGestureRecognizer(recognizer)
        return recognizer
    }()

    // MARK: A person

    /// Swipes to go back, and lifts the finger.
    ///
    /// - Parameters:
    ///   - isCancelled: Whether the user cancels the gesture, so that the view controller on top
    ///     stays.
    ///   - isInContent: Whether the finger is far from the edge.
    /// - Returns: Whether there is a view controller to go back to, and no gesture recognizer
    ///   prevents the swipe.
    @discardableResult
    @_spi(Person) public func swipeBack(
        isCancelled: Bool = false,
        inContent isInContent: Bool = false
    ) -> Bool {
        guard stack.count > 1, transition == nil, !isNavigationBarHidden, windowOnScreen != nil
        else { return false }
        let recognizer =
            isInContent ? interactiveContentPopGestureRecognizer : interactivePopGestureRecognizer
        guard recognizer?.begins == true else { return false }
        if let split = splitViewController, split.isSecondary(stack.last) {
            return isCancelled || split.goBackToPrimary()
        }
        let before = stack
        replace(stack.dropLast())
        let swipe = Transition(of: [self], lasting: 0, isInteractive: true) { isCancelled in
            if isCancelled { self.replace(before) }
        }
        Device.current.after(0.3) { swipe.end(isCancelled: isCancelled) }
        return true
    }

    /// Taps the back button.
    @discardableResult
    @_spi(Person) public func tapBack() -> Bool {
        guard stack.count > 1, let top = stack.last, transition == nil, !isNavigationBarHidden,
            windowOnScreen != nil
        else { return false }
        let shown = (top as? UINavigationController)?.topViewController ?? top
        guard let action = shown.navigationItem.backAction else {
            return goBack(to: stack.count - 2)
        }
        action.handler(action)
        return true
    }

    /// Holds the back button, and taps a view controller in the menu of the button.
    @discardableResult
    @_spi(Person) public func goBack(to index: Int) -> Bool {
        guard index + 1 < stack.count, transition == nil, !isNavigationBarHidden,
            windowOnScreen != nil
        else { return false }
        if let split = splitViewController, split.isSecondary(stack.last) {
            return split.goBackToPrimary()
        }
        replace(Array(stack[...index]))
        Transition(of: [self], lasting: 0.35) { _ in }
        return true
    }
}

@MainActor
public protocol UITabBarControllerDelegate: NSObject {
    func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool

    @available(iOS 18, tvOS 18, visionOS 2, *)
    func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelectTab tab: UITab
    ) -> Bool
}

extension UITabBarControllerDelegate {
    public func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool {
        true
    }

    @available(iOS 18, tvOS 18, visionOS 2, *)
    public func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelectTab tab: UITab
    ) -> Bool {
        true
    }
}

@available(iOS 18, tvOS 18, visionOS 2, *)
@MainActor
open class UITab: NSObject {
    public let identifier: String
    open var title: String
    open var image: UIImage?
    private var provider: ((UITab) -> UIViewController)?

    public init(
        title: String,
        image: UIImage?,
        identifier: String,
        viewControllerProvider: ((UITab) -> UIViewController)? = nil
    ) {
        (self.title, self.image, self.identifier) = (title, image, identifier)
        provider = viewControllerProvider
    }

    /// The view controller, which is made when it is first needed.
    open private(set) lazy var viewController: UIViewController? = {
        let made = provider?(self)
        provider = nil
        return made
    }()
}

@MainActor
open class UITabBarController: UIViewController {
    open weak var delegate: (any UITabBarControllerDelegate)?
    private var pages: [UIViewController] = []
    private var selected: UIViewController?
    /// The tabs.
    ///
    /// The property has this type because a stored property cannot have a type that is not always
    /// available.
    private var anyTabs: [NSObject] = []

    open var viewControllers: [UIViewController]? {
        get { anyTabs.isEmpty ? pages : nil }
        set { setViewControllers(newValue, animated: false) }
    }

    open func setViewControllers(_ controllers: [UIViewController]?, animated: Bool) {
        guard anyTabs.isEmpty else {
            return Device.current.raise("\(self) has tabs, and gets view controllers")
        }
        setPages(controllers ?? [])
    }

    private func setPages(_ controllers: [UIViewController]) {
        for page in pages where !controllers.contains(page) { page.removeFromParent() }
        for controller in controllers { addChild(controller) }
        pages = controllers
        if !pages.contains(where: { $0 === selected }) { selected = pages.first }
    }

    open var selectedViewController: UIViewController? {
        get { anyTabs.isEmpty ? selected : nil }
        set {
            guard let newValue, pages.contains(newValue), anyTabs.isEmpty else {
                return Device.current.raise("\(self) selects what is none of its tabs")
            }
            selected = newValue
        }
    }

    @available(iOS 18, tvOS 18, visionOS 2, *)
    open var tabs: [UITab] {
        get { anyTabs.compactMap { $0 as? UITab } }
        set { setTabs(newValue, animated: false) }
    }

    @available(iOS 18, tvOS 18, visionOS 2, *)
    open func setTabs(_ tabs: [UITab], animated: Bool) {
        if Set(tabs.map(\.identifier)).count < tabs.count {
            return Device.current.raise("two tabs of \(self) have the same identifier")
        }
        let controllers = tabs.compactMap(\.viewController)
        if controllers.count < tabs.count {
            return Device.current.raise("a tab of \(self) has no view controller")
        }
        anyTabs = tabs
        setPages(controllers)
    }

    @available(iOS 18, tvOS 18, visionOS 2, *)
    open var selectedTab: UITab? {
        get { tabs.first { $0.viewController === selected } }
        set {
            guard let newValue, tabs.contains(newValue) else {
                return Device.current.raise("\(self) selects what is none of its tabs")
            }
            selected = newValue.viewController
        }
    }

    override func shows(_ child: UIViewController) -> Bool { child === selected }

    // MARK: A person

    /// The view controllers of the tabs, as the user sees them.
    @_spi(Person) public var shownTabs: [UIViewController] { pages }
    /// The view controller of the selected tab, as the user sees it.
    @_spi(Person) public var shownTab: UIViewController? { selected }

    /// Taps a tab.
    @discardableResult
    @_spi(Person) public func tap(_ index: Int) -> Bool {
        guard pages.indices.contains(index), windowOnScreen != nil else { return false }
        guard mayTap(index) else { return true }
        let page = pages[index]
        if page === selected { (page as? UINavigationController)?.goBack(to: 0) }
        selected = page
        return true
    }

    private func mayTap(_ index: Int) -> Bool {
        if #available(iOS 18, tvOS 18, visionOS 2, *), !anyTabs.isEmpty {
            return delegate?.tabBarController(self, shouldSelectTab: tabs[index]) ?? true
        }
        return delegate?.tabBarController(self, shouldSelect: pages[index]) ?? true
    }
}

@MainActor
open class UISplitViewController: UIViewController {
    public enum Style: Int, Sendable { case unspecified, doubleColumn, tripleColumn }
    public enum Column: Int, Sendable { case primary, supplementary, secondary, compact }

    public let style: Style
    public private(set) var isCollapsed = false
    private var columns: [Column: UIViewController] = [:]

    public init(style: Style) {
        self.style = style
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }

    open func viewController(for column: Column) -> UIViewController? { columns[column] }

    /// The navigation controllers that UIKit puts around other view controllers.
    private var wrappers: [Column: UINavigationController] = [:]

    /// Returns the child that is shown in a column.
    private func child(in column: Column) -> UIViewController? {
        wrappers[column] ?? columns[column]
    }

    open func setViewController(_ controller: UIViewController?, for column: Column) {
        guard columns[column] !== controller else { return }
        let isOnTop = isSecondaryOnTop
        if isOnTop { popSecondary() }
        let isPlain = !(controller is UINavigationController)
        if let controller, isPlain, let stack = child(in: column) as? UINavigationController {
            columns[column] = controller
            wrappers[column] = stack
            stack.replace(stack.viewControllers + [controller])
            if isOnTop { pushSecondary() }
            return
        }
        child(in: column)?.removeFromParent()
        wrappers.removeValue(forKey: column)?.replace([])
        columns[column] = controller
        if let controller, !(controller is UINavigationController) {
            let wrapper = UINavigationController()
            wrapper.replace([controller])
            wrappers[column] = wrapper
        }
        if let child = child(in: column) { addChild(child) }
        if isOnTop { pushSecondary() }
    }

    /// The view controllers of the columns that are shown.
    ///
    /// If the split view is collapsed, both columns count as shown while one is on top of the
    /// other.
    @_spi(Person) public var shownColumns: [UIViewController] {
        let shown: [Column] =
            isCollapsed && !isSecondaryOnTop ? [.primary] : [.primary, .secondary]
        return shown.compactMap { columns[$0] }
    }

    /// A collapsed split view pushes its secondary view controller onto the stack of the primary one.
    private var isSecondaryOnTop = false

    private func pushSecondary() {
        guard isCollapsed, !isSecondaryOnTop, let secondary = child(in: .secondary),
            let primary = child(in: .primary) as? UINavigationController
        else { return }
        isSecondaryOnTop = true
        secondary.removeFromParent()
        primary.replace(primary.viewControllers + [secondary])
    }

    private func popSecondary() {
        isSecondaryOnTop = false
        guard let secondary = child(in: .secondary),
            let stack = child(in: .primary) as? UINavigationController
        else { return }
        stack.replace(stack.viewControllers.filter { $0 !== secondary })
        addChild(secondary)
    }

    open func show(_ column: Column) { if column == .secondary { pushSecondary() } }

    override func shows(_ child: UIViewController) -> Bool {
        // A secondary view controller that is shown is on the stack of the primary one.
        !isCollapsed || child === self.child(in: .primary)
    }

    /// Returns whether a view controller is the secondary one or contains it.
    @_spi(Person) public func isSecondary(_ controller: UIViewController?) -> Bool {
        controller != nil && controller === child(in: .secondary)
    }

    // MARK: A person

    /// Makes the window narrow or wide again.
    @discardableResult
    @_spi(Person) public func turn(collapsed: Bool) -> Bool {
        guard collapsed != isCollapsed, transition == nil, windowOnScreen != nil else {
            return false
        }
        if collapsed {
            isCollapsed = true
            pushSecondary()
        } else {
            popSecondary()
            isCollapsed = false
        }
        return true
    }

    /// Goes back from the secondary view controller, which covers the primary one.
    @discardableResult
    @_spi(Person) public func goBackToPrimary() -> Bool {
        guard isCollapsed, isSecondaryOnTop, windowOnScreen != nil else { return false }
        popSecondary()
        return true
    }
}
