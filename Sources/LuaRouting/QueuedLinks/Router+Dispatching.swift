// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteURLs

/// Queued deep links. A queued deep link waits until its routing has an action.
extension Router {
    // MARK: The verbs of the host

    /// Dispatches a URL to the routing that it matches best.
    ///
    /// The action of the routing is called in a separate turn. This happens before this method
    /// returns, unless another turn or a script is running. If the routing has no action, the deep
    /// link is queued until an action is set. The link fails with `notFound` if no routing matches
    /// the URL, and with `busy` if the queue is full.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - options: The options.
    ///   - completion: Called once, when the link has ended.
    /// - Returns: The link. Its `status` contains the outcome, or `pending` while the link is
    ///   queued.
    @discardableResult
    public func dispatch(
        _ url: String,
        options: DispatchOptions = DispatchOptions(),
        completion: ((QueuedLink) -> Void)? = nil
    ) -> QueuedLink {
        dispatch(bytes: ByteString(url), options: options, completion: completion)
    }

    /// Dispatches a URL that may contain any bytes.
    @discardableResult
    package func dispatch(
        bytes url: ByteString,
        options: DispatchOptions = DispatchOptions(),
        completion: ((QueuedLink) -> Void)? = nil
    ) -> QueuedLink {
        let link = begin(url, options, at: nil, isByHost: true, completion: completion)
        pump()
        return link
    }

    /// Cancels a deep link that is queued, or whose action is waiting.
    ///
    /// - Returns: Whether the link was cancelled; false if it has ended, or if its action is
    ///   running.
    @discardableResult
    public func cancel(_ link: QueuedLink) -> Bool {
        enter()
        if link.isPending { emitCall(.cancel(.link, link.id)) }
        let isCancelled = withdraw(link)
        pump()
        return isCancelled
    }

    /// Cancels all queued deep links, with a single event.
    ///
    /// The event is also sent if there are no queued deep links.
    public func cancelLinks() {
        enter()
        emitCall(.cancel(.links, nil))
        withdrawLinks()
        pump()
    }

    // MARK: From beginning to end

    /// Begins a link.
    ///
    /// The caller must schedule the next turn.
    func begin(
        _ url: ByteString,
        _ options: DispatchOptions,
        at location: RouteError.Location?,
        isByHost: Bool = false,
        completion: ((QueuedLink) -> Void)? = nil
    ) -> QueuedLink {
        enter()
        world.lastLink += 1
        let link = QueuedLink(
            id: world.lastLink,
            text: url,
            options: options,
            chain: chain + 1,
            location: location,
            completion: completion
        )
        if queue.isShutDown {
            let title = "deep link '\(RouteError.shortened(link.url))'"
            logEnded(title, isAwaited: completion != nil)
            end(link, .cancelled(.routerHasEnded()))
            return link
        }
        do throws(RouteError) {
            guard link.chain <= Self.chainLimit else { throw .endlessLinks() }
            if link.origin == .person { throw .forbidden(RouteError.shortened(url), .person) }
            if isByHost, let timeout = options.timeout, !Self.isTime(timeout) {
                throw .notATime("timeout", timeout)
            }
            guard (options.key?.utf8.count ?? 0) <= Self.keyLimit else { throw .keyTooLong() }
            // Links always belong to the active scripts, even if a retired generation dispatches
            // them.
            do throws(RouteError) {
                try lending.calling(for: serving) { () throws(RouteError) in try match(link) }
            } catch {
                if isByHost { emitDispatch(of: link, options.timeout) }
                throw error
            }
            if isByHost { emitDispatch(of: link, options.timeout) }
            try makeRoom(for: link)
        } catch {
            fail(link, error)
            return link
        }
        contents.queuedLinkRecords.waiting.append(link)
        if let timeout = options.timeout, timeout > 0, timeout.isFinite {
            let deadline = time(in: timeout)
            link.state.deadline = deadline
            link.timer = timers.add(at: deadline, .deadline) { [unowned self, weak link] in
                guard let link else { return }
                giveUp(link, owner(ofDeadline: timeout))
            }
        }
        return link
    }

    /// Sends the event of a link that the app dispatched.
    private func emitDispatch(of link: QueuedLink, _ timeout: Double?) {
        emitCall(
            .dispatch(
                link.id,
                url: eventURL(of: link),
                origin: link.origin,
                timeout: timeout,
                key: link.key,
                isPersistent: link.isPersistent
            )
        )
    }

    /// The maximum size of the key of a link, in bytes.
    ///
    /// The size is limited because each event about the link contains the key.
    private static let keyLimit = 256

