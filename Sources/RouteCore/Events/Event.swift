// SPDX-License-Identifier: MIT

/// One thing that happened in a router.
///
/// The stream of events is the source of every report, log and trace. Its format on disk is
/// `luaroute.events/1`: a line of JSON an event, see ``json``.
public struct Event: Sendable {
    /// What happened.
    ///
    /// The raw value is the word that scripts and scenarios use.
    public enum Kind: String, Sendable, CaseIterable {
        /// A navigation began: `service task defined`, or `verb` for a leaving verb, and `origin`;
        /// before them the `url`, or the route string `route`, that it was asked to open.
        case navigate
        /// A navigation ends as an equal one does that is pending: `leader`, its number.
        case joined
        /// A navigation waits at a gate: `name`.
        case gate
        /// A navigation waits for its turn, or for an interceptor: `name`.
        case wait
        /// An interceptor is asked: `name`.
        case intercept
        /// The way of a navigation is planned: `found`, the screen where it begins, and `steps`.
        case plan
        /// It is planned again, because an interceptor waited or changed something.
        case replan
        /// An interceptor, or `router.next`, sends a navigation somewhere else: `service task`.
        case redirect
        /// A route is switched off, and what it falls back to is taken: `route`, the one that is off,
        /// then `service task`.
        case fallback
        /// A screen that stands was found: `by class screen`.
        case find
        /// A screen was made: `class screen`.
        case build
        /// A screen is updated for a navigation: `class screen`.
        case update
        /// A navigation's screens are placed, and can still be dropped: `operations`.
        case stage
        /// The new tree is current: `operations revision`.
        case commit
        /// What a route does when all is applied begins: `class screen`.
        case after
        /// A navigation ended well.
        case done
        /// A navigation ended with an error: `code message`.
        case failed
        /// A navigation ended without going anywhere: `reason`.
        case stayed
        /// A navigation was cancelled: `code message`.
        case cancelled
        /// A window shows another screen: `window screen previous cause`.
        case shown
        /// A screen came into the tree: `class screen`.
        case created
        /// A screen that stands is the target of a navigation: `class screen`.
        case reused
        /// A screen left the tree: `class screen`.
        case removed
        /// A task began or ended: `service task phase`, then `info`, or at the end `finished` or
        /// `code message`.
        case task
        /// A timer of a script is due.
        case timer
        /// Other scripts were to serve: `status`, then `digest milliseconds added changed removed`
        /// where it is `accepted`, and `reason errors` where it is `rejected`.
        case reload
        /// What a snapshot holds was brought back: `windows screens lost`.
        case restore
        /// A link that was dispatched gets on or ends: `phase`, and by that `url pattern key
        /// pathParameters queryParameters`, `links`, `result`, `code message`.
        case link
        /// A script or the router says something: `level message`.
        case log
        /// A function of a script took more than a tenth of the instructions that it may:
        /// `instructions`, to a thousand, and `limit`.
        case slow
        /// Scripts exceeded their rights: `capability code message`, and `suspended`, whether their
        /// timers and listeners are suspended from now on.
        case breach
    }

    /// The number of the event, from 1 on, without gaps.
    public let sequence: Int
    /// The router's clock, in seconds since 1970.
    public let time: Double
    /// The number of the navigation that it belongs to, if to one.
    public let navigation: Int?
    /// The number of the navigation that started that one, if one did.
    public let parent: Int?
    /// The generation of scripts, from 1 on.
    public let generation: Int
    /// The line of the script that caused the event, if one did.
    public let location: RouteError.Location?
    /// What happened.
    public let kind: Kind
    /// The fields of the kind, in their documented order.
    public let fields: [(name: String, value: Value)]

    /// Creates an event.
    public init(
        sequence: Int,
        time: Double,
        navigation: Int? = nil,
        parent: Int? = nil,
        generation: Int,
        location: RouteError.Location? = nil,
        kind: Kind,
        fields: [(name: String, value: Value)] = []
    ) {
        self.sequence = sequence
        self.time = time
        self.navigation = navigation
        self.parent = parent
        self.generation = generation
        self.location = location
        self.kind = kind
        self.fields = fields
    }

    /// The value of a field, nil where the event has no such field.
    public subscript(name: String) -> Value {
        fields.first { $0.name == name }?.value ?? .nil
    }
}
