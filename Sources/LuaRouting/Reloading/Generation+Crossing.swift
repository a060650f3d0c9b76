// SPDX-License-Identifier: MIT

internal import LuaVM

/// Script functions that are passed from one generation to another, in the parameters of a
/// navigation or in a result.
extension Generation {
    /// Creates a function in this generation that calls a function of another generation, until
    /// that generation is closed.
    ///
    /// Arguments and results are copied, as for host functions.
    func adopt(_ function: LuaFunction) throws(ScriptError) -> LuaFunction {
        try runtime.lua.makeFunction(name: "function") { [unowned self] frame in
            // A function of a closed generation is not owned by any Lua state.
            guard let owner = router.generations.first(where: { $0.runtime.lua.owns(function) })
            else {
                throw RouteError.ofClosedScripts()
            }
            runtime.objects.hasMetHandle = false
            var arguments: [Value] = []
            for position in 0..<frame.count {
                arguments.append(try Value(frame, at: position, runtime.objects))
            }
            try runtime.objects.checkCrossing(.table(InfoTable(list: arguments)))
            let result = try router.lending.calling(for: owner) { () throws(RouteError) in
                try owner.runtime.call(function, arguments: arguments)
            }
            try frame.return(result, runtime.objects)
        }
    }
}
