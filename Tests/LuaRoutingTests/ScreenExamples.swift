// SPDX-License-Identifier: MIT

import LuaRouting

/// The examples of screens, trees and hosts.
extension TypeExamples {
    static let screens: [Example] = [
        Example("Screen", screen),
        Example("Fields", fields),
        Example("ScreenID", screenID),
        Example("ScreenClass", screenClass),
        Example("ScreenClasses", screenClasses),
        Example("ScreenLinks", screenLinks),
        Example("RouterWindow", routerWindow),
        Example("ScreenLookup", screenLookup),
        Example("SearchScope", searchScope),
        Example("ScreenTree", screenTree),
        Example("TreeOperation", treeOperation),
        Example("Change", change),
        Example("Guard", guards),
        Example("Report", report),
        Example("HostTask", hostTask),
        Example("HeadlessHost", headlessHost),
        Example("HostManifest", hostManifest),
    ]

    private static func screen() throws {
        let router = try startedRouter(showing: 7)
        let window = router.tree.windows[0]
        let screen = router.tree[router.tree.visibleLeaf(of: window)]
        print(screen.class, screen.kind, screen.fields["id"])  // Page leaf 7
    }

    private static func fields() {
        var fields: Fields = ["id": 7]
        fields["title"] = "News"
        print(fields.names, fields["id"])  // ["id", "title"] 7
    }

    private static func screenID() throws {
        let router = try startedRouter(showing: 7)
        var views: [ScreenID: String] = [:]
        let root = router.tree.windows[0].root
        for id in router.tree.screens(under: root) { views[id] = router.tree[id].class }
        print(views[root] ?? "")  // nav
    }

    private static func screenClass() throws {
        let router = try startedRouter()
        let page = router.classes["Page"]
        print(page.kind, page.fields)  // leaf ["id", "title"]
    }

    private static func screenClasses() throws {
        var classes = ScreenClasses()
        classes.declare(ScreenClass("Shop", kind: .nav))
        var tree = ScreenTree()
        let shop = try TreeNotation("Shop[Home]").build(into: &tree, classes: classes)
        print(tree[shop].kind)  // nav
    }

    private static func screenLinks() throws {
        let router = try startedRouter(showing: 7)
        var place = router.tree.visibleLeaf(of: router.tree.windows[0])
        while let holder = router.tree.links(of: place)?.holder { place = holder }
        print(router.tree[place].class)  // nav
    }

    private static func routerWindow() throws {
        let router = try startedRouter()
        for window in router.tree.windows {
            print(window.name, router.tree[window.root].class)  // main nav
        }
    }

    private static func screenLookup() throws {
        let router = try startedRouter(showing: 7)
        func title(of tree: some ScreenLookup, window name: String) -> String {
            tree.window(name).map { tree[tree.visibleLeaf(of: $0)].class } ?? ""
        }
        print(title(of: router.tree, window: "main"))  // Page
    }

    private static func searchScope() throws {
        let router = try startedRouter(showing: 7)
        let root = router.tree.windows[0].root
        let page = router.tree.first(from: root, .currentAllStack) { $0.class == "Page" }
        print(page.map(router.notation) ?? "")  // Page(id=7)
    }

    private static func screenTree() throws {
        let router = try startedRouter()
        let before = router.tree
        router.navigate(Target("Page", "show"), info: ["id": 7])
        let root = before.windows[0].root
        print(before[root].children.count, router.tree[root].children.count)  // 1 2
    }

    private static func treeOperation() throws {
        let host = HeadlessHost()
        let router = try startedRouter(host: host)
        router.navigate(Target("Page", "show"), info: ["id": 7])
        let (tree, change) = host.given[host.given.count - 1]
        for operation in change.operations {
            switch operation {
            case .push(let screen, let nav):
                print("push", tree[screen].class, "on", tree[nav].class)  // push Page on nav
            default:
                print(operation.name)
            }
        }
    }

    private static func change() throws {
        let host = HeadlessHost()
        let router = try startedRouter(host: host)
        host.forgetChanges()
        let options = NavigationOptions(isAnimated: false)
        router.navigate(Target("Page", "show"), info: ["id": 7], options: options)
        let change = host.changes[0]
        print(change.isAnimated, change.operations.map(\.name))  // false ["push"]
    }

    private static func guards() throws {
        let router = try startedRouter(showing: 7)
        let page = router.tree.visibleLeaf(of: router.tree.windows[0])
        print(router.guard(of: [page]))  // free
    }

    private static func report() throws {
        let router = try startedRouter(showing: 7)
        // The user swiped back.
        let nav = router.tree.windows[0].root
        router.report(.children(router.tree[nav].children.dropLast(), of: nav))
        print(router.treeNotation())  // nav[Home]
    }

    private static func hostTask() throws {
        let host = HeadlessHost()
        let router = try startedRouter(host: host)
        host.onTask = { task in
            print(task.service, task.task, task.info)  // Player play {trackId=7}
            task.end(true, "playing")
            return true
        }
        let task = router.doTask(Target("Player", "play"), info: ["trackId": 7])
        print(task.status.name)  // done
    }

    private static func headlessHost() throws {
        let host = HeadlessHost()
        let router = try Router(scripts: bundle, host: host)
        router.start()
        router.navigate(Target("Page", "show"), info: ["id": 7])
        print(host.changes.map { $0.operations.map(\.name) })  // [["openWindow"], ["push"]]
    }

    private static func hostManifest() throws {
        let router = try startedRouter()
        let manifest = HostManifest(tasks: [Target("Player", "stop")])
        for finding in router.check(manifest: manifest) {
            print(finding.message)  // the host has no task 'Player/play'
        }
    }
}
