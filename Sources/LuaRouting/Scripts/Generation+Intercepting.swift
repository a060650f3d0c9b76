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
            timeout: options["timeout"].double,
            place: arguments.place
        )
    }

    func declareInterceptAll(_ arguments: Arguments) throws(RouteError) {
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
        if isLoading { unchecked.append(step) } else { try check(step) }
    }

    /// Checks that what steps and `interceptAll` name is declared.
    func checkNames() throws(RouteError) {
        for step in unchecked { try check(step) }
        unchecked = []
        for all in interceptAll {
            do throws(RouteError) {
                _ = try interceptor(all.name)
            } catch {
                throw error.at(all.place)
            }
        }
    }

    private func check(_ step: Step) throws(RouteError) {
        do throws(RouteError) {
            if let via = step.via { _ = try router.need(of: via) }
            for case .named(let name) in step.intercept { _ = try interceptor(name) }
            if case .blueprint(let blueprint) = step.build { try check(blueprint) }
        } catch {
            throw error.at(step.place)
        }
    }

    private func check(_ blueprint: Blueprint) throws(RouteError) {
        for child in blueprint.children {
            switch child {
            case .template: break
            case .blueprint(let inner): try check(inner)
            case .route(let leaf): if let via = leaf.via { _ = try router.need(of: via) }
            }
        }
    }

    // MARK: Asking

    /// Runs an interceptor.
    func ask(
        _ function: LuaFunction,
        _ question: Navigation.Question,
        _ navigation: Navigation
    ) -> Result<Router.InterceptorAnswer, RouteError> {
        do throws(RouteError) {
            return .success(try answer(function, question, navigation))
        } catch {
            return .failure(error)
        }
    }

    private func answer(
        _ function: LuaFunction,
        _ question: Navigation.Question,
        _ navigation: Navigation
    ) throws(RouteError) -> Router.InterceptorAnswer {
        let outer = answering
        answering = .interceptor
        defer { answering = outer }
        do {
            beginEntry()
            let proceed = try proceed(function, question, navigation)
            var reader = try lua.call(function, results: 2) { writer in
                objects.write(navigation, to: &writer)
                if let proceed { writer.write(proceed) }
            }
            let first = Value(from: &reader, objects) ?? .nil
            let why = Value(from: &reader, objects) ?? .nil
            switch first {
            case .nil where proceed != nil && !question.isAnswered: return .waits
            case .nil where question.isAnswered:
                guard let refusal = question.refusal else { return .passes }
                throw refusal
            case .nil, .boolean(true): return .passes
            case .boolean(false):
                throw RouteError.stopped(by: question.name, why.text, at: nil)
            default: throw RouteError.badAnswer(question.name, first.scriptKind)
            }
        } catch let error as ScriptError {
            guard let verdict = error.underlying as? Verdict, error.kind == .ended else {
                throw RouteError(error)
            }
            switch verdict.answer {
            case .stop(let why): throw .stopped(by: question.name, why, at: verdict.place)
            case .stay(let why): return .stays(why)
            case .redirect(let target, let info): return .redirects(target, info)
            }
        } catch let error as RouteError {
            throw error
        } catch {
            throw RouteError(.script, "\(error)", cause: error)
        }
    }

    /// The `proceed` of an interceptor that takes one.
    private func proceed(
        _ function: LuaFunction,
        _ question: Navigation.Question,
        _ navigation: Navigation
    ) throws(ScriptError) -> LuaFunction? {
        guard try lua.parameters(of: function).count >= 2 else { return nil }
        return try lua.makeFunction(name: "proceed") { [unowned self] frame in
            guard let passes = frame.boolean(at: 0) else { throw frame.mismatch(at: 0, "boolean") }
            let why = frame.string(at: 1)
            router.answer(question, navigation, passes: passes, why, at: frame.place())
        }
    }

    /// Lets a `prepare` refuse.
    func prepare(
        _ function: LuaFunction,
        _ arguments: [ScriptValue],
        _ step: Step?
    ) throws(RouteError) {
        do throws(RouteError) {
            let result = try call(function, arguments, as: .prepare)
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
