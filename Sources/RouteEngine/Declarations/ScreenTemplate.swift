// SPDX-License-Identifier: MIT

package import RouteCore

/// A tree of screens that is defined once, and copied with new serials for each use.
package struct ScreenTemplate {
    package let `class`: ScreenClass
    package let fields: Fields
    package let children: [ScreenTemplate]
    package let selection: Int
    /// The number of screens in the template.
    package var screenCount: Int { children.reduce(1) { $0 + $1.screenCount } }

    /// Creates a template from a screen and its descendants.
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

    /// Creates a detached copy of the screens, and returns the root of the copy.
    package func make(in tree: inout ScreenTree) throws(RouteError) -> ScreenID {
        var copies: [ScreenID] = []
        for child in children { copies.append(try child.make(in: &tree)) }
        return try tree.makeScreen(`class`, fields: fields, children: copies, selection: selection)
    }
}
