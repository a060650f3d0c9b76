// Written by 'luaroute types --swift': change the scripts, and write it again.
// swift-format-ignore-file
// swiftlint:disable all

import LuaRouting

/// The declarations of the scripts for which this file was written.
nonisolated enum Routes {
    /// The declarations that the app was compiled against; see `Router.Configuration.contract`.
    static let contract = LuaRouting.RouterContract(#"""
        luaroute.contract/1
        route Product/show {id="integer"}
        route SizePicker/show -> {"S", "M", "L"}
        screen Product:leaf {id="integer"}
        export pay
        """#)

    nonisolated enum SizePicker {
        nonisolated enum Result: LuaRouting.ValueEnumeration, Swift.Sendable {
            case s
            case m
            case l

            var routeValue: LuaRouting.Value {
                switch self {
                case .s: "S"
                case .m: "M"
                case .l: "L"
                }
            }
        }
    }

    nonisolated enum Screens {
        nonisolated struct Product: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "Product"

            var id: Swift.Int

            init(id: Swift.Int) {
                self.id = id
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                let table = try LuaRouting.InfoTable(routeValue: value)
                self.id = try table.read("id")
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable(["id": self.id]))
            }
        }
    }

    /// A screen that the app makes, with the fields that its class declares.
    nonisolated enum Screen: Swift.Sendable {
        case home
        case product(Routes.Screens.Product)
        case sizePicker

        /// The names of the classes.
        static let classNames: [Swift.String] = ["Home", "Product", "SizePicker"]

        /// Reads a screen; nil if it is of another class.
        init?(_ screen: LuaRouting.Screen) throws(LuaRouting.RouteError) {
            switch screen.class {
            case "Home":
                self = .home
            case "Product":
                guard let fields = try Routes.Screens.Product(screen) else { return nil }
                self = .product(fields)
            case "SizePicker":
                self = .sizePicker
            default: return nil
            }
        }
    }

    nonisolated enum HostTasks {
        nonisolated enum WalletPay {
            nonisolated struct Info: LuaRouting.ValueRepresentable, Swift.Equatable, Swift.Sendable {
                var cents: Swift.Int

                init(cents: Swift.Int) {
                    self.cents = cents
                }

                init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                    let table = try LuaRouting.InfoTable(routeValue: value)
                    self.cents = try table.read("cents")
                }

                var routeValue: LuaRouting.Value {
                    LuaRouting.Value.table(LuaRouting.InfoTable(["cents": self.cents]))
                }
            }

            nonisolated enum Result: LuaRouting.ValueEnumeration, Swift.Sendable {
                case paid
                case later

                var routeValue: LuaRouting.Value {
                    switch self {
                    case .paid: "paid"
                    case .later: "later"
                    }
                }
            }
        }
    }

    /// The tasks and dependencies that the scripts expect of the app.
    protocol Host {
        /// `Analytics/send`
        func analyticsSend(_ task: LuaRouting.TypedHostTask<LuaRouting.InfoTable, LuaRouting.Value>)
        /// `Wallet/pay`
        func walletPay(_ task: LuaRouting.TypedHostTask<Routes.HostTasks.WalletPay.Info, Routes.HostTasks.WalletPay.Result>)
        /// The dependency `session`.
        var session: LuaRouting.Value { get }
    }

    nonisolated enum Exports {
        static let pay = "pay"
    }
}

nonisolated extension LuaRouting.TypedRoute where Result == LuaRouting.Value {
    /// `Product/show`
    static func product(id: Swift.Int) -> Self {
        Self("Product", "show", info: ["id": id])
    }
}

nonisolated extension LuaRouting.TypedRoute where Result == Routes.SizePicker.Result {
    /// `SizePicker/show`
    static func sizePicker(_ info: LuaRouting.InfoTable = [:]) -> Self {
        Self("SizePicker", "show", info: info)
    }
}

nonisolated extension Routes.Host {
    /// Performs a task by the function of its name.
    ///
    /// Ends a task unfinished that the scripts did not expect when this file was written, or
    /// whose parameters have other types.
    func onTask(_ task: LuaRouting.HostTask) {
        switch (task.service, task.task) {
        case ("Analytics", "send"): task.perform(self.analyticsSend)
        case ("Wallet", "pay"): task.perform(self.walletPay)
        default: task.end(false, "the app does not know this task")
        }
    }

    /// The dependencies by name.
    var dependencies: [Swift.String: LuaRouting.Value] {
        ["session": self.session]
    }
}
