// SPDX-License-Identifier: MIT

internal import LuaVM

/// Restores snapshots.
extension Router {
    /// Restores a snapshot: replaces the windows and screens, and restores the state, the open
    /// gates and the queued deep links.
    ///
    /// The host applies a single change, and if the restoration fails, nothing has changed.
    /// Interceptors are not called. Every screen is checked against the active scripts. A screen is
    /// not restored if its class now has another kind or may not be built, or if its `restore`
    /// returns nothing. In this case, its children and the screens above it are not restored
    /// either, and ``Restoration/losses`` lists the screen. The same applies to a container without
    /// restored children, and to a window whose root was not restored. Restored screens have new
    /// serial numbers.
    ///
    /// Open gates stay open, and queued deep links stay queued. If the snapshot contains a link
    /// with the same key or URL as a queued link, the queued link wins. Pending navigations are
    /// planned again; navigations in windows that the snapshot does not contain are cancelled.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to restore.
    ///   - options: The options; only `isAnimated` has an effect.
    ///   - completion: Called once, when the snapshot has been applied or has failed.
    /// - Returns: The navigation and the losses. The navigation fails with `composition` if no
    ///   window was restored, with `budget` if a script function takes too long, and with `host` if
    ///   the host refuses the change.
    @discardableResult
    public func restore(
        _ snapshot: Snapshot,
        options: NavigationOptions = NavigationOptions(),
        completion: ((Restoration) -> Void)? = nil
    ) -> Restoration {
        let navigation = begin(
            .restore(snapshot),
            options,
            completion: completion.map { completion in
                { navigation in completion(Restoration(navigation: navigation)) }
            }
        )
        return Restoration(navigation: navigation)
    }

    /// Restores the parts of a snapshot that are not staged, once the host has applied the screens.
    func finishRestoring(_ snapshot: Snapshot, _ navigation: Navigation) {
        contents.failedStart = nil
        for gate in snapshot.gates where !world.shared.openGates.contains(gate) {
            do throws(RouteError) {
                try openGate(gate)
            } catch {
                logUnheard(error)
            }
        }
        let queuedLinks = queuedLinks
        for link in snapshot.links {
            let isQueued = queuedLinks.contains { waiting in
                link.key.map { $0 == waiting.key } ?? (waiting.text == link.url)
            }
            guard !isQueued else { continue }
            let options = DispatchOptions(
                timeout: link.left,
                key: link.key,
                persist: true,
                // A script could have written any origin into the snapshot.
                origin: navigation.origin == .script ? .script : link.origin
            )
            if case .failed(let error) = begin(link.url, options, at: nil).status {
                let path = "link '\(RouteError.shortened(link.url))'"
                navigation.journey.losses.append(.init(path: path, reason: error.message))
            }
        }
        let losses = navigation.journey.losses
        let listed = losses.prefix(Self.lossLimit)
        emit(
            .restore,
            of: navigation,
            fields: [
                ("windows", .table(InfoTable(list: snapshot.windows.map { Value($0) }))),
                ("screens", .integer(Int64(snapshot.screenCount))),
                (
                    "lost",
                    .table(
                        InfoTable(
                            list: listed.map {
                                ["path": Value($0.path), "reason": Value($0.reason)]
                            }
                        )
                    )
                ),
                (
                    "trees",
                    .table(
                        InfoTable(
                            list: tree.windows.map {
                                [
                                    "window": Value($0.name),
                                    "tree": eventTree(of: $0.name, in: tree),
                                ]
                            }
                        )
                    )
                ),
                ("state", .table(state)),
                ("gates", .table(InfoTable(list: openGates.map { Value($0) }))),
                ("links", .table(InfoTable(list: self.queuedLinks.map { eventURL(of: $0) }))),
            ]
        )
        for loss in listed { log("warn", loss.description) }
        if losses.count > listed.count {
            log("warn", "\(losses.count - listed.count) more screens or links were not restored")
        }
    }

    /// The maximum number of losses in an event and in the log.
    private static let lossLimit = 100
}
