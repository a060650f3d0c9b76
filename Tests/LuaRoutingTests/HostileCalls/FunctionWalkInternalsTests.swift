// SPDX-License-Identifier: MIT

import CLuaProbes
import Foundation
import RouteCore
import TestSupport
import Testing

@testable import LuaRouting
@testable import LuaVM

/// Tests that call every function that a script can reach, with hostile arguments and in every
/// context.
///
/// Every function receives every argument in at least one context, and runs in every context with
/// at least one argument. Functions of objects that exist only in a running router fail immediately
/// while scripts are loading.
struct FunctionWalkInternalsTests {
    /// The time budget of an entry, in seconds.
    ///
    /// A call by the host may take twice as long. The test measures the processor time of its
    /// thread, even in debug builds.
    private static let limit = 0.1

    private static let memory = 64 << 20

    private static let methods: [(object: String, names: [String])] = [
        ("nav", (APIFunction.navigation + APIFunction.acting).map(\.name)),
        ("task", APIFunction.task.map(\.name)),
        ("timer", APIFunction.timer.map(\.name)),
        ("group", APIFunction.group.map(\.name)),
        ("routing", APIFunction.routing.map(\.name)),
        ("ticket", APIFunction.ticket.map(\.name)),
    ]

    /// The functions that are called, which determine the profile of the scripts.
    enum Functions: CaseIterable {
        case library, host

        var kind: HostileScripts.Kind { self == .library ? .library : .host }
        var profile: ScriptProfile { self == .library ? .trusted : .strict }
        var contexts: [ScriptContext] {
            ScriptContext.all.filter { profile == .trusted || !$0.isTrusted }
        }
    }

    /// A router whose scripts call the functions.
    private final class Subject {
        let functions: Functions
        private let scripts: HostileScripts
        private let router: Router
        private var modules = 0
        /// The number of times that scripts have called the chosen function.
        private(set) var calls = 0
        /// The number of functions.
        private(set) var functionCount = 0
        /// The number of argument lists.
        private(set) var argumentCount = 0
        private var initialMemory = 0
        /// The private values that a script could find above its own stack frame.
        private var privateValues: Set<String> = []

        init(_ functions: Functions) throws {
            self.functions = functions
            scripts = HostileScripts(
                functions.kind,
                contexts: functions.contexts,
                methods: FunctionWalkInternalsTests.methods
            )
            router = try Self.router(scripts.bundle(), functions.profile)
            router.onEvent = { [unowned self] in count($0) }
            router.start()
            try router.call("warm")
            try router.call("prepare")
            router.back()
            let known = try choose(HostileScripts.Case(context: "", function: 1, arguments: 1))
            functionCount = Int(known["functions"].integer ?? 0)
            argumentCount = Int(known["arguments"].integer ?? 0)
            for arguments in 1...argumentCount {
                try choose(HostileScripts.Case(context: "", function: 1, arguments: arguments))
            }
            router.collectGarbage()
            initialMemory = router.scriptMemory
        }

        /// The memory of the scripts that was allocated since the beginning and is still in use.
        var retainedMemory: Int {
            router.collectGarbage()
            return router.scriptMemory - initialMemory
        }

        /// Returns the private values that were found since the last call.
        func takePrivateValues() -> Set<String> {
            defer { privateValues = [] }
            return privateValues
        }

        private func count(_ event: Event) {
            guard event.kind == .log, let message = event["message"].text else { return }
            if message == "running" { calls += 1 }
            if message == "running" || message == "ran" { look(router, message) }
        }

        /// Searches the stack above the frame of the log function for private values.
        ///
        /// The log function is called at the position at which the previously called functions had
        /// their frames.
        private func look(_ router: Router, _ message: String) {
            let context = router.generation.runtime.lua.context
            guard let found = stack_probe(UnsafeMutableRawPointer(context)) else { return }
            privateValues.insert("\(message): \(String(cString: found))")
        }

        private static func router(
            _ bundle: LuaRouting.ScriptBundle,
            _ profile: ScriptProfile,
            onEvent: ((Event) -> Void)? = nil
        ) throws -> Router {
            var configuration = Router.Configuration(profile: profile)
            configuration.loadBudget.duration = .seconds(2 * limit)
            configuration.loadBudget.bytes = memory
            configuration.budget.duration = .seconds(limit)
            configuration.budget.bytes = memory
            return try Router(
                scripts: bundle,
                host: HeadlessHost(),
                configuration: configuration,
                onEvent: onEvent
            )
        }

