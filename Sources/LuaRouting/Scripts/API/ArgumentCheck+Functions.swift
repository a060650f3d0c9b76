// SPDX-License-Identifier: MIT

extension ArgumentCheck {
    /// Checks all arguments.
    ///
    /// - Throws: `script`, or `badInfo` for what should be a name and is not, in the wording
    ///   of Lua's own functions.
    static func check(_ values: [Value], of function: APIFunction) throws(RouteError) {
        if values.count > function.parameters.count,
            values[function.parameters.count...].contains(where: { !$0.isNil })
        {
            throw .tooManyArguments(function.name, function.parameters.count, values.count)
        }
        for (index, parameter) in function.parameters.enumerated() {
            let value = index < values.count ? values[index] : .nil
            if value.isNil, parameter.isOptional { continue }
            try check(value, parameter.type) { what, code in
                RouteError(code, "bad argument #\(index + 1) to '\(function.name)' (\(what))")
            }
        }
    }
}
