// SPDX-License-Identifier: MIT

internal import LuaVM

/// Functions of other scripts, in the parameters of a navigation or in a result.
extension Generation {
    /// Makes a function of these scripts that calls one of others, as long as those have not been
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
