// SPDX-License-Identifier: MIT

internal import LuaVM

/// An interceptor that a script declares.
struct DeclaredInterceptor {
    let body: LuaFunction
    /// Refuses while the way is planned.
    let prepare: LuaFunction?
    /// The deadline of its wait, in seconds.
    let timeout: Double?
    let place: RouteError.Location?
}

/// An interceptor that runs for every route of some services.
struct InterceptAll {
    /// When it runs.
    enum Phase: String {
        case search, stage
    }

    let name: String
    let before: Phase
    /// Nil for all.
    let only: Set<String>?
    let except: Set<String>
    let place: RouteError.Location?

    func isFor(_ service: String) -> Bool {
        only?.contains(service) != false && !except.contains(service)
    }
}

/// How an interceptor, or a `prepare`, ends where it stands: no script catches it.
struct Verdict: ScriptEnd {
    enum Answer {
        case stop(String?)
        case stay(String?)
        case redirect(Target, Table)
    }

    let answer: Answer
    let place: RouteError.Location?
}

/// Interceptors, and what else may refuse.
extension Generation {
    /// Who may end where it stands.
    enum Answering {
        case nobody
        /// A `prepare`, which may only stop.
        case prepare
        case interceptor
    }

    // MARK: Declaring

    func declareInterceptor(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        guard let body = arguments.function(from: 1) else { throw .noBody("interceptor") }
        let options = arguments.table(1)
        if let earlier = interceptors[name], options["override"].boolean != true {
            throw .declaredTwice("interceptor '\(name)'", earlier.place)
        }
        interceptors[name] = DeclaredInterceptor(
            body: body,
            prepare: options["prepare"].luaFunction,
            timeout: try timeout(in: options),
            place: arguments.place
        )
    }

    func declareInterceptAll(_ arguments: Arguments) throws(RouteError) {
        try checkCapability(.interceptAll, isAllowed: router.capabilities.interceptAll)
        let options = arguments.table(1)
        let all = InterceptAll(
            name: arguments.text(0),
            before: options["before"].text.flatMap(InterceptAll.Phase.init) ?? .stage,
            only: options["only"].isNil ? nil : Set(options["only"].names),
            except: Set(options["except"].names),
            place: arguments.place
        )
        interceptAll.append(all)
        if !isLoading { _ = try interceptor(all.name) }
    }

    func declareAction(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        guard let body = arguments.function(from: 1) else { throw .noBody("action") }
        if Action.words.contains(name) { throw .isBuiltIn(name) }
        if let earlier = actions[name] {
            throw .declaredTwice("action '\(name)'", earlier.place)
        }
        actions[name] = DeclaredAction(
            name: name,
            needs: arguments.table(1)["needs"].text.map(Need.init(word:)),
            body: body,
            place: arguments.place
        )
    }

    /// The interceptor of a name.
    ///
    /// - Throws: `script`, with the nearest name.
    func interceptor(_ name: String) throws(RouteError) -> DeclaredInterceptor {
        if let interceptor = interceptors[name] { return interceptor }
        throw .noInterceptor(name, among: interceptors.keys.sorted())
    }

    /// The action of a name.
    ///
    /// - Throws: `script`, with the nearest name.
    func action(_ name: String) throws(RouteError) -> DeclaredAction {
        if let action = actions[name] { return action }
        throw .noAction(name, among: Action.words + actions.keys.sorted())
    }

    /// Takes a step that a script has made: what it names must be declared, at the latest when
    /// the scripts have loaded.
    func adopt(_ step: Step) throws(RouteError) {
        if isLoading {
            steps.append(step)
        } else if let finding = nameFindings(of: step).first {
            throw finding.error
        }
    }

    // MARK: Asking

    /// Lets a `prepare` refuse.
    func prepare(
        _ function: LuaFunction,
        _ arguments: [ScriptValue],
        _ step: Step?
    ) throws(RouteError) {
        do throws(RouteError) {
            let result = try call(function, arguments, as: .prepare)
            if result.isNextMatch { throw RouteError.goesOn() }
            guard result.isNil else { throw .prepareGave(result.scriptKind) }
        } catch {
            guard let verdict = error.cause as? Verdict, case .stop(let why) = verdict.answer else {
                throw error
            }
            throw .stopped(by: step?.title ?? "prepare", why, at: verdict.place)
        }
    }

    /// The error that ends what is asked where it stands.
    ///
    /// - Throws: `script` where nothing is asked that may end so.
    func verdict(
        _ answer: Verdict.Answer,
        _ name: String,
        at place: RouteError.Location?
    ) throws(RouteError) -> Verdict {
        switch (answering, answer) {
        case (.interceptor, _), (.prepare, .stop): return Verdict(answer: answer, place: place)
        default: throw .refusesNothing(name)
        }
    }
}
