// SPDX-License-Identifier: MIT

internal import LuaRouting

#if canImport(UIKit)
internal import UIKit
#else
internal import UIKitStandin
#endif

/// The properties with which UIKit presents a modal.
extension Screen.Presentation {
    private static let styles: [String: UIModalPresentationStyle] = [
        "fullScreen": .fullScreen, "overFullScreen": .overFullScreen, "pageSheet": .pageSheet,
        "sheet": .pageSheet, "formSheet": .formSheet, "popover": .popover,
        "currentContext": .currentContext, "overCurrentContext": .overCurrentContext,
        "custom": .custom,
    ]

    private static let transitions: [String: UIModalTransitionStyle] = [
        "coverVertical": .coverVertical, "flipHorizontal": .flipHorizontal,
        "crossDissolve": .crossDissolve,
    ]

    @MainActor
    private static let detents: [String: @MainActor () -> UISheetPresentationController.Detent] = [
        "medium": { .medium() }, "large": { .large() },
    ]

    /// Checks the names in the presentation.
    ///
    /// - Throws: ``HostError`` if UIKit has no style or transition with the given name.
    @MainActor
    func check() throws {
        _ = try Self.value("style", style, in: Self.styles)
        _ = try Self.value("transition", transition, in: Self.transitions)
        for detent in detentNames { _ = try Self.value("detent", detent, in: Self.detents) }
    }

    private static func value<Named>(
        _ what: String,
        _ name: String,
        in names: [String: Named]
    ) throws -> Named {
        if let value = names[name] { return value }
        let known = names.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        throw HostError("there is no \(what) '\(name)' (supported: \(known))")
    }

    private var detentNames: [String] {
        let detents = options["detents"]
        return detents.text.map { [$0] } ?? detents.table?.list.compactMap(\.text) ?? []
    }

    /// Applies the presentation to a view controller that is about to be presented.
    ///
    /// - Parameters:
    ///   - controller: The view controller.
    ///   - presenter: The view controller that presents it.
    ///   - source: The view that a popover points to; nil if the view controller has set one.
    /// - Throws: ``HostError`` for a popover without an anchor, for which UIKit would raise an
    ///   exception.
    @MainActor
    func apply(
        to controller: UIViewController,
        from presenter: UIViewController,
        source: UIView?
    ) throws {
        // The router sets `fullScreen` by default, and the app sets a custom presentation itself.
        if style != "custom",
            style != "fullScreen" || controller.modalPresentationStyle != .custom
        {
            controller.modalPresentationStyle = Self.styles[style] ?? .fullScreen
        }
        if isContextual {
            presenter.definesPresentationContext = true
            let isOver = style.hasPrefix("over")
            controller.modalPresentationStyle = isOver ? .overCurrentContext : .currentContext
        }
        // The router also sets this transition by default.
        if transition != "coverVertical", let style = Self.transitions[transition] {
            controller.modalTransitionStyle = style
        }
        if isModal { controller.isModalInPresentation = true }
        if let size {
            controller.preferredContentSize = CGSize(width: size.width, height: size.height)
        }
        if let sheet = controller.sheetPresentationController {
            let detents = detentNames.compactMap { Self.detents[$0]?() }
            if !detents.isEmpty { sheet.detents = detents }
            if let grabber = options["grabber"].boolean { sheet.prefersGrabberVisible = grabber }
        }
        if let popover = controller.popoverPresentationController {
            if let source { popover.sourceView = source }
            guard popover.sourceView != nil || popover.barButtonItem != nil else {
                throw HostError(
                    "the popover has no view to point to: return a view from 'popoverSource' of "
                        + "the host, or set 'sourceView' of the view controller's "
                        + "'popoverPresentationController'"
                )
            }
        }
    }
}
