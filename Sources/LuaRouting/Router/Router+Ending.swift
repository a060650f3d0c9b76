// SPDX-License-Identifier: MIT

/// Ends navigations; each navigation ends exactly once.
extension Router {
    /// Cancels a navigation.
    ///
    /// The tree stays as it is.
    ///
    /// Pending work that the navigation began is cancelled too. Has no effect if the navigation has
    /// ended or the host is applying its change.
    ///
    /// - Returns: Whether the navigation was cancelled.
    @discardableResult
    public func cancel(_ navigation: Navigation) -> Bool {
        enter()
        if navigation.isPending { emitCall(.cancel(.navigation, navigation.id)) }
        let isCancelled = cancel(navigation, .cancelledByCaller())
        pump()
        return isCancelled
    }

    @discardableResult
    func cancel(_ navigation: Navigation, _ error: RouteError) -> Bool {
        if lending.stage?.pointee.handle === navigation { return false }
        guard navigation.isPending,
            navigation.record.leader != nil || !navigation.record.isCommitted
        else {
            return false
        }
        part(navigation)
        end(navigation, .cancelled(error))
        return true
    }

    /// Ends a navigation, unless it has already ended.
    func end(_ navigation: Navigation, _ status: Navigation.Status) {
        guard navigation.isPending else { return }
        navigation.status = status
        countEnd(of: navigation)
        forget(navigation)
        notifyEnd(of: navigation)
        if case .failed(let error) = status { logUnawaited(navigation, error) }
        if case .start(let info) = navigation.request { noteStart(info, status) }
        if !navigation.record.followers.isEmpty { endFollowers(of: navigation, status) }
        release(from: navigation)
        if case .done = status { return }
        for child in navigation.record.children { cancel(child, .parentEnded(navigation)) }
        for task in navigation.record.tasks { cancel(task, .parentEnded(navigation)) }
    }

    private func noteStart(_ info: InfoTable, _ status: Navigation.Status) {
        switch status {
        case .failed(let error): contents.failedStart = (info, error)
        case .done: contents.failedStart = nil
        case .pending, .stayed, .cancelled: break
        }
    }

    /// Ends the navigations that were coalesced with a navigation that has ended.
    private func endFollowers(of navigation: Navigation, _ status: Navigation.Status) {
        let followers = navigation.record.followers
        navigation.record.followers = []
        for follower in followers {
            follower.record.leader = nil
            follower.status = status
            follower.screen = navigation.screen
            follower.resultScreen = navigation.resultScreen
            countEnd(of: follower)
            forget(follower)
            notifyEnd(of: follower)
            release(from: follower)
        }
    }

    /// Removes the references to an ended navigation.
    private func forget(_ navigation: Navigation) {
        cancelQuestion(of: navigation)
        stopTimeout(of: navigation)
        if !navigation.record.dependencies.isEmpty { navigation.record.dependencies = [:] }
        if queue.active.last === navigation {
            queue.active.removeLast()
        } else if let index = queue.active.firstIndex(where: { $0 === navigation }) {
            queue.active.remove(at: index)
        }
        if !queue.ready.isEmpty { queue.ready.removeAll { $0 === navigation } }
        if navigation.record.gate != nil { queue.gated.removeAll { $0 === navigation } }
        if let other = navigation.record.waitsFor?.navigation {
            other.record.waiting.removeAll { $0 === navigation }
            navigation.record.waitsFor = nil
        }
        navigation.parentNavigation?.record.children.removeAll { $0 === navigation }
        navigation.generation = nil
    }

