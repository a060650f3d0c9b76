// SPDX-License-Identifier: MIT

package import RouteCore

/// A tree of screens, some of whose leaves are routes.
///
/// The tree is built anew for each navigation.
package struct Blueprint: Declaration {
    /// A child of the container.
    package enum Child: Sendable {
        case template(ScreenTemplate)
        case blueprint(Blueprint)
        case route(Leaf)
    }

    /// A route whose screen is a leaf of the tree.
    package struct Leaf: Sendable {
        package let target: Target
        /// `(info, nav)` → the info of the route.
        package let adapt: ScriptFunction?
        /// The action that puts the route's screen into the container; nil to append the screen.
        package let via: Action?
    }

    package let `class`: ScreenClass
    package let children: [Child]
    /// The index of the selected child.
    package let selection: Int
    /// The depth and size of the tree, including nested trees.
    package let nesting: Nesting

    package static let declarationName = "tree"

    /// The keys of a leaf, in addition to its service and task.
    package static let leafKeys: [APIParameter] = [
        .optional("adapt", .function, text: "`(info, nav)` → the info of this route"),
        .optional(
            "via",
            Step.viaType,
            text: "the action that puts the screen into the container; default: as the last child"
        ),
    ]

    /// The type of a container's child in the Lua API.
    package static let childType = APIType.either([
        .screen, .declaration([declarationName]), .list(.name(of: .target), leafKeys),
    ])

    /// Reads the contents of a container.
    ///
    /// The contents must already have been checked.
    ///
    /// - Returns: Nil if all children are existing screens, so that the caller can create the
    ///   container immediately.
    /// - Throws: `composition` if a screen no longer exists, `badInfo` for an invalid target,
    ///   `script` if too many trees are nested.
    package init?(
        _ screenClass: ScreenClass,
        _ contents: InfoTable,
        in tree: ScreenTree
    ) throws(RouteError) {
        guard contents.list.contains(where: { $0.screen == nil }) else { return nil }
        `class` = screenClass
        selection = Int(clamping: (contents["selected"].integer ?? 1) - 1)
        children = try contents.list.map { (value) throws(RouteError) in
            switch value {
            case .screen(let id): return .template(try ScreenTemplate(of: id, in: tree))
            case .object(let object):
                if let blueprint = object.base as? Blueprint { return .blueprint(blueprint) }
                throw .badTargetList([value])
            case .table(let table):
                guard let target = Target(table.list) else { throw .badTargetList(table.list) }
                let leaf = Leaf(
                    target: target,
                    adapt: table["adapt"].function,
                    via: Action(table["via"])
                )
                return .route(leaf)
            default: throw .badTargetList([value])
            }
        }
        var nesting = Nesting()
        for child in children {
            switch child {
            case .template(let template): try nesting.add(count: template.screenCount)
            case .blueprint(let inner): try nesting.add(inner.nesting)
            case .route: try nesting.add(count: 1)
            }
        }
        self.nesting = nesting
    }

    /// Creates a tree that consists of a stack with the screen of the given route.
    package init(stackOf target: Target, _ screenClass: ScreenClass) {
        `class` = screenClass
        children = [.route(Leaf(target: target, adapt: nil, via: nil))]
        selection = 0
        nesting = Nesting()
    }
}