        /// Chooses the function that the scripts call in a context.
        ///
        /// - Returns: The path of the function, and the numbers of functions and arguments.
        @discardableResult
        func choose(_ chosen: HostileScripts.Case) throws -> InfoTable {
            let answer = try router.call(
                "choose",
                [
                    "context": Value(chosen.context),
                    "fn": .integer(Int64(chosen.function)),
                    "arguments": .integer(Int64(chosen.arguments)),
                ]
            )
            guard case .table(let table) = answer, table["works"] == .boolean(true) else {
                throw RouteError(.script, "strings and tables do not work any more")
            }
            return table
        }

        /// Makes the scripts call a function in a context.
        ///
        /// - Returns: The processor time of the call, in seconds.
        func run(_ chosen: HostileScripts.Case, in context: ScriptContext) -> Double {
            let bundle = context.isAction ? nil : scripts.bundle(calling: chosen)
            router.dismissAll(options: NavigationOptions(force: true))
            router.popToRoot(options: NavigationOptions(force: true))
            modules = (modules + 1) % HostileScripts.moduleCount
            let start = processorTime
            switch (context.trigger, bundle) {
            case (.action(let action), _): action(router, modules)
            case (.reload, let bundle?): router.reload(bundle)
            case (.start, let bundle?):
                let other = try? Self.router(bundle, functions.profile) { [unowned self] in
                    count($0)
                }
                other?.start()
            default: break
            }
            return processorTime - start
        }
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test(
        "with hostile arguments, functions return in time and leave no private value on the stack",
        .tags(.sweep),
        .unlessQuick,
        arguments: Functions.allCases
    )
    func walk(_ functions: Functions) throws {
        let contexts = functions.contexts
        var subject = try Subject(functions)
        let loader = try Subject(functions)
        let (count, sets) = (subject.functionCount, subject.argumentCount)
        try #require(count > 70 && sets > 30 && contexts.count > sets)
        var faults: [String] = []

        // A call that exceeds its time is repeated, because others use the processor too. The host's
        // functions change the router, so that it may not come to a context: then another one does.
        func attempt(_ chosen: HostileScripts.Case, _ context: ScriptContext) throws {
            var path = "function \(chosen.function)"
            var time = Double.infinity
            var isReached = false
            for _ in 0..<3 where !isReached || time > 2 * Self.limit {
                let caller = context.isAction ? subject : loader
                if context.isAction {
                    path = try caller.choose(chosen)["path"].text ?? path
                }
                let calls = caller.calls
                time = min(time, caller.run(chosen, in: context))
                isReached = isReached || caller.calls > calls
                if !isReached, context.isAction { subject = try Subject(functions) }
            }
            let name = "\(path) with \(chosen.arguments) in '\(context.name)'"
            if !isReached { faults.append("\(name) is never called") }
            if time > 2 * Self.limit { faults.append("\(name) takes \(Int(time * 1000)) ms") }
            let caller = context.isAction ? subject : loader
            for value in caller.takePrivateValues() { faults.append("\(name) leaves \(value)") }
        }

        for function in 1...count {
            for step in (0..<contexts.count).sweepShare {
                let context = contexts[(function + step) % contexts.count]
                // There are more contexts than arguments; the first arguments are cheap.
                let chosen = HostileScripts.Case(
                    context: context.name,
                    function: function,
                    arguments: step < sets ? step + 1 : 1
                )
                try attempt(chosen, context)
            }
            if subject.retainedMemory > 8 << 20 {
                faults.append("function \(function) retains \(subject.retainedMemory) bytes")
                subject = try Subject(functions)
            }
        }
        #expect(faults == [])
    }

    @Test("every callback of the Lua API is covered as a context for calling functions")
    func callbacks() {
        // Functions that are compared, not called.
        let compared: Set = ["unsetAction.action"]
        let known = Set(ScriptContext.all.compactMap(\.parameter))
        var seen: Set<ObjectIdentifier> = []
        var missing: [String] = []
        func visit(_ parameter: APIParameter, of function: String) {
            guard seen.insert(ObjectIdentifier(parameter)).inserted else { return }
            let name = "\(function).\(parameter.name)"
            if parameter.type.takesFunction, !known.union(compared).contains(name) {
                missing.append(name)
            }
            for key in parameter.type.keys { visit(key, of: function) }
        }
        let objects = APIFunction.navigation + APIFunction.task + APIFunction.routing
        for function in APIFunction.all + objects {
            for parameter in function.parameters { visit(parameter, of: function.name) }
        }
        #expect(missing == [])
    }
}

extension APIType {
    fileprivate var takesFunction: Bool {
        switch self {
        case .function: true
        case .either(let types): types.contains(where: \.takesFunction)
        case .listed(let element, _): element.takesFunction
        default: false
        }
    }

    /// The keys of the tables that the function accepts.
    fileprivate var keys: [APIParameter] {
        switch self {
        case .keyed(let keys): keys.parameters
        case .listed(let element, let keys): element.keys + keys.parameters
        case .either(let types): types.flatMap(\.keys)
        default: []
        }
    }
}
