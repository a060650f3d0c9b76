// SPDX-License-Identifier: MIT

internal import LuaVM

/// An error with which an interceptor or a `prepare` function ends early.
///
/// Scripts cannot catch this error.
struct InterceptorEnd: ScriptEnd {
    enum Answer {
        case stop(String?)
        case stay(String?)
        case redirect(Target, InfoTable)
    }

    let answer: Answer
    let location: RouteError.Location?
}

/// Interceptors, and other functions that may reject a navigation.
extension Generation {
    // MARK: Declaring

    func declareInterceptor(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        guard let body = arguments.function(from: 1) else { throw .noBody("interceptor") }
        let options = arguments.table(1)
        if let earlier = declarations.interceptors[name], options["override"].boolean != true {
            throw .declaredTwice("interceptor '\(name)'", earlier.location)
        }
        declarations.interceptors[name] = DeclaredInterceptor(
            body: body,
            prepare: options["prepare"].luaFunction,
            timeout: try timeout(in: options),
            location: arguments.location
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
            location: arguments.location
        )
        declarations.interceptAll.append(all)
        if !runtime.isLoading { _ = try declarations.interceptor(all.name) }
    }

    func declareAction(_ arguments: Arguments) throws(RouteError) {
        let name = arguments.text(0)
        guard let body = arguments.function(from: 1) else { throw .noBody("action") }
        if Action.words.contains(name) { throw .isBuiltIn(name) }
        if let earlier = declarations.actions[name] {
            throw .declaredTwice("action '\(name)'", earlier.location)
        }
        declarations.actions[name] = DeclaredAction(
            name: name,
            needs: arguments.table(1)["needs"].text.map(Need.init(word:)),
            body: body,
            location: arguments.location
        )
    }

    /// Registers a step that a script has created.
    ///
    /// The names in the step must be declared by the time the scripts have loaded.
    func adopt(_ step: Step) throws(RouteError) {
        if runtime.isLoading {
            try declarations.add(step)
        } else if let finding = declarations.nameFindings(of: step).first {
            throw finding.error
        }
    }

    // MARK: Asking

    /// Returns the error that ends the running interceptor or `prepare`.
    ///
    /// - Throws: `script` if the running function must not end in this way.
    func interceptorEnd(
        _ answer: InterceptorEnd.Answer,
        _ name: String,
        at location: RouteError.Location?
    ) throws(RouteError) -> InterceptorEnd {
        switch (router.lending.context.answering, answer) {
        case (.interceptor, _), (.prepare, .stop):
            return InterceptorEnd(answer: answer, location: location)
        default: throw .refusesNothing(name)
        }
    }
}
