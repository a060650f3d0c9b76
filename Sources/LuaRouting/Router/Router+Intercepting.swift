// SPDX-License-Identifier: MIT

internal import LuaVM

/// Calls each interceptor of a navigation once.
///
/// An interceptor can stop the navigation before the navigation has any effect.
extension Router {
    /// Calls an interceptor of a navigation.
    ///
    /// - Returns: Whether the navigation continues immediately, because the interceptor let it
    ///   proceed or redirected it.
    /// - Throws: The error with which the interceptor ends the navigation.
    func ask(_ interception: Interception, _ navigation: Navigation) throws(RouteError) -> Bool {
        if case .leaving(let screen) = interception.interceptor,
            navigation.record.asked?.interception != interception,
            let goesOn = meetQuestion(about: screen, navigation)
        {
            if goesOn { navigation.journey.passed.insert(interception) }
            return goesOn
        }
        let before = world.shared.edits
        do throws(RouteError) {
            let answer: InterceptorAnswer = try answer(of: interception, navigation)
            if world.shared.edits != before { navigation.journey.changer = interception }
            switch answer {
            case .passes:
                navigation.journey.passed.insert(interception)
                return true
            case .waits: return false
            case .stays(let why):
                end(navigation, .stayed(why ?? "an interceptor ended the navigation as 'stayed'"))
                return false
            case .redirects(let target, let info, let location):
                try redirect(navigation, to: target, info)
                navigation.journey.asker = location.map { .call($0) }
                return true
            }
        } catch {
            throw error.at(generation.declarations.location(of: interception, in: tree))
        }
    }

    /// The answer of an interceptor.
    enum InterceptorAnswer {
        case passes
        case waits
        case stays(String?)
        /// The navigation continues with another target.
        ///
        /// The location is the source location of the script's call.
        case redirects(Target, InfoTable, RouteError.Location?)
    }

    private func answer(
        of interception: Interception,
        _ navigation: Navigation
    ) throws(RouteError) -> InterceptorAnswer {
        if let question = navigation.record.asked, question.interception == interception {
            guard let answer = question.answer else { return .waits }
            navigation.record.asked = nil
            return try answer.get()
        }
        let function: ScriptFunction
        let name: String
        var timeout: Double?
        var screen: ScreenID?
        switch interception.interceptor {
        case .named(let word):
            let declared = try generation.declarations.interceptor(word)
            function = declared.body
            name = word
            timeout = declared.timeout
        case .inline(let inline):
            function = inline
            name = "intercept"
        case .leaving(let id):
            // The screen may have been removed while another interceptor was called.
            let classes = generation.declarations.classDeclarations
            guard tree.isAlive(id), let leaving = classes[tree[id].class]?.leaving else {
                return .passes
            }
            function = leaving
            name = "leaving"
            screen = id
        }
        return try ask(
            navigation,
            interception: interception,
            name: name,
            function: function,
            about: screen,
            timeout: timeout
        )
    }

    /// Calls an interceptor, or another function that can give the same answers.
    private func ask(
        _ navigation: Navigation,
        interception: Interception,
        name: String,
        function: ScriptFunction,
        about screen: ScreenID?,
        timeout: Double?
    ) throws(RouteError) -> InterceptorAnswer {
        if let error = navigation.recursionError(of: interception.interceptor, name) {
            throw logged(error, of: navigation)
        }
        emit(.intercept, of: navigation, fields: [("name", Value(name))])
        let question = Navigation.Question(interception, name: name, at: now)
        let proceed = try proceed(
            question,
            in: navigation,
            function: function,
            behind: screen == nil ? 1 : 2
        )
        let activity = Activity(
            "interceptor '\(name)'",
            for: navigation,
            chain: navigation.chain,
            as: .interceptor,
            timeout: timeout ?? generation.declarations.timeout,
            hasOwnTimeout: timeout != nil
        ) { [unowned self] result in
            heard(result, question: question, in: navigation, mayProceed: proceed != nil)
        }
        question.activity = activity
        navigation.record.asked = question
        (navigation.record.arrivals, navigation.record.shown) = ([], [])
        navigation.record.asksToLeave = screen != nil
        question.isRunning = true
        // Navigations that the interceptor begins are children of this navigation, and run within
        // the interceptor's call.
        outsidePump {
            run(function, as: activity, results: 2) { writer in
                generation.runtime.objects.write(navigation, to: &writer)
                if let screen {
                    Value.screen(screen).write(to: &writer, generation.runtime.objects)
                }
                if let proceed { writer.write(proceed) }
            }
        }
        question.isRunning = false
        guard navigation.isPending else { return .waits }
        guard let answer = question.answer else {
            wait(navigation, for: name, .wait)
            return .waits
        }
        navigation.record.asked = nil
        return try answer.get()
    }

    /// Logs an error of nested navigations, because an interceptor may ignore the error.
    func logged(_ error: RouteError, of navigation: Navigation) -> RouteError {
        log("warn", error.message, at: navigation.location)
        return error
    }