    /// Sends the event about the end of a navigation, resumes the callers that await the
    /// navigation, and schedules its completion handler.
    private func notifyEnd(of navigation: Navigation) {
        queue.pendingCount -= 1
        switch navigation.status {
        case .pending: break
        case .done: emit(.done, of: navigation, recording: recordPlain(.done, navigation))
        case .stayed(let reason): emit(.stayed, of: navigation, fields: [("reason", Value(reason))])
        case .failed(let error):
            emit(.failed, of: navigation, at: error.location, fields: fields(about: error))
            if navigation.location != nil { onScriptFailure?(.navigation(navigation)) }
        case .cancelled(let error):
            emit(.cancelled, of: navigation, at: error.location, fields: fields(about: error))
        }
        if !navigation.record.awaiting.isEmpty {
            for wait in navigation.record.awaiting { end(wait, navigation.results) }
            navigation.record.awaiting = []
        }
        if !navigation.record.awaitingResult.isEmpty {
            let awaitingResult = navigation.record.awaitingResult
            navigation.record.awaitingResult = []
            for wait in awaitingResult { awaitResult(of: navigation, wait) }
        }
        guard let completion = navigation.record.completion else {
            navigation.completions = 1
            return
        }
        navigation.record.completion = nil
        queue.endings.append(.navigation(navigation, completion))
    }

    // MARK: Results

    /// Ends a wait when the screen that a navigation reached is removed, or immediately if the
    /// result is known.
    func awaitResult(of navigation: Navigation, _ wait: Wait) {
        if let result = result(of: navigation) {
            end(wait, result)
        } else if navigation.isPending {
            wait.navigation = navigation
            navigation.record.awaitingResult.append(wait)
        } else if let screen = navigation.resultScreen {
            wait.screen = screen
            screens.waits[screen, default: []].append(wait)
        }
    }

    /// Returns the result of a navigation; nil while the result is not known.
    func result(of navigation: Navigation) -> [Value]? {
        switch navigation.status {
        case .pending: return nil
        case .failed, .stayed: return [.boolean(false), "failed"]
        case .cancelled: return [.boolean(false), "cancelled"]
        case .done:
            guard let screen = navigation.resultScreen else {
                return [.boolean(false), "left"]
            }
            if let left = world.closings[screen] { return left }
            return tree.isAlive(screen) ? nil : [.boolean(false), "left"]
        }
    }

    /// Records removed screens, and ends the waits for them.
    ///
    /// - Parameters:
    ///   - screens: The removed screens.
    ///   - closed: The screen that was closed, with its value; nil if no screen was closed.
    func noteLeft(_ screens: [ScreenID], closed: (screen: ScreenID, value: Value)?) {
        for screen in screens {
            var result: [Value] = [.boolean(false), "left"]
            if let closed, closed.screen == screen {
                result =
                    closed.value.isNil
                    ? [.boolean(false), "closed"] : [.boolean(true), closed.value]
                // Scripts may read the result later. The result is released with the screen.
                world.closings[screen] = result
                world.closingBytes += result.reduce(0) { $0 + $1.size }
            }
            guard let waits = self.screens.waits.removeValue(forKey: screen) else { continue }
            for wait in waits { end(wait, result) }
        }
    }

    func fields(about error: RouteError) -> [(name: String, value: Value)] {
        [("code", Value(error.code.rawValue)), ("message", Value(error.message))]
    }
}

extension Navigation {
    /// The results of `await`: whether the navigation succeeded and, if not, the reason.
    var results: [Value] {
        if case .done = status { return [.boolean(true), .nil] }
        return [.boolean(false), why]
    }

    /// The reason why the navigation did not succeed, for completions.
    var why: Value {
        switch status {
        case .pending, .done: .nil
        case .stayed(let reason): Value(why: status.name, code: nil, reason)
        case .failed(let error), .cancelled(let error):
            Value(why: status.name, error)
        }
    }
}

extension Value {
    /// Creates the reason for a failure: `status`, `code`, `message`, and `location` if a script
    /// caused the failure.
    init(why status: String, _ error: RouteError) {
        self.init(why: status, code: error.code, error.message, at: error.location)
    }

    /// Creates the reason why work did not succeed; `code` is nil if the reason is not an error.
    init(
        why status: String,
        code: RouteError.Code?,
        _ message: String,
        at location: RouteError.Location? = nil
    ) {
        var why = InfoTable()
        why["status"] = Value(status)
        why["code"] = code.map { Value($0.rawValue) } ?? .nil
        why["message"] = Value(message)
        why["location"] = location.map { Value($0.description) } ?? .nil
        self = .table(why)
    }
}
