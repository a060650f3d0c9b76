// SPDX-License-Identifier: MIT

internal import LuaVM

extension Router {
    /// Records an event if flight recordings include its kind, and sends the event to its
    /// listeners.
    ///
    /// The fields are computed only if they are needed.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - navigation: The navigation to which the event belongs.
    ///   - location: The source location that caused the event.
    ///   - isRecorded: Records the event in a compact form; returns false if the fields must be
    ///     recorded instead.
    ///   - fields: The fields.
    @inline(__always)
    func emit(
        _ kind: Event.Kind,
        of navigation: Navigation? = nil,
        at location: @autoclosure () -> RouteError.Location? = nil,
        recording isRecorded: @autoclosure () -> Bool = false,
        fields: @autoclosure () -> [(name: String, value: Value)] = []
    ) {
        world.lastEvent += 1
        // A navigation that is only explained does not happen.
        if kind.isInFlightRecording, isRecording, trace == nil {
            if !isRecorded() { record(kind, of: navigation, at: location(), fields: fields()) }
        }
        if observers.isHeard || trace != nil, hears(kind, of: navigation, trace) {
            send(kind, of: navigation, at: location(), fields: fields())
        }
    }

    /// Returns whether events of a kind have a listener.
    ///
    /// If the capabilities of the scripts are restricted, the event counts toward their limit.
    func hears(_ kind: Event.Kind, of navigation: Navigation?, _ trace: Trace?) -> Bool {
        if isRestricted, trace == nil { countEvent(of: navigation) }
        return onEvent != nil || trace != nil || serving.listeners[kind] != nil
            || observers.streams.contains { ($0.kind ?? kind) == kind }
    }

