// SPDX-License-Identifier: MIT

/// An event of a router.
///
/// The event stream is the source of every report, log and trace. On disk, the format of the stream
/// is `luaroute.events/1`: one line of JSON for each event; see ``json``.
///
/// ```swift
/// router.onEvent = { event in
///     if event.kind == .shown { print(event["screen"].text ?? "") }  // Page(id=7)
/// }
/// router.navigate(Target("Page", "show"), info: ["id": 7])
/// ```
public struct Event: Sendable {
    /// The kind of an event.
    ///
    /// The raw value is the word that scripts and scenarios use for the kind.
    public enum Kind: String, Sendable, CaseIterable {
        /// A navigation began.
        case navigate
        /// A navigation was coalesced with an identical pending navigation.
        case joined
        /// A navigation waits until a gate opens.
        case gate
        /// A navigation waits for its turn, or for an interceptor.
        case wait
        /// An interceptor is called.
        case intercept
        /// A navigation is planned.
        case plan
        /// A navigation is planned again because an interceptor waited or changed something.
        case replan
        /// A navigation is redirected by an interceptor, by `router.next`, or by a route that only
        /// redirects.
        case redirect
        /// A route's feature flag is off, and the fallback of the route is used.
        case fallback
        /// A step found an existing screen.
        case find
        /// A screen was created for a navigation.
        case build
        /// A screen is updated for a navigation.
        case update
        /// The screens of a navigation are in place, but the transaction can still be rolled back.
        case stage
        /// A transaction was committed; the new tree is now the current one.
        case commit
        /// The action that a route runs after the commit is starting.
        case after
        /// A navigation succeeded.
        case done
        /// A navigation failed with an error.
        case failed
        /// A navigation ended without a change to the tree.
        case stayed
        /// A navigation was cancelled.
        case cancelled
        /// A window shows another screen.
        case shown
        /// The user tapped the selected tab.
        case reselected
        /// A screen was added to the tree.
        case created
        /// The target of a navigation is an existing screen.
        case reused
        /// A screen was removed from the tree.
        case removed
        /// A task began or ended.
        case task
        /// A script's timer is due.
        case timer
        /// A reload was accepted or rejected.
        case reload
        /// A snapshot was restored.
        case restore
        /// The router returned to a checkpoint. The event contains the number of the last event
        /// before the checkpoint.
        case rewind
        /// A dispatched deep link entered another phase, or ended.
        case link
        /// The app called the router, or the app's host answered late or with an error.
        case host
        /// A function that the app called began or ended.
        case call
        /// A script or the router logged a message.
        case log
        /// A Lua function used more than a tenth of its instruction budget.
        case slow
        /// Scripts exceeded their capabilities.
        case breach

        /// The kinds that scripts can listen to: all except `rewind`.
        package static let heard = allCases.filter { $0 != .rewind }
    }

    /// The number of the event, from 1, without gaps.
    ///
    /// After a rewind, the numbers continue from the number of the checkpoint.
    public let sequence: Int
    /// The time on the router's clock, in seconds since 1970.
    public let time: Double
    /// The number of the navigation that the event is about, if any.
    public let navigation: Int?
    /// The number of the navigation that started ``navigation``, if any.
    public let parent: Int?
    /// The number of the generation of scripts, from 1.
    public let generation: Int
    /// The source location in the script that caused the event, if any.
    public let location: RouteError.Location?
    /// The kind of the event.
    public let kind: Kind
    /// The fields of the event, in the order that is documented for the kind.
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

    /// The value of a field, or nil if the event has no such field.
    public subscript(name: String) -> Value {
        fields.first { $0.name == name }?.value ?? .nil
    }
}
