// SPDX-License-Identifier: MIT

extension Event.Kind {
    /// Whether a flight recording contains events of this kind: input from outside the router, and
    /// the resulting waits, commits and completions.
    ///
    /// The steps of a plan and the screens that they build can be derived from these events.
    @inline(__always)
    var isInFlightRecording: Bool {
        switch self {
        case .plan, .replan, .fallback, .find, .build, .update, .stage, .after, .created, .reused,
            .removed, .timer, .rewind:
            false
        case .navigate, .joined, .gate, .wait, .intercept, .redirect, .commit, .done, .failed,
            .stayed, .cancelled, .shown, .reselected, .task, .reload, .restore, .link, .host, .call,
            .log, .slow,
            .breach:
            true
        }
    }
}

extension Router {
    // MARK: Recording

    /// Records an event.
    ///
    /// - Returns: The index of the record. Use the index to add details to the record.
    @inline(__always)
    @discardableResult
    private func record(
        _ kind: Event.Kind,
        _ navigation: Navigation?,
        as form: FlightRecorder.Slot.Form,
        value: UInt64 = 0,
        revision: Int64 = 0,
        origin: Origin = .host,
        isNested: Bool = false
    ) -> Int {
        var slot = FlightRecorder.Slot()
        slot.sequence = world.lastEvent
        slot.time = now
        slot.value = value
        slot.revision = revision
        if let navigation {
            slot.navigation = Int32(truncatingIfNeeded: navigation.id)
            slot.parent = Int32(truncatingIfNeeded: navigation.parent ?? 0)
            slot.generation = Int32(truncatingIfNeeded: navigation.generationNumber)
        } else {
            slot.generation = Int32(truncatingIfNeeded: generation.number)
        }
        slot.kind = kind
        slot.form = form
        slot.origin = origin
        slot.isNested = isNested
        return recorder.append(slot)
    }

    /// Records an event together with its fields.
    ///
    /// The fields could not be created later, because their values are temporary.
    @inline(never)
    func record(
        _ kind: Event.Kind,
        of navigation: Navigation?,
        at location: RouteError.Location?,
        fields: [(name: String, value: Value)]
    ) {
        if recorder.wantsStart, location == nil { recordStart(before: kind) }
        let place = record(kind, navigation, as: .fields)
        let fields = kind.hasValues ? Event.cut(hidingPrivate(fields)) : fields
        let bytes = Event.byteCount(of: fields)
        recorder.setDetails(place, bytes: bytes) { details in
            (details.fields, details.location) = (fields, location)
        }
    }

    @inline(never)
    private func keep(_ info: InfoTable, in navigation: Navigation, place: Int) {
        var (info, bytes) = (info, navigation.requestBytes)
        if bytes > FlightRecorder.valueLimit {
            guard case .table(let cut)? = Event.cut([("info", .table(info))]).first?.value else {
                return
            }
            (info, bytes) = (cut, cut.size)
        }
        recorder.setDetails(place, bytes: bytes) { $0.info = info }
    }

    /// Records that a navigation has begun.
    ///
    /// - Returns: Whether the event was recorded in a compact form; if not, the caller must create
    ///   the event's fields.
    @inline(never)
    func recordBeginning(of navigation: Navigation) -> Bool {
        if recorder.wantsStart, navigation.location == nil { recordStart(before: .navigate) }
        let isByScript = navigation.options.isByScript
        guard isByScript || hasPlainOptions(navigation), !navigation.opensURL else { return false }
        let place: Int
        var info = InfoTable()
        switch navigation.request {
        case .route(let target, let parameters):
            guard let number = recorder.number(of: target) else { return false }
            place = record(
                .navigate,
                navigation,
                as: .route,
                value: number,
                origin: navigation.origin,
                isNested: !isByScript && !isAtRest
            )
            info = parameters
        case .back(1): place = record(verb: 0, navigation)
        case .popToRoot: place = record(verb: 1, navigation)
        case .dismiss: place = record(verb: 2, navigation)
        case .dismissAll: place = record(verb: 3, navigation)
        // Verbs without a number, such as verbs with arguments, are recorded with fields. A crash
        // recording contains such an event without its verb.
        default: return false
        }
        // Parameters from a script are not stored, because replaying the app's calls produces the
        // same parameters again.
        if !isByScript, !info.isEmpty { keep(info, in: navigation, place: place) }
        if let location = navigation.location {
            recorder.setDetails(place, bytes: 64) { $0.location = location }
        }
        return true
    }

