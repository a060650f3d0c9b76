// SPDX-License-Identifier: MIT

extension ArgumentCheck {
    /// Checks all arguments of a call.
    ///
    /// - Throws: `script`, or `badInfo` for an invalid name. The messages are worded like those of
    ///   Lua's own functions.
    static func check(_ arguments: ArgumentTree, of function: APIFunction) throws(RouteError) {
        let count = function.parameters.count
        guard arguments.count <= count else {
            throw .tooManyArguments(function.name, expected: count, got: arguments.count)
        }
        for index in 0..<count {
            let (parameter, argument) = (function.parameters[index], arguments[index])
            if argument.isNil && parameter.isOptional || parameter.accepts(argument) { continue }
            try check(argument, type: parameter.type) { what, code in
                RouteError(code, "bad argument #\(index + 1) to '\(function.name)' (\(what))")
            }
        }
    }
}
