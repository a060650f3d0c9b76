// SPDX-License-Identifier: MIT

// UIKit's documentation is that of these declarations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
public protocol UIGestureRecognizerDelegate: NSObject {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
}

/// The name of a method, which this module never calls.
public struct Selector: Sendable {}

@MainActor
open class UIGestureRecognizer: NSObject {
    open var isEnabled = true
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    public internal(set) weak var view: UIView?
    private var mustFail: [UIGestureRecognizer] = []

    public init(target: Any?, action: Selector?) {}

    open func require(toFail other: UIGestureRecognizer) { mustFail.append(other) }

    /// Whether a gesture begins: the recognizer is enabled, its delegate allows the gesture, and
    /// the recognizers that must fail first do not begin.
    var begins: Bool {
        isEnabled && delegate?.gestureRecognizerShouldBegin(self) ?? true
            && !mustFail.contains { $0.begins }
    }
}

@MainActor
open class UIScreenEdgePanGestureRecognizer: UIGestureRecognizer {
    open var edges: UIRectEdge = []
}

public struct UIRectEdge: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let left = UIRectEdge(rawValue: 2)
    public static let right = UIRectEdge(rawValue: 8)
}

public enum UIUserInterfaceLayoutDirection: Int, Sendable { case leftToRight, rightToLeft }

@MainActor
public final class UIAction: NSObject {
    let handler: (UIAction) -> Void
    public init(handler: @escaping (UIAction) -> Void) { self.handler = handler }
}

@MainActor
public final class UINavigationItem: NSObject {
    public var title: String?
    public var backAction: UIAction?
    public var rightBarButtonItems: [UIBarButtonItem]?
}
