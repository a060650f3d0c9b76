// SPDX-License-Identifier: MIT

internal import LuaVM

/// Asking the interceptors of a navigation, each once, and refusing before anything happens.
extension Router {
    /// What becomes of a navigation when its interceptors were asked.
    enum Passage {
        /// It goes on with the next phase.
        case passed
        /// An interceptor answers later.
        case waits
        /// It has ended, or has another phase now.
        case turned
    }

    /// The interceptors that run for every route, as far as they are for this one.
    func interceptorsForAll(
        before phase: InterceptAll.Phase,
        _ navigation: Navigation
    ) -> [Step.Interceptor] {
        let all = generation.interceptAll
        guard !all.isEmpty, let service = navigation.target?.service else { return [] }
        return
            all
            .filter { $0.before == phase && $0.isFor(service) }
            .map { .named($0.name) }
    }

    /// Asks interceptors in order, but for those that have let the navigation pass.
    func ask(
        _ interceptors: [Step.Interceptor],
        _ navigation: Navigation
    ) throws(RouteError) -> Passage {
        for interceptor in interceptors where !navigation.passed.contains(interceptor) {
            let answer: InterceptorAnswer
            let before = edits
            do throws(RouteError) {
                answer = try ask(interceptor, navigation)
            } catch {
                throw error.at(place(of: interceptor, navigation))
            }
            if edits != before { navigation.changer = interceptor }
            switch answer {
            case .passes: navigation.passed.insert(interceptor)
            case .waits: return .waits
            case .stays(let why):
                end(navigation, .stayed(why ?? "an interceptor has it stay"))
                return .turned
            case .redirects(let target, let info):
                do throws(RouteError) {
                    try redirect(navigation, to: target, info)
                } catch {
                    throw error.at(place(of: interceptor, navigation))
                }
                return .turned
            }
        }
        return .passed
    }

    /// The line that declares an interceptor.
    private func place(
        of interceptor: Step.Interceptor,
        _ navigation: Navigation
    ) -> RouteError.Location? {
        switch interceptor {
        case .named(let name): generation.interceptors[name]?.place
        case .inline:
            navigation.plan?.visited.first { $0.step.intercept.contains(interceptor) }?.step.place
        }
    }

    /// The error of a navigation whose plans do not hold.
    func tooManyPlans(_ navigation: Navigation) -> RouteError {
        guard let changer = navigation.changer else { return .tooManyPlans(nil) }
        let name = if case .named(let name) = changer { name } else { "intercept" }
        return RouteError.tooManyPlans(name).at(place(of: changer, navigation))
    }

    /// What an interceptor answers.
    enum InterceptorAnswer {
        case passes
        case waits
        case stays(String?)
        case redirects(Target, Table)
    }

    private func ask(
        _ interceptor: Step.Interceptor,
        _ navigation: Navigation
    ) throws(RouteError) -> InterceptorAnswer {
        let function: LuaFunction
        let name: String
        switch interceptor {
        case .named(let word):
            function = try generation.interceptor(word).body
            name = word
        case .inline(let inline):
            function = inline
            name = "intercept"
        }
        emit(.intercept, navigation, [("name", Value(name))])
        let question = Navigation.Question(interceptor, name: name)
        navigation.asked = question
        question.isRunning = true
        // What it begins is a child of the navigation, and runs within its call.
        let result = asking(navigation) {
            generation.ask(function, question, navigation)
        }
        question.isRunning = false
        guard navigation.isPending else { return .waits }
        let answer = try result.get()
        if case .waits = answer {
            navigation.status = .pending(waitingFor: name)
            return .waits
        }
        question.isAnswered = true
        navigation.asked = nil
        return answer
    }

    private func asking<Result>(_ navigation: Navigation, _ body: () -> Result) -> Result {
        var result: Result?
        onBehalf(of: navigation, chain: navigation.chain) {
            outsidePump { result = body() }
        }
        guard let result else { preconditionFailure("the closure has run") }
        return result
    }

    /// Takes the answer of an interceptor: its first one; another is told to the log.
    func answer(
        _ question: Navigation.Question,
        _ navigation: Navigation,
        passes: Bool,
        _ why: String?,
        at place: RouteError.Location?
    ) {
        guard !question.isAnswered else {
            log("warn", RouteError.answeredTwice(question.name).message, at: place)
            return
        }
        question.isAnswered = true
        if !passes { question.refusal = .stopped(by: question.name, why, at: place) }
        // Whoever asks looks at it when the call is over.
        guard !question.isRunning, navigation.asked === question, navigation.isPending else {
            return
        }
        navigation.asked = nil
        if let refusal = question.refusal {
            end(navigation, .failed(refusal))
            pump()
            return
        }
        navigation.passed.insert(question.interceptor)
        navigation.status = .pending(waitingFor: nil)
        navigation.hasWaited = true
        ready.insert(navigation, at: 0)
        pump()
    }

    private func redirect(
        _ navigation: Navigation,
        to target: Target,
        _ info: Table
    ) throws(RouteError) {
        let way = navigation.hops + [(navigation.target ?? target, navigation.originalInfo)]
        guard way.count < Self.redirectLimit,
            !(way.contains { $0.target == target && $0.info == info })
        else {
            let targets = way.map { "\($0.target)" } + ["\(target)"]
            throw .redirectLoop(targets)
        }
        navigation.redirect(to: target, info: info, in: windowName(of: navigation))
        emit(
            .redirect,
            navigation,
            [("service", Value(target.service)), ("task", Value(target.task))]
        )
    }

    /// The redirect of one navigation that is one too many.
    static let redirectLimit = 16

    // MARK: Refusing

    /// Lets the interceptors of every route refuse.
    func prepareInterceptorsForAll(_ navigation: Navigation) throws(RouteError) {
        let all = generation.interceptAll
        guard !all.isEmpty, let service = navigation.target?.service else { return }
        for wide in all where wide.isFor(service) {
            try prepare(.named(wide.name), navigation)
        }
    }

    /// Lets a step and its interceptors refuse.
    func prepare(_ step: Step, _ info: Table, _ navigation: Navigation) throws(RouteError) {
        for interceptor in step.intercept { try prepare(interceptor, navigation) }
        if let prepare = step.prepare {
            try generation.prepare(prepare, [.value(.table(info)), .navigation(navigation)], step)
        }
    }

    private func prepare(
        _ interceptor: Step.Interceptor,
        _ navigation: Navigation
    ) throws(RouteError) {
        guard case .named(let name) = interceptor,
            let prepare = try generation.interceptor(name).prepare
        else { return }
        try generation.prepare(prepare, [.navigation(navigation)], nil)
    }
}
