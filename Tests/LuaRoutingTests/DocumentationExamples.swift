// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// The Swift examples of the documentation, word for word, so that they compile.
///
/// `DocumentationTests` looks for each of them here. `Tests/Consumers/App` compiles this file too, as
/// an app, which cannot use what only this package sees.
enum DocumentationExamples {
    static func roots(_ tree: ScreenTree) {
        for window in tree.windows { print(window.name, tree[window.root].class) }
    }

    static func router() throws {
        let bundle = try ScriptBundle(path: "scripts/podcast")
        let router = try Router(scripts: bundle, host: HeadlessHost())
        router.start()
        router.navigate(Target("ShowPage", "open"), info: ["showId": 1])
    }

    final class ConsoleHost: RouterHost {
        func show(
            _ tree: ScreenTree,
            _ change: Change,
            done: @escaping (Result<Void, any Error>) -> Void
        ) {
            for window in tree.windows {
                print(window.name, tree[tree.visibleLeaf(of: window)].class)
            }
            done(.success(()))
        }
    }

    @MainActor
    static func typedError(_ router: Router) {
        Task {
            do throws(RouteError) {
                try await router.navigate(Target("Page", "show"))
            } catch {
                print(error.code)  // an error of the router, not any one
            }
        }
    }

    static func startWithoutWaiting(_ router: Router) async { router.start { _ in } }

    static func recording(_ router: Router, write: @escaping (String) -> Void) {
        write(Event.jsonHeader)
        router.onEvent = { event in write(event.json) }
    }