    private func record(verb: UInt64, _ navigation: Navigation) -> Int {
        record(
            .navigate,
            navigation,
            as: .verb,
            value: verb,
            origin: navigation.origin,
            isNested: !navigation.options.isByScript && !isAtRest
        )
    }

    /// The verbs that have a number in records; the index is the number.
    static let recordedVerbs = ["back", "popToRoot", "dismiss", "dismissAll"]

    /// Returns whether all options of a navigation have their default values.
    ///
    /// Events leave out options with default values.
    private func hasPlainOptions(_ navigation: Navigation) -> Bool {
        navigation.hasPlainOptions && navigation.options.window == tree.windows.first?.name
    }

    /// Records an event without fields.
    ///
    /// - Returns: true, because such an event can always be recorded in the compact form.
    @inline(__always)
    func recordPlain(_ kind: Event.Kind, _ navigation: Navigation) -> Bool {
        record(kind, navigation, as: .plain)
        return true
    }

    /// Records a commit.
    ///
    /// - Returns: Whether the commit was recorded in the compact form; if not, the caller must
    ///   create the event's fields.
    @inline(__always)
    func recordCommit(_ operations: [TreeOperation], _ navigation: Navigation?) -> Bool {
        guard operations.count < 16,
            operations.allSatisfy({ $0.presentation?.attributes.isEmpty ?? true })
        else { return false }
        var packed: UInt64 = 0
        for operation in operations.reversed() { packed = packed << 4 | (operation.number + 1) }
        record(.commit, navigation, as: .commit, value: packed, revision: Int64(world.revision))
        return true
    }

    /// Records that another screen became visible in a window.
    ///
    /// - Returns: Whether the event was recorded in the compact form; if not, the caller must
    ///   create the event's fields.
    @inline(never)
    func recordShown(_ leaf: ScreenID, in window: String, _ navigation: Navigation?) -> Bool {
        guard let content = tree.leafContent(leaf),
            content.fields.byteCount <= FlightRecorder.fieldLimit
        else { return false }
        let place = record(.shown, navigation, as: .shown)
        recorder.setDetails(place, bytes: 128 + content.fields.byteCount) { details in
            (details.screen, details.window) = (content, window)
        }
        return true
    }

    /// Records the current state of the router as a start, if the router is idle.
    ///
    /// - Parameter input: The kind of the latest event. The start must precede this event.
    @inline(never)
    private func recordStart(before input: Event.Kind) {
        // Events of other kinds may be sent after the change that they report, so the state may
        // already contain the change.
        guard input == .navigate, isAtRest, isIdle else { return }
        let pending = pendingWork - 1
        guard pending == 0 || recorder.wantsAnyStart else { return }
        recorder.append(makeStart(after: world.lastEvent - 1, pending))
    }

    /// The number of pending navigations, tasks, calls, queued deep links and timers.
    private var pendingWork: Int {
        queue.pendingCount + pendingTasks.count + pendingCalls.count + queuedLinks.count
            + timers.timerCount
    }

    private func makeStart(after sequence: Int, _ pending: Int) -> FlightRecorder.Start {
        let limit = FlightRecorder.startLimit
        return FlightRecorder.Start(
            number: recorder.next,
            last: recorder.last,
            sequence: sequence,
            generation: serving.number,
            tree: tree.heldBytes <= limit ? tree : nil,
            state: world.shared.stateBytes <= limit ? state : nil,
            gates: Set(openGates),
            pending: pending
        )
    }
}
