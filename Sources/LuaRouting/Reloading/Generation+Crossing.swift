// SPDX-License-Identifier: MIT

internal import LuaVM

/// Functions that belong to other scripts, in the parameters of a navigation or in a result.
extension Generation {
    /// Makes a function of these scripts that calls a function of other scripts, until these are
    /// closed.
    ///
    /// Arguments and results are copied, as they are for the host.
    func adopt(_ function: LuaFunction) throws(ScriptError) -> LuaFunction {
        try runtime.lua.makeFunction(name: "function") { [unowned self] frame in
            // No state owns the function of a generation that is closed.
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
