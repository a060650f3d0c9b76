// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import UIKitStandin

/// The code of the article "Typed routes" about the screens and the tasks of the app, word for word.
@MainActor
enum TypedExamples {
    final class HomeController: UIViewController {}

    final class ProductController: UIViewController {
        let id: Int

        init(id: Int) {
            self.id = id
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }
    }

    static func screens(_ host: UIKitHost) {
        for name in Routes.Screen.classNames {
            host.screens[name] = { screen in
                switch try Routes.Screen(screen) {
                case .home: HomeController()
                case .product(let product): ProductController(id: product.id)
                case .sizePicker: SizePickerController(host)
                case nil: throw RouteError(.notFound, "another class")
                }
            }
        }
    }

    final class SizePickerController: UIViewController {
        let host: UIKitHost

        init(_ host: UIKitHost) {
            self.host = host
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }

        func sizeTapped(_ size: Routes.SizePicker.Result) {
            guard let screen = host.screen(of: self) else { return }
            host.router?.close(screen, value: size.routeValue)
        }
    }

    static func services(_ host: UIKitHost) {
        @MainActor
        final class Services: @MainActor Routes.Host {
            private(set) var paid: [Int] = []

            func analyticsSend(_ task: TypedHostTask<InfoTable, Value>) { task.finish(true) }

            func walletPay(
                _ task: TypedHostTask<
                    Routes.HostTasks.WalletPay.Info, Routes.HostTasks.WalletPay.Result
                >
            ) {
                guard task.info.cents < 100_00 else { return task.finish(.later) }
                paid.append(task.info.cents)
                task.finish(.paid)
            }

            var session: Value { "ann" }
        }

        let services = Services()
        host.onTask = services.onTask
        host.dependencies = services.dependencies
    }
}