    /// Finds the routing that a link matches.
    ///
    /// - Throws: `notFound`, with the reason, or the error raised by the function of a parameter
    ///   kind.
    private func match(_ link: QueuedLink) throws(RouteError) {
        let routings = generation.declarations.routings
        var url = link.text
        let answer = try withoutEffects { () throws(RouteError) in
            url = try generation.rewritten(link.text)
            return try routings.table.match(url, asking: generation.value(ofKind:_:))
        }
        link.state.rewritten = url == link.text ? nil : url
        switch answer {
        case .match(let match):
            guard !Value.table(match.parameters).isTooDeep else { throw .tooDeep() }
            link.follow(match, routings.routings[match.route])
        case .none(let problem):
            let isRoute =
                problem == .noPattern
                && isMatched(url, by: generation.links.table)
            throw .noRouting(
                link.text,
                rewrittenTo: url,
                problem,
                nearest: isRoute ? nil : routings.table.nearest(to: url, problem),
                isRoute: isRoute
            )
        }
    }

    /// Makes room for a link in the queue by removing a queued link with the same key.
    ///
    /// - Throws: `busy` if the queue is full.
    private func makeRoom(for link: QueuedLink) throws(RouteError) {
        if let key = link.key, let earlier = queuedLinks.first(where: { $0.key == key }) {
            withdraw([earlier], .superseded(by: link))
        }
        guard queuedLinks.count < configuration.linkLimit else {
            throw .tooManyLinks(queuedLinks.count)
        }
    }

    /// Returns the next link whose action can run; nil if there is none, or while a script is
    /// running.
    ///
    /// This is the link that was already reported, or otherwise the first queued link whose routing
    /// has an action that is not running. An action never runs while another script function is
    /// running.
    func takeLinkToFollow() -> QueuedLink? {
        guard !queuedLinks.isEmpty, !isRunningScript else { return nil }
        return contents.queuedLinkRecords.next
            ?? queuedLinks.first { $0.routing?.action != nil && $0.routing?.isBusy == false }
    }

    /// Reports in the first call that the action of a deep link runs next, and runs the action in
    /// the second call.
    ///
    /// The listeners are called between the two calls.
    ///
    /// Until the second call, the link is like any other queued link: it can be cancelled, or it
    /// can lose its action and keep waiting.
    func follow(_ link: QueuedLink) {
        guard contents.queuedLinkRecords.next != nil else {
            contents.queuedLinkRecords.next = link
            emit("will", link: link, at: link.routing?.location)
            return
        }
        contents.queuedLinkRecords.next = nil
        guard let routing = link.routing, let action = routing.action else { return }
        let location = routing.location
        contents.queuedLinkRecords.waiting.removeAll { $0 === link }
        contents.queuedLinkRecords.followed.append(link)
        stopTimer(of: link)
        routing.isBusy = true
        let activity = Activity(
            "the action of link '\(routing.pattern)'",
            for: nil,
            chain: link.chain,
            timeout: generation.declarations.timeout
        ) { [unowned self] result in
            switch result {
            case .success(let values):
                link.state.result = values[0]
                emit("did", link: link, at: location, more: [("result", link.result)])
                end(link, .done)
            case .failure(let error):
                fail(link, error)
            }
        }
        activity.followsLink = true
        activity.dropsHandle = true
        link.activity = activity
        outsidePump {
            run(action, as: activity) { writer in
                Value.table(link.request).write(to: &writer, generation.runtime.objects)
            }
        }
    }

    // MARK: Ends

    private func fail(_ link: QueuedLink, _ error: RouteError) {
        emit("failed", link: link, at: error.location ?? link.location, more: fields(about: error))
        end(link, .failed(error))
    }

    private func giveUp(_ link: QueuedLink, _ owner: RouteError.DeadlineOwner) {
        link.timer = nil
        guard link.isPending else { return }
        emit("timeout", link: link, at: link.location)
        end(link, .failed(.linkWaitedTooLong(link, owner)))
        pump()
    }

    /// Cancels a deep link that is queued, or whose action is waiting.
    ///
    /// - Returns: Whether the link was cancelled; false if it has ended, or if its action is
    ///   running.
    func withdraw(_ link: QueuedLink) -> Bool {
        guard link.isPending, link.activity == nil || link.activity?.thread != nil else {
            return false
        }
        withdraw([link], .cancelledByCaller())
        return true
    }

    /// Cancels all queued deep links.
    func withdrawLinks() { withdraw(queuedLinks, .cancelledByCaller()) }

    func withdraw(_ links: [QueuedLink], _ error: RouteError) {
        emit(
            .link,
            of: nil,
            fields: [
                ("phase", "cancelled"),
                ("links", .table(InfoTable(list: links.map { .table(InfoTable(fields(of: $0))) }))),
            ] + fields(about: error)
        )
        for link in links { end(link, .cancelled(error)) }
    }

