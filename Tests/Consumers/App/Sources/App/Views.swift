// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// A view in memory that replaces the views of a UI framework.
class View {
    /// The view presented over this one.
    var modal: View?

    init() {}

    /// The hierarchy as text, such as `Products > Product(7)`, with `^` before a modal.
    final var text: String { modal.map { "\(content) ^ \($0.text)" } ?? content }

    fileprivate var content: String { "" }
}

/// A page of the shop.
final class Page: View {
    let title: String
    var number: Int?

    init(_ title: String) {
        self.title = title
        super.init()
    }

    override fileprivate var content: String { number.map { "\(title)(\($0))" } ?? title }
}

/// A stack of pages, of which the last one is visible.
final class Stack: View {
    var pages: [View] = []

    override fileprivate var content: String { pages.map(\.text).joined(separator: " > ") }
}

/// A window of the app.
final class Window {
    var root: View?
}