    static func flightRecording(_ router: Router, path: String) {
        router.navigate(Target("Page", "missing")) { navigation in
            guard case .failed = navigation.status else { return }
            try? router.flightRecording().write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    static func shuttingDown(_ router: Router) {
        let page = router.navigate(Target("Page", "show"))
        router.shutDown()
        print(page.status)  // cancelled, unless it had ended
    }

    static func reporting(_ router: Router, _ root: ScreenID) {
        var alert: ScreenID?
        router.report(.presented(foreign: "Alert", over: root)) { results in
            alert = try? results[0].get().first
        }
        router.report(.dismissed(presenter: root))
        _ = alert
    }

    static func overview() throws -> (Router, Navigation) {
        let bundle = ScriptBundle(files: [
            "main.lua": """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", function(info)
              return router.screen("Page", { id = info.id })
            end)
            """
        ])
        let router = try Router(scripts: bundle, host: HeadlessHost())
        router.start()
        let navigation = router.navigate(Target("Page", "show"), info: ["id": 7])
        print(router.treeNotation())  // nav[Home, Page(id=7)]
        return (router, navigation)
    }

    static func restoring() throws {
        let router = try Router(
            scripts: ScriptBundle(path: "scripts/podcast"),
            host: HeadlessHost()
        )
        router.start()
        let kept = router.snapshot().json

        let restoration = router.restore(try Snapshot(json: kept))
        for loss in restoration.losses { print(loss) }
    }

    @MainActor
    final class AppRouting {
        let driver: RouterDriver

        init(bundle: ScriptBundle, app: any RouterHost) throws {
            let router = try Router(scripts: bundle, host: app)
            driver = RouterDriver(router)
            router.start()
        }

        func open(_ target: Target) async throws {
            let arrival = try await driver.router.navigate(target)
            print(arrival.class ?? arrival.stayReason ?? "")
        }
    }

    actor Routing {
        private let executor = ScriptExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }
        private var driver: RouterDriver?

        func start(_ bundle: ScriptBundle) throws {
            let host = HeadlessHost()
            let router = try Router(scripts: bundle, host: host)
            driver = RouterDriver(router)
            router.start()
        }

        func tree(after target: Target) async throws -> String {
            guard let router = driver?.router else { return "" }
            try await router.navigate(target)
            return router.treeNotation()
        }
    }

    static func byHand(_ router: Router) -> Navigation {
        let navigation = router.navigate(Target("Page", "show"))
        while navigation.isPending, let due = router.nextDeadline { router.advance(to: due) }
        return navigation
    }

    static func back(_ router: Router, finish: () -> Void) {
        if !router.handleBack() { finish() }
    }

    static func swipe(_ router: Router, _ page: ScreenID) {
        let options = NavigationOptions(origin: .person)
        switch router.guard(of: [page]) {
        case .free: print("begin the gesture, then report what it removed")
        case .asks: router.back(options: options)
        case .never: break
        }
    }

    static func call(_ router: Router) -> ExportedCall {
        let call = router.call("checkout", ["cart": 7]) { result in
            if case .success(let receipt) = result { print(receipt) }
        }
        return call
    }

    static func capabilities() -> Router.Configuration {
        var configuration = Router.Configuration()
        configuration.capabilities.screens = ["Main", "ShowPage"]
        configuration.capabilities.tree.remove(.replaceRoot)
        configuration.capabilities.rates.navigations = 10
        return configuration
    }

    static func check(_ router: Router) {
        for finding in router.check() { print(finding.code, finding) }
    }

    static func crash(_ router: Router, _ descriptor: Int32) {
        let recording = router.crashRecording()
        recording.write(to: descriptor)
    }

    static func defects() {
        for defect in Router.luaDefects { print(defect) }
    }

    static func arrival(_ router: Router) async throws {
        let arrival = try await router.navigate(Target("Page", "show"), info: ["id": 7])
        print(arrival.class ?? arrival.stayReason ?? "")
    }

    static func go(_ router: Router) {
        router.go(Target("Page", "show"), info: ["id": 7])
    }

    static func doTask(_ router: Router) async throws -> Value {
        let settings = try await router.doTask(Target("Settings", "load"), info: ["user": 7])
        return settings
    }

    static func shown(_ router: Router) async {
        for await shown in router.shown { print(shown.window, shown.class, shown.cause) }
    }

    static func result(_ router: Router) async throws {
        let size = try await router.result(of: Target("SizePicker", "show"))
        print(size?.text ?? "no size")
    }

    static func resultLater(_ router: Router) {
        let navigation = router.navigate(Target("SizePicker", "show"))
        router.result(of: navigation) { result in
            if case .success(let size?) = result { print(size) }
        }
    }

    static func code(of error: RouteError) {
        switch error.code {
        case .notFound, .disabled: print("there is no such page")
        case .cancelled, .superseded: break
        default: print(error)
        }
    }

    enum Size: String, ValueConvertible { case small, large }

    static func integer(_ router: Router) {
        let count: UInt8 = 7
        router.navigate(Target("Page", "show"), info: ["count": Value(count)])
    }

    static func table() -> InfoTable {
        let (id, name): (Int, String?) = (7, nil)
        let info = InfoTable(["id": id, "name": name, "tags": ["new"]])
        return info
    }

    static func variables(_ router: Router) {
        let (id, name): (Int, String?) = (7, nil)
        router.navigate(Target("Page", "show"), info: ["id": id, "name": name])
    }

    static func reading(_ value: Value) -> (Int, [String], String?) {
        let total = value.int ?? 0
        let names = value.list?.compactMap(\.text) ?? []
        let city = value.table?["city"].text
        return (total, names, city)
    }

    static func detached(_ router: Router) throws {
        let list = try router.nav([router.screen("Inbox"), router.screen("Mail", ["id": 7])])
        router.openWindow("second", list)
    }

    static func answers(_ router: Router) -> Bool {
        guard router.answers("podcast://shows/7") else { return false }
        router.open("podcast://shows/7", origin: .external)
        return true
    }

    static func session(_ router: Router) throws {
        func loggedIn(as user: String) throws {
            try router.setState("user", to: .string(ByteString(user)))
            try router.ready("session")
            router.navigate(Target("Shell", "show"))
        }

        func loggedOut() throws {
            try router.setState("user", to: .nil)
            try router.unreadyLeaving("session")
        }

        try loggedIn(as: "ann")
        try loggedOut()
    }

    static func url(_ router: Router) throws -> String {
        let url = try router.url(of: Target("Page", "show"), info: ["id": 7])
        return url
    }

    static func typed(_ router: Router, _ screen: Screen) async throws -> String? {
        try await router.navigate(.page(id: 7))
        if let page = try Routes.Screens.Page(screen) { print(page.id) }
        let sum = try await router.doTask(.sumAdd(numbers: [1, 2]))
        print(sum)
        let size = try await router.result(of: .sizePicker(sizes: ["S", "M"]))
        return size
    }

    static func contract() -> Router.Configuration {
        var configuration = Router.Configuration()
        configuration.contract = Routes.contract
        return configuration
    }

    static func read(_ value: Value, _ table: InfoTable) throws {
        let ids = try [Int](routeValue: value)
        let street: String = try table.read("street")
        let zip: String? = try table.read("zip")
        print(ids, street, zip ?? "")
    }
}

/// A file of `luaroute types --swift`, cut short.
private enum Routes {
    static let contract = RouterContract(
        """
        luaroute.contract/1
        route Page/show {id="integer"}
        """
    )

    enum Screens {
        struct Page: TypedScreen {
            static let className = "Page"
            var id: Int
            init(routeValue value: Value) throws(ValueMismatch) {
                id = try InfoTable(routeValue: value).read("id")
            }
            var routeValue: Value { .table(InfoTable(["id": id])) }
        }
    }
}

extension TypedRoute where Result == Value {
    fileprivate static func page(id: Int) -> Self { Self("Page", "show", info: ["id": id]) }
}

extension TypedRoute where Result == String {
    fileprivate static func sizePicker(sizes: [String]) -> Self {
        Self("SizePicker", "show", info: ["sizes": sizes])
    }
}

extension TypedTask where Result == Double {
    fileprivate static func sumAdd(numbers: [Double]) -> Self {
        Self("Sum", "add", info: ["numbers": numbers])
    }
}
