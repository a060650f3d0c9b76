// Written by 'luaroute types --swift': change the scripts, and write it again.
// swift-format-ignore-file
// swiftlint:disable all

import LuaRouting

/// The declarations of the scripts for which this file was written.
nonisolated enum Routes {
    /// The declarations that the app was compiled against; see `Router.Configuration.contract`.
    static let contract = LuaRouting.RouterContract(#"""
        luaroute.contract/1
        route AudioPlayer/open {trackId="integer"}
        route Login/show {screen="screen"}
        route MainPage/open {}
        route Order/show {order="string", price="number"}
        route Settings/show {user="string?"}
        route ShowPage/open {showId="integer"}
        task Login/create
        task Order/open {order="string", price="number"} -> {"shown", "asked"}
        task Settings/load {user="string?"} -> {theme={"dark", "light"}, user="string"}
        screen AudioPlayer:leaf {trackId="integer"}
        screen LoginPage:leaf {}
        screen MainPage:leaf {title="string?"}
        screen MissingPage:leaf {service="any?", task="any?"}
        screen OrderPage:leaf {order="string", price="number"}
        screen SettingsPage:leaf {user="string"}
        screen ShowPage:leaf {showId="integer"}
        export cancelLogin
        export logIn
        """#)

    nonisolated enum Tasks {
        nonisolated enum OrderOpen {
            nonisolated enum Result: LuaRouting.ValueEnumeration, Swift.Sendable {
                case shown
                case asked

                var routeValue: LuaRouting.Value {
                    switch self {
                    case .shown: "shown"
                    case .asked: "asked"
                    }
                }
            }
        }

        nonisolated enum SettingsLoad {
            nonisolated struct Result: LuaRouting.ValueRepresentable, Swift.Equatable, Swift.Sendable {
                var theme: Routes.Tasks.SettingsLoad.Result.Theme
                var user: Swift.String

                init(theme: Routes.Tasks.SettingsLoad.Result.Theme, user: Swift.String) {
                    self.theme = theme
                    self.user = user
                }

                init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                    let table = try LuaRouting.InfoTable(routeValue: value)
                    self.theme = try table.read("theme")
                    self.user = try table.read("user")
                }

                var routeValue: LuaRouting.Value {
                    LuaRouting.Value.table(LuaRouting.InfoTable(["theme": self.theme, "user": self.user]))
                }

                nonisolated enum Theme: LuaRouting.ValueEnumeration, Swift.Sendable {
                    case dark
                    case light

                    var routeValue: LuaRouting.Value {
                        switch self {
                        case .dark: "dark"
                        case .light: "light"
                        }
                    }
                }
            }
        }
    }

    nonisolated enum Screens {
        nonisolated struct AudioPlayer: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "AudioPlayer"

            var trackId: Swift.Int

            init(trackId: Swift.Int) {
                self.trackId = trackId
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                let table = try LuaRouting.InfoTable(routeValue: value)
                self.trackId = try table.read("trackId")
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable(["trackId": self.trackId]))
            }
        }

        nonisolated struct LoginPage: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "LoginPage"

            init() {
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                _ = try LuaRouting.InfoTable(routeValue: value)
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable([:]))
            }
        }

        nonisolated struct MainPage: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "MainPage"

            var title: Swift.String?

            init(title: Swift.String? = nil) {
                self.title = title
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                let table = try LuaRouting.InfoTable(routeValue: value)
                self.title = try table.read("title")
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable(["title": self.title]))
            }
        }

        nonisolated struct MissingPage: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "MissingPage"

            var service: LuaRouting.Value
            var task: LuaRouting.Value

            init(service: LuaRouting.Value = .nil, task: LuaRouting.Value = .nil) {
                self.service = service
                self.task = task
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                let table = try LuaRouting.InfoTable(routeValue: value)
                self.service = try table.read("service")
                self.task = try table.read("task")
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable(["service": self.service, "task": self.task]))
            }
        }

        nonisolated struct OrderPage: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "OrderPage"

            var order: Swift.String
            var price: Swift.Double

            init(order: Swift.String, price: Swift.Double) {
                self.order = order
                self.price = price
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                let table = try LuaRouting.InfoTable(routeValue: value)
                self.order = try table.read("order")
                self.price = try table.read("price")
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable(["order": self.order, "price": self.price]))
            }
        }

        nonisolated struct SettingsPage: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "SettingsPage"

            var user: Swift.String

            init(user: Swift.String) {
                self.user = user
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                let table = try LuaRouting.InfoTable(routeValue: value)
                self.user = try table.read("user")
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable(["user": self.user]))
            }
        }

        nonisolated struct ShowPage: LuaRouting.TypedScreen, Swift.Equatable, Swift.Sendable {
            static let className = "ShowPage"

            var showId: Swift.Int

            init(showId: Swift.Int) {
                self.showId = showId
            }

            init(routeValue value: LuaRouting.Value) throws(LuaRouting.ValueMismatch) {
                let table = try LuaRouting.InfoTable(routeValue: value)
                self.showId = try table.read("showId")
            }

            var routeValue: LuaRouting.Value {
                LuaRouting.Value.table(LuaRouting.InfoTable(["showId": self.showId]))
            }
        }
    }

    /// A screen that the app makes, with the fields that its class declares.
    nonisolated enum Screen: Swift.Sendable {
        case audioPlayer(Routes.Screens.AudioPlayer)
        case loginPage
        case mainPage(Routes.Screens.MainPage)
        case missingPage(Routes.Screens.MissingPage)
        case orderPage(Routes.Screens.OrderPage)
        case settingsPage(Routes.Screens.SettingsPage)
        case showPage(Routes.Screens.ShowPage)

        /// The names of the classes.
        static let classNames: [Swift.String] = [
            "AudioPlayer",
            "LoginPage",
            "MainPage",
            "MissingPage",
            "OrderPage",
            "SettingsPage",
            "ShowPage"
        ]

        /// Reads a screen; nil if it is of another class.
        init?(_ screen: LuaRouting.Screen) throws(LuaRouting.RouteError) {
            switch screen.class {
            case "AudioPlayer":
                guard let fields = try Routes.Screens.AudioPlayer(screen) else { return nil }
                self = .audioPlayer(fields)
            case "LoginPage":
                self = .loginPage
            case "MainPage":
                guard let fields = try Routes.Screens.MainPage(screen) else { return nil }
                self = .mainPage(fields)
            case "MissingPage":
                guard let fields = try Routes.Screens.MissingPage(screen) else { return nil }
                self = .missingPage(fields)
            case "OrderPage":
                guard let fields = try Routes.Screens.OrderPage(screen) else { return nil }
                self = .orderPage(fields)
            case "SettingsPage":
                guard let fields = try Routes.Screens.SettingsPage(screen) else { return nil }
                self = .settingsPage(fields)
            case "ShowPage":
                guard let fields = try Routes.Screens.ShowPage(screen) else { return nil }
                self = .showPage(fields)
            default: return nil
            }
        }
    }

    nonisolated enum Exports {
        static let cancelLogin = "cancelLogin"
        static let logIn = "logIn"
    }
}

nonisolated extension LuaRouting.TypedRoute where Result == LuaRouting.Value {
    /// `AudioPlayer/open`
    static func audioPlayer(trackId: Swift.Int) -> Self {
        Self("AudioPlayer", "open", info: ["trackId": trackId])
    }

    /// `Login/show`
    static func login(screen: LuaRouting.ScreenID) -> Self {
        Self("Login", "show", info: ["screen": screen])
    }

    /// `MainPage/open`
    static var mainPage: Self { Self("MainPage", "open") }

    /// `Order/show`
    static func order(order: Swift.String, price: Swift.Double) -> Self {
        Self("Order", "show", info: ["order": order, "price": price])
    }

    /// `Settings/show`
    static func settings(user: Swift.String? = nil) -> Self {
        Self("Settings", "show", info: ["user": user])
    }

    /// `ShowPage/open`
    static func showPage(showId: Swift.Int) -> Self {
        Self("ShowPage", "open", info: ["showId": showId])
    }
}

nonisolated extension LuaRouting.TypedTask where Result == LuaRouting.Value {
    /// `Login/create`
    static func loginCreate(_ info: LuaRouting.InfoTable = [:]) -> Self {
        Self("Login", "create", info: info)
    }
}

nonisolated extension LuaRouting.TypedTask where Result == Routes.Tasks.OrderOpen.Result {
    /// `Order/open`
    static func orderOpen(order: Swift.String, price: Swift.Double) -> Self {
        Self("Order", "open", info: ["order": order, "price": price])
    }
}

nonisolated extension LuaRouting.TypedTask where Result == Routes.Tasks.SettingsLoad.Result {
    /// `Settings/load`
    static func settingsLoad(user: Swift.String? = nil) -> Self {
        Self("Settings", "load", info: ["user": user])
    }
}
