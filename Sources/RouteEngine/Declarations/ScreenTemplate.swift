// SPDX-License-Identifier: MIT

package import RouteCore

/// A tree of screens that is written once and copied with new serials each time.
package struct ScreenTemplate {
    package let `class`: ScreenClass
    package let fields: Fields
    package let children: [ScreenTemplate]
    package let selection: Int

    /// Takes the form of a screen and all that stands in it.
    ///
    /// - Throws: `composition` if the screen is gone.
    package init(of id: ScreenID, in tree: ScreenTree) throws(RouteError) {
        guard !tree.isGone(id), let screen = tree.screen(id) else {
            throw .isNotInTree(tree.screen(id))
        }
        `class` = ScreenClass(of: screen)
        fields = screen.fields
        children = try screen.children.map { (child) throws(RouteError) in
            try ScreenTemplate(of: child, in: tree)
        }
        selection = screen.selection
    }

    /// Makes a copy as detached screens.
    package func make(in tree: inout ScreenTree) throws(RouteError) -> ScreenID {
        var copies: [ScreenID] = []
        for child in children { copies.append(try child.make(in: &tree)) }
        return try tree.makeScreen(`class`, fields: fields, children: copies, selection: selection)
    }
}
