// SPDX-License-Identifier: MIT

internal import LuaVM

/// Calls to the functions that scripts export.
extension Router {
    /// Calls an exported function that does not wait.
    ///
    /// - Parameters:
    ///   - name: The name under which the function is exported.
    ///   - argument: The table that the function receives.
    /// - Returns: The first result of the function.
    /// - Throws: `notFound`, with the most similar name; `script` if the function waits; or the
    ///   error that the function raises.
    @discardableResult
    public func call(_ name: String, _ argument: InfoTable = InfoTable()) throws(RouteError)
        -> Value
    {
        enter()
        if queue.isShutDown { throw .routerHasEnded() }
        let generation = serving
        world.lastCall += 1
        let id = world.lastCall
        emitStart(of: name, id, argument)
        defer { pump() }
        do throws(RouteError) {
            let function = try export(name, of: generation, argument)
            let result = try lending.calling(for: generation) { () throws(RouteError) in
                try generation.runtime.call(function, arguments: [.table(argument)])
            }
            emit(.call, of: nil, fields: fields(of: name, id, "done"))
            return result
        } catch {
            counters.count(error)
            emit(.call, of: nil, fields: fields(of: name, id, "failed") + fields(about: error))
            throw error
        }
    }

    private func emitStart(of name: String, _ id: Int, _ argument: InfoTable) {
        emit(
            .call,
            of: nil,
            fields: fields(of: name, id, "started") + [("info", .table(argument))] + nesting
        )
    }

    private func fields(of name: String, _ id: Int, _ phase: String) -> [(
        name: String, value: Value
    )] {
        [("id", .integer(Int64(id))), ("name", Value(name)), ("phase", Value(phase))]
    }

    /// Calls an exported function that may wait.
    ///
    /// The call belongs to the generation in which it begins. Its deadline is the default deadline
    /// of tasks: 30 seconds, unless the scripts set another default. Navigations that the function
    /// begins have the origin `script`.
    ///
    /// - Parameters:
    ///   - name: The name under which the function is exported.
    ///   - argument: The table that the function receives.
    ///   - completion: Called once, with the first result of the function or the error that ended
    ///     the call. If the function does not wait, the completion is called before this method
    ///     returns.
    /// - Returns: A call that can be cancelled.
    @discardableResult
    public func call(
        _ name: String,
        _ argument: InfoTable = InfoTable(),
        completion: @escaping (Result<Value, RouteError>) -> Void
    ) -> ExportedCall {
        begin(name, argument, isCancelled: false, completion: completion)
    }

    func begin(
        _ name: String,
        _ argument: InfoTable,
        isCancelled: Bool,
        completion: @escaping (Result<Value, RouteError>) -> Void
    ) -> ExportedCall {
        enter()
        world.lastCall += 1
        let generation = serving
        let call = ExportedCall(
            id: world.lastCall,
            name: name,
            generation: generation,
            completion: completion
        )
        pendingCalls.append(call)
        emitStart(of: name, call.id, argument)
        do throws(RouteError) {
            if queue.isShutDown { throw .routerHasEnded() }
            guard !isCancelled else { throw .cancelledByCaller() }
            run(call, function: try export(name, of: generation, argument), argument: argument)
        } catch {
            end(call, isCancelled || queue.isShutDown ? .cancelled(error) : .failed(error))
        }
        pump()
        return call
    }

    /// Cancels a call whose function is waiting.
    ///
    /// - Returns: Whether the call was pending.
    @discardableResult
    public func cancel(_ call: ExportedCall) -> Bool {
        enter()
        let isPending = call.isPending
        if isPending { emitCall(.cancel(.call, call.id)) }
        cancel(call, .cancelledByCaller())
        pump()
        return isPending
    }

    func cancel(_ call: ExportedCall, _ error: RouteError) {
        if let activity = call.activity { cancel(activity) }
        end(call, .cancelled(error))
    }

    /// Returns an exported function, and checks that it can be called with the given argument.
    private func export(
        _ name: String,
        of generation: Generation,
        _ argument: InfoTable
    ) throws(RouteError) -> LuaFunction {
        guard let export = generation.declarations.exports[name] else {
            throw .noExport(name, among: generation.declarations.exports.keys.sorted())
        }
        guard !Value.table(argument).isTooDeep else { throw .tooDeep() }
        try tree.checkOrigin(of: .table(argument))
        return export.function.lua
    }

    private func run(_ call: ExportedCall, function: LuaFunction, argument: InfoTable) {
        let parent = currentNavigation?.isPending == true ? currentNavigation : nil
        lending.calling(for: serving) {
            let activity = Activity(
                "exported function '\(call.name)'",
                for: parent,
                chain: chain,
                timeout: generation.declarations.timeout
            ) { [unowned self] result in
                switch result {
                case .success(let values): end(call, .done(values[0]))
                case .failure(let error): end(call, .failed(error))
                }
            }
            call.activity = activity
            run(function, as: activity) { writer in
                Value.table(argument).write(to: &writer, generation.runtime.objects)
            }
        }
    }

    /// Ends a call, unless it has already ended.
    private func end(_ call: ExportedCall, _ status: ExportedCall.Status) {
        guard call.isPending else { return }
        call.state.status = status
        call.activity = nil
        call.generation = nil
        pendingCalls.removeAll { $0 === call }
        if case .failed(let error) = status { counters.count(error) }
        switch status {
        case .failed(let error), .cancelled(let error):
            emit(
                .call,
                of: nil,
                fields: fields(of: call.name, call.id, status.name) + fields(about: error)
            )
        case .done, .pending:
            emit(.call, of: nil, fields: fields(of: call.name, call.id, status.name))
        }
        queue.endings.append(.call(call, chain: chain))
    }
}
