// SPDX-License-Identifier: MIT

internal import LuaVM

extension Trace {
    /// Adds a call to an API function to the explanation, and returns the results of the call.
    ///
    /// The call has no other effect.
    ///
    /// - Returns: The results; nil if the function must be called as usual, because the function
    ///   changes only the stage.
    func standIns(
        for function: APIFunction,
        _ arguments: Arguments,
        _ generation: Generation
    ) -> [ScriptValue]? {
        switch function.use {
        case .always, .running: return nil
        case .declaring, .acting, .waiting: break
        }
        let printer = NotationPrinter(classes: generation.declarations.classes)
        let kind = kind(of: function)
        let written = arguments.tree.values.map { printer.value($0).shortened(to: 200) }
        explanation.calls.append(
            Explanation.Call(
                kind: kind,
                text: "\(function.path)(\(written.joined(separator: ", ")))",
                location: arguments.location
            )
        )
        switch kind {
        case .navigation where function.results == "navigation":
            let target = Target(arguments.text(0), arguments.text(1))
            return [.navigation(navigation(.route(target, info: InfoTable()), generation))]
        case .task where function.results == "value, task":
            hasDenied = true
            lastNumber -= 1
            let task = RouteTask(
                id: lastNumber,
                target: arguments.target(),
                size: 0,
                navigation: nil,
                location: nil,
                isByScript: true,
                generation: generation,
                completion: nil
            )
            task.status = .cancelled(.wasExplained())
            task.generation = nil
            return [.value(.nil), .task(task)]
        case .timer where function.results == "timer":
            // No timer has this number.
            return [.timer(0)]
        default: break
        }
        switch function.results {
        case "boolean": return [.value(.boolean(false))]
        case "": return []
        default:
            hasDenied = true
            return []
        }
    }

    /// Returns a navigation that is never begun, and counts as ended.
    private func navigation(
        _ request: Act<ScreenID>,
        _ generation: Generation
    ) -> Navigation {
        lastNumber -= 1
        let navigation = Navigation(
            id: lastNumber,
            request: request,
            options: NavigationOptions(origin: .script),
            parent: nil,
            chain: 0,
            location: nil,
            generation: generation,
            completion: nil
        )
        navigation.status = .cancelled(.wasExplained())
        navigation.generation = nil
        return navigation
    }

    private func kind(of function: APIFunction) -> Explanation.Call.Kind {
        switch function.results {
        case "navigation": .navigation
        case "value, task": .task
        case "timer": .timer
        default: .other
        }
    }
}

extension APIFunction {
    /// The name with which a script calls the function.
    fileprivate var path: String { name == "cancel" ? name : "router.\(name)" }
}