    /// Ends a link, unless it has already ended.
    private func end(_ link: QueuedLink, _ status: QueuedLink.Status) {
        guard link.isPending else { return }
        link.state.status = status
        if case .failed(let error) = status {
            counters.count(error)
            logUnawaited(link, error)
        }
        if let activity = link.activity {
            link.activity = nil
            link.routing?.isBusy = false
            contents.queuedLinkRecords.followed.removeAll { $0 === link }
            cancel(activity)
        }
        // Other code may retain the link, but the link must not keep the script's declaration
        // alive.
        link.routing = nil
        stopTimer(of: link)
        contents.queuedLinkRecords.waiting.removeAll { $0 === link }
        if contents.queuedLinkRecords.next === link { contents.queuedLinkRecords.next = nil }
        guard let completion = link.completion else {
            link.state.completions = 1
            return
        }
        link.completion = nil
        queue.endings.append(.link(link, completion))
    }

    private func stopTimer(of link: QueuedLink) {
        if let timer = link.timer { timers.remove(timer) }
        link.timer = nil
    }

    private func emit(
        _ phase: String,
        link: QueuedLink,
        at location: RouteError.Location?,
        more: [(name: String, value: Value)] = []
    ) {
        emit(
            .link,
            of: nil,
            at: location,
            fields: [("phase", Value(phase))] + fields(of: link) + more
        )
    }

    // MARK: Reloading

    /// Matches the queued links against the routings of the active scripts.
    ///
    /// The links keep their order and their deadlines. A link that no routing matches any more
    /// fails with `notFound`. So does a link that is not matched because the budget has been used
    /// up. The budget for matching is the budget for loading the scripts.
    package func rematchLinks() {
        enter()
        let failures = lending.calling(for: serving) { matchAgain(queuedLinks) }
        for (link, error) in failures where link.isPending { fail(link, error) }
        pump()
    }

    /// Matches links again.
    ///
    /// If the scripts declare parameter kinds, all links are matched in one entry into the scripts.
    ///
    /// - Returns: The links without a match, each with the reason.
    private func matchAgain(
        _ links: [QueuedLink]
    ) -> [(link: QueuedLink, error: RouteError)] {
        let work = Rematching(links)
        // The Lua function below exists until Lua collects garbage, but must not keep the links
        // alive.
        defer { work.failures = [] }
        let declarations = generation.declarations.linkDeclarations
        guard !links.isEmpty, !declarations.kinds.isEmpty || declarations.rewriter != nil else {
            matchAgain(work)
            return work.failures
        }
        do throws(ScriptError) {
            let entry = try generation.runtime.lua.makeFunction(name: "function") {
                [unowned self] _ in
                matchAgain(work)
            }
            try generation.runtime.lua.run(entry)
        } catch {
            // The link that exceeded the budget has already been added to the failures; the
            // remaining links were not matched.
            let error = RouteError(error)
            while let link = work.next() {
                work.failures.append((link, .notMatchedAgain(link.text, error)))
            }
        }
        return work.failures
    }

    private func matchAgain(_ work: Rematching) {
        while let link = work.next() {
            do throws(RouteError) {
                try match(link)
            } catch {
                let isOver = error.code == .budget
                work.failures.append((link, isOver ? .notMatchedAgain(link.text, error) : error))
            }
        }
    }
}

/// The links that still have to be matched again.
private final class Rematching {
    private var left: ArraySlice<QueuedLink>
    var failures: [(link: QueuedLink, error: RouteError)] = []

    init(_ links: [QueuedLink]) { left = links[...] }

    func next() -> QueuedLink? { left.popFirst() }
}

extension Router {
    /// Returns the fields of a link in events.
    fileprivate func fields(of link: QueuedLink) -> [(name: String, value: Value)] {
        let url = eventURL(of: link)
        var fields = link.fields(url: url)
        // The rewritten URL is left out if the URL contains private values.
        if let rewritten = link.state.rewritten, url == .string(link.text.limited) {
            fields.append(("rewritten", .string(rewritten.limited)))
        }
        return fields
    }

    /// Returns the URL of a link in events, or the pattern of its routing if a parameter is
    /// private.
    func eventURL(of link: QueuedLink) -> Value {
        let classes = classes
        let isPrivate =
            classes.hasPrivate(in: link.pathParameters)
            || classes.hasPrivate(in: link.queryParameters)
        guard isPrivate else { return .string(link.text.limited) }
        return link.pattern.map { Value($0) } ?? ScreenClasses.hidden
    }
}

extension QueuedLink {
    /// Returns the link's fields in events.
    fileprivate func fields(url: Value) -> [(name: String, value: Value)] {
        var fields: [(name: String, value: Value)] = [("id", .integer(Int64(id))), ("url", url)]
        if let pattern { fields.append(("pattern", Value(pattern))) }
        if let key { fields.append(("key", Value(key))) }
        return fields + [
            ("pathParameters", .table(pathParameters)),
            ("queryParameters", .table(queryParameters)),
        ]
    }
}

extension InfoTable {
    fileprivate init(_ fields: [(name: String, value: Value)]) {
        self.init()
        for (name, value) in fields { self[name] = value }
    }
}
