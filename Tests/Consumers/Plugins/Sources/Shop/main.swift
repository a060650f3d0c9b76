// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// Ends the program if a condition is false.
func check(_ condition: Bool, _ what: String) {
    guard condition else {
        print("failed: \(what)")
        exit(1)
    }
}

/// The tasks and dependencies that the scripts expect of the app.
///
/// If one is missing, the app does not compile.
final class Services: Routes.Host {
    private(set) var paid: [Int] = []

    func analyticsSend(_ task: TypedHostTask<InfoTable, Value>) { task.finish(true) }

    func walletPay(
        _ task: TypedHostTask<Routes.HostTasks.WalletPay.Info, Routes.HostTasks.WalletPay.Result>
    ) {
        guard task.info.cents > 0 else { return task.fail("nothing to pay") }
        paid.append(task.info.cents)
        task.finish(.paid)
    }

    var session: Value { "ann" }
}

/// Returns the title of a screen.
///
/// If the `switch` lacks a class, the app does not compile.
func title(of screen: Screen) throws -> String {
    switch try Routes.Screen(screen) {
    case .home: "Home"
    case .product(let product): "Product \(product.id)"
    case .receipt(let receipt): receipt.text
    case nil: "another class"
    }
}

final class ShopHost: RouterHost {
    let services = Services()
    private(set) var titles: [String] = []

    func show(
        _ tree: ScreenTree,
        _ change: Change,
        done: @escaping (Result<Void, any Error>) -> Void
    ) {
        do {
            for window in tree.windows {
                titles.append(try title(of: tree[tree.visibleLeaf(of: window)]))
            }
            done(.success(()))
        } catch {
            done(.failure(error))
        }
    }

    func doTask(_ task: HostTask) { services.onTask(task) }
    func dependency(_ name: String) -> Value? { services.dependencies[name] }
}

/// Runs the shop with the scripts of a folder.
func run(scripts: String) async throws {
    let host = ShopHost()
    var configuration = Router.Configuration()
    configuration.contract = Routes.contract
    let router = try Router(
        scripts: ScriptBundle(path: scripts),
        host: host,
        configuration: configuration
    )
    try await router.start()
    try await router.navigate(.product(id: 7))
    try await router.navigate(.receipt(cents: 250))
    check(host.titles == ["Home", "Product 7", "paid by ann"], "three screens: \(host.titles)")
    check(host.services.paid == [250], "the app was asked to pay")
    check(Routes.Screen.classNames == ["Home", "Product", "Receipt"], "all classes have names")
    check(
        router.doTask(Target("Wallet", "pay"), info: ["cents": "2"]).status.name == "failed",
        "a task with a wrong parameter fails"
    )
    router.shutDown()
    print("ok")
}

try await run(scripts: CommandLine.arguments[1])