    /// Returns the function `proceed`, the last argument of an interceptor; nil if the interceptor
    /// does not declare a parameter for it.
    private func proceed(
        _ question: Navigation.Question,
        in navigation: Navigation,
        function: ScriptFunction,
        behind others: Int
    ) throws(RouteError) -> LuaFunction? {
        do throws(ScriptError) {
            guard try generation.runtime.lua.parameters(of: function.lua).count > others else {
                return nil
            }
            return try generation.runtime.lua.makeFunction(name: "proceed") {
                [unowned self, weak navigation] frame in
                guard let passes = frame.boolean(at: 0) else {
                    throw frame.mismatch(at: 0, "boolean")
                }
                try checkEffects(of: "'proceed'")
                if let trace {
                    return trace.notes(call: "proceed", of: .other, at: frame.location())
                }
                // The behavior must not depend on whether a navigation that has ended is still
                // referenced.
                guard question.answer != nil || navigation?.isPending == true else { return }
                let location = frame.location()
                let answer: Result<InterceptorAnswer, RouteError> =
                    passes
                    ? .success(.passes)
                    : .failure(.stopped(by: question.name, frame.string(at: 1), at: location))
                settle(question, in: navigation, answer: answer, at: location)
            }
        } catch {
            throw RouteError(error)
        }
    }

    /// Handles the result of an interceptor.
    private func heard(
        _ result: Result<[Value], RouteError>,
        question: Navigation.Question,
        in navigation: Navigation,
        mayProceed: Bool
    ) {
        switch result {
        case .success(let values):
            switch values[0] {
            case .nil where !values[1].isNil:
                let error = RouteError.passesWithReason(
                    "interceptor '\(question.name)'",
                    fix: "'return false, reason' or 'router.stop(reason)'"
                )
                settle(question, in: navigation, answer: .failure(error), at: nil)
            case .nil where mayProceed:
                guard question.answer == nil, navigation.isPending,
                    let activity = question.activity
                else { return }
                let due = time(in: activity.timeout)
                question.timer = timers.add(at: due, .deadline) { [unowned self] in
                    let error = lateness(of: activity)
                    settle(question, in: navigation, answer: .failure(error), at: nil)
                }
            case .nil, .boolean(true):
                settle(question, in: navigation, answer: .success(.passes), at: nil)
            case .boolean(false):
                let error = RouteError.stopped(by: question.name, values[1].text, at: nil)
                settle(question, in: navigation, answer: .failure(error), at: nil)
            case let other:
                let error = RouteError.badAnswer(question.name, other.scriptKind)
                settle(question, in: navigation, answer: .failure(error), at: nil)
            }
        case .failure(let error):
            guard let end = error.cause as? InterceptorEnd else {
                settle(question, in: navigation, answer: .failure(error), at: error.location)
                return
            }
            let answer: Result<InterceptorAnswer, RouteError> =
                switch end.answer {
                case .stop(let why): .failure(.stopped(by: question.name, why, at: end.location))
                case .stay(let why): .success(.stays(why))
                case .redirect(let target, let info):
                    .success(.redirects(target, info, end.location))
                }
            settle(question, in: navigation, answer: answer, at: end.location)
        }
    }

    /// Accepts the first answer of an interceptor.
    ///
    /// A second answer is only logged.
    private func settle(
        _ question: Navigation.Question,
        in navigation: Navigation?,
        answer: Result<InterceptorAnswer, RouteError>,
        at location: RouteError.Location?
    ) {
        guard question.answer == nil else {
            log("warn", RouteError.answeredTwice(question.name).message, at: location)
            return
        }
        question.answer = answer
        counters.count(interceptor: now - question.start)
        if let timer = question.timer { timers.remove(timer) }
        // If the call is still running, its caller reads the answer afterwards.
        guard !question.isRunning, let navigation, navigation.record.asked === question,
            navigation.isPending
        else { return }
        navigation.journey.hasWaited = true
        goOn(navigation)
        pump()
    }

    /// Cancels the call to an interceptor whose answer is no longer needed.
    func cancelQuestion(of navigation: Navigation) {
        guard let question = navigation.record.asked else { return }
        navigation.record.asked = nil
        if question.answer == nil { counters.count(interceptor: now - question.start) }
        if let timer = question.timer { timers.remove(timer) }
        if let activity = question.activity { cancel(activity) }
        question.activity = nil
    }

    private func redirect(
        _ navigation: Navigation,
        to target: Target,
        _ info: InfoTable
    ) throws(RouteError) {
        try navigation.journey.checkRedirect(to: target, info)
        navigation.journey.redirect(
            to: target,
            info: info,
            in: tree.windowName(of: navigation.options)
        )
        emit(
            .redirect,
            of: navigation,
            fields: [("service", Value(target.service)), ("task", Value(target.task))]
        )
        release(from: navigation)
    }
}