    /// Returns a sequence of the events that occur from now on.
    ///
    /// The sequence ends when the router ends. It may be read on any thread, by one reader. A slow
    /// reader loses the oldest events; gaps in ``Event/sequence`` show the loss.
    ///
    /// - Parameter limit: The maximum number of unread events, at least 1.
    /// - Returns: The sequence.
    public func events(limit: Int = 1_000) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(max(1, limit))
        )
        add(EventStream(of: nil, to: continuation) { $0 })
        return stream
    }

    /// Calls a function with each event from now on, while the event happens, so that no event is
    /// lost.
    ///
    /// The function must not use the router.
    ///
    /// - Parameters:
    ///   - body: Returns whether it must be called with further events.
    ///   - end: Called when the router ends.
    package func observe(_ body: @escaping (Event) -> Bool, atEnd end: @escaping () -> Void) {
        add(EventStream(body, finish: end))
    }

    /// The ``Event/sequence`` of the last event, whether or not a listener received it; 0 if there
    /// was none.
    package var lastSequence: Int { world.lastEvent }

    func add(_ stream: EventStream) {
        checkThread()
        if queue.isShutDown { return stream.finish() }
        observers.streams.append(stream)
        noteListeners()
    }

    func sendToStreams(_ event: Event) {
        let count = observers.streams.count
        observers.streams.removeAll { stream in
            (stream.kind ?? event.kind) == event.kind && !stream.yield(event)
        }
        if observers.streams.count < count { noteListeners() }
    }

    /// Sends an event of a kind that has a listener.
    func send(
        _ kind: Event.Kind,
        of navigation: Navigation?,
        at location: RouteError.Location?,
        fields: [(name: String, value: Value)]
    ) {
        let event = Event(
            sequence: world.lastEvent,
            time: now,
            navigation: navigation?.id,
            parent: navigation?.parent,
            generation: navigation?.generationNumber ?? generation.number,
            location: location,
            kind: kind,
            fields: kind.hasValues ? Event.cut(hidingPrivate(fields)) : fields
        )
        // A navigation that is only explained does not happen.
        if let trace { return trace.hear(event) }
        onEvent?(event)
        if !observers.streams.isEmpty { sendToStreams(event) }
        // Listeners in scripts are called when the turn is over, because they may navigate.
        if serving.listeners[kind] != nil {
            queue.undelivered.append(Delivery(event: event, chain: chain), bytes: event.byteCount)
        }
    }

    /// Returns the given fields with their private values hidden.
    func hidingPrivate(
        _ fields: [(name: String, value: Value)]
    ) -> [(name: String, value: Value)] {
        let classes = classes
        if classes.privateNames.isEmpty { return fields }
        return fields.map { ($0.name, classes.hidingPrivate($0.value)) }
    }

    /// The maximum number of events that are delivered to listeners in one turn.
    static let deliveryLimit = 1_000

    /// An event, and the index of the first listener that has not yet been called with the event.
    struct Delivery {
        let event: Event
        let chain: Int
        var listener = 0
    }

    /// Calls the next listener of the oldest event.
    ///
    /// If listeners trigger each other beyond ``deliveryLimit``, the queued events are dropped and
    /// an error is logged.
    ///
    /// The turn is charged for the call, and for the time that the event takes outside of scripts,
    /// because creating an event takes longer than the instructions that cause it.
    func deliverNext() {
        guard let next = queue.undelivered.first else { return }
        let listeners = serving.listeners[next.event.kind] ?? []
        if next.listener == 0 { queue.deliveries += 1 }
        if queue.deliveries > Self.deliveryLimit {
            queue.undelivered.removeAll()
            guard queue.deliveries == Self.deliveryLimit + 1 else { return }
            log(
                "error",
                "event listeners trigger each other without end; the last event was '\(next.event.kind.rawValue)'"
            )
            return
        }
        if next.listener + 1 < listeners.count {
            queue.undelivered.updateFirst { $0.listener += 1 }
        } else {
            queue.undelivered.removeFirst()
        }
        guard next.listener < listeners.count else { return }
        let (start, left) = (SystemThread.processorTime, turnAccount.nanoseconds)
        lending.calling(for: nil, chain: next.chain) {
            outsidePump { serving.call(listeners[next.listener], with: next.event) }
        }
        let time = Budget(duration: SystemThread.processorTime - start).nanoseconds
        let known = max(0, left - turnAccount.nanoseconds)
        turnAccount.spend(
            instructions: Self.deliveryInstructions,
            nanoseconds: max(0, time - known)
        )
    }

    /// The number of instructions charged for each call to a listener, in addition to the
    /// instructions that the listener runs.
    private static let deliveryInstructions: Int64 = 1_000

    /// Logs, at most once per turn, how many events and log lines were dropped because of limits.
    ///
    /// - Returns: Whether a line was logged.
    func reportDropped() -> Bool {
        guard queue.undelivered.dropped + turnAccount.droppedLines > 0,
            turnAccount.takeReport()
        else { return false }
        let (events, lines) = (queue.undelivered.takeDropped(), turnAccount.droppedLines)
        var parts: [String] = []
        if events > 0 {
            parts.append(
                "\(events) events for listeners (at most \(queue.undelivered.limit) events and "
                    + "\(queue.undelivered.byteLimit) bytes are queued)"
            )
        }
        if lines > 0 {
            let most = turnAccount.wholeLog
            parts.append(
                "\(lines) lines of the log (at most \(most.lines) lines and \(most.bytes) bytes in a turn)"
            )
        }
        log("warn", "dropped: " + parts.joined(separator: ", "))
        return true
    }

    package func log(_ level: String, _ message: String, at location: RouteError.Location? = nil) {
        emit(
            .log,
            of: currentNavigation,
            at: location,
            fields: [("level", Value(level)), ("message", Value(message))]
        )
    }

    /// Logs an error in a script function whose caller cannot catch the error.
    func logUnheard(_ error: RouteError) {
        counters.count(error)
        let (count, limit) = (error.message.utf8.count, capabilities.rates.logBytes)
        guard (try? use(.logRate, amount: count, of: limit, what: "bytes in the log")) != nil else {
            return
        }
        log("error", error.message, at: error.location)
        onScriptFailure?(.function)
    }

    /// Returns the fields of an event about a screen.
    func fields(about id: ScreenID) -> [(name: String, value: Value)] {
        tree.fields(about: id, classes)
    }

    /// Returns a screen in tree notation, without its child screens; truncated after 64 KiB.
    public func notation(of id: ScreenID) -> String {
        tree.notation(of: id, classes)
    }

    /// Returns the tree of a window in tree notation; empty if there is no such window.
    public func treeNotation(window: String = "main") -> String {
        tree.notation(window: window, classes)
    }

    /// Sends the events about changed windows and screens.
    func emitChange(_ navigation: Navigation?, _ difference: Difference, cause: String) {
        if !contents.hostScreens.isEmpty { contents.hostScreens.subtract(difference.created) }
        for id in difference.created { emit(.created, of: navigation, fields: fields(about: id)) }
        for id in difference.removed { emit(.removed, of: navigation, fields: fields(about: id)) }
        for window in tree.windows {
            let leaf = tree.visibleLeaf(of: window)
            let previous = world.shown[window.name]
            guard leaf != previous else { continue }
            world.shown[window.name] = leaf
            emit(
                .shown,
                of: navigation,
                recording: recordShown(leaf, in: window.name, navigation),
                fields: [
                    ("window", Value(window.name)), ("screen", tree.eventText(of: leaf, classes)),
                    ("previous", previous.map { tree.eventText(of: $0, classes) } ?? .nil),
                    ("cause", Value(cause)),
                ]
            )
        }
        if !world.shown.isEmpty, world.shown.count != tree.windows.count {
            world.shown = world.shown.filter { tree.window($0.key) != nil }
        }
    }
}
