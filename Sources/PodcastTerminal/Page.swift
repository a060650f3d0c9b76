// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The content of one screen, like a view of an app.
struct Page {
    /// The action of an item when the user chooses it.
    enum Act {
        case go(Target, InfoTable = InfoTable(), via: Action? = nil)
        case task(Target, InfoTable)
        case call(String)
        /// Asks for a name, and logs in with it.
        case logIn
    }

    var title: String
    var lines: [String] = []
    var items: [(label: String, act: Act)] = []
}

extension Page {
    /// The shows of the catalogue, numbered from 1.
    private static let shows = ["Morning Trains", "The Long Cable", "夜の電車", "Small Hours"]

    private static func show(_ number: Int) -> String {
        shows.indices.contains(number - 1) ? shows[number - 1] : "Show \(number)"
    }

    private static func showPage(_ number: Int, _ label: String? = nil) -> (String, Act) {
        (label ?? show(number), .go(Target("ShowPage", "open"), ["showId": Value(number)]))
    }

    private static func track(_ number: Int, _ label: String) -> (String, Act) {
        (label, .go(Target("AudioPlayer", "open"), ["trackId": Value(number)]))
    }

    /// Creates the content of a screen.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - user: The name of the user who is logged in.
    ///   - routes: The routes that the scripts register. Screens without a specific page list them.
    init(of screen: Screen, user: String?, routes: [RouteDescription]) {
        let fields = screen.fields
        title = fields["title"].text ?? screen.class
        switch screen.class {
        case "MainPage":
            title = fields["title"].text ?? "Podcasts"
            if let user { lines = ["Hello, \(user)."] }
            items = Self.shows.indices.map { Self.showPage($0 + 1) }
            let player = Target("AudioPlayer", "open")
            items += [
                ("Player", .go(player, ["trackId": 11], via: .presentWithNav)),
                (
                    "Settings",
                    .go(Target("Settings", "show"), user.map { ["user": Value($0)] } ?? [:])
                ),
                (
                    "Order A7",
                    .task(Target("Order", "open"), ["order": "A7", "price": 12.5])
                ),
            ]
            let known = ["AudioPlayer", "Login", "MainPage", "Order", "Settings", "ShowPage"]
            items += Self.items(of: routes.filter { !known.contains($0.target.service) })
        case "ShowPage":
            let number = fields["showId"].int ?? 0
            title = Self.show(number)
            items = (1...3).map { Self.track(number &* 10 &+ $0, "Episode \($0)") }
            items.append(Self.showPage(number % Self.shows.count + 1, "A similar show"))
        case "AudioPlayer":
            let track = fields["trackId"].int ?? 0
            title = "Player"
            lines = ["▶ Episode \(track % 10) of \(Self.show(track / 10))"]
            items = [
                Self.track(track &+ 1, "Next episode"),
                Self.showPage(track / 10, "Go to the show"),
            ]
        case "SettingsPage": lines = ["Settings of \(fields["user"].text ?? "")"]
        case "OrderPage":
            title = "Order \(fields["order"].text ?? "")"
            lines = ["Price: \(fields["price"].double ?? 0)", "User: \(user ?? "")"]
        case "LoginPage":
            lines = ["Enter a name to continue."]
            items = [("Log in", .logIn), ("Cancel", .call("cancelLogin"))]
        case "Login":
            lines = ["Enter a name to continue."]
            items = [("Log in", .logIn)]
        case "MissingPage":
            title = "Missing"
            lines = ["There is no \(fields["service"].text ?? "")/\(fields["task"].text ?? "")."]
        default:
            lines = fields.names.map { "\($0): \(fields[$0])" }
            if screen.kind == .leaf { items = Self.items(of: routes) }
        }
    }

    private static func items(of routes: [RouteDescription]) -> [(String, Act)] {
        routes.filter { !$0.isTask }.map { ($0.target.description, .go($0.target)) }
    }
}
