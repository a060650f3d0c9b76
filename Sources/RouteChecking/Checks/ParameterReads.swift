// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

/// A function in a definition that receives the parameters of a route.
private struct ParameterReader {
    let file: String
    let lines: ClosedRange<Int>
    /// The expression with which the function accesses the parameters, such as `info` or
    /// `nav.info`.
    let variable: String
    let step: Step
}

extension DeclarationCheck {
    /// Returns a finding for each read of a parameter that the route does not declare.
    ///
    /// Such a read always returns nil.
    ///
    /// Only routes with `info` are checked, because routes without `info` accept any parameter. A
    /// function that several routes share may read a parameter if one of these routes declares it.
    ///
    /// - Complexity: O(*n* + *m*) in the number of functions and in the number of lines.
    func undeclaredReadFindings(_ text: ScriptText) -> [Finding] {
        let readers = steps.flatMap { step in
            parameterReaders(of: step).compactMap { function, position, isNavigation in
                source(function).flatMap { source -> ParameterReader? in
                    guard source.parameters.count >= position else { return nil }
                    let name = source.parameters[position - 1]
                    let variable = isNavigation ? "\(name).info" : name
                    return ParameterReader(
                        file: source.file,
                        lines: source.lines,
                        variable: variable,
                        step: step
                    )
                }
            }
        }
        // Functions that begin on the same line cannot be distinguished, so they count as one
        // function.
        let shared = Dictionary(grouping: readers) {
            RouteError.Location(file: $0.file, line: $0.lines.lowerBound)
        }
        var reported: Set<String> = []
        return readers.flatMap { reader in
            let start = RouteError.Location(file: reader.file, line: reader.lines.lowerBound)
            let declarations = shared[start, default: []].map(\.step.info)
            let names = Set(declarations.flatMap { $0?.parameters.map(\.name) ?? [] })
            guard declarations.allSatisfy({ $0 != nil }),
                !text.fieldText.redeclares(reader.variable, in: reader.lines, of: reader.file)
            else { return [Finding]() }
            return text.fieldText.reads(of: reader.variable, in: reader.lines, of: reader.file)
                .filter { !names.contains($0.field) }
                .compactMap { line, field in
                    let location = RouteError.Location(file: reader.file, line: line)
                    guard reported.insert("\(location) \(field)").inserted else { return nil }
                    let hint = Suggestion.hint(for: field, among: names.sorted())
                    return Finding(
                        .undeclaredRead,
                        "'\(reader.variable).\(field)' is always nil: '\(reader.step.title)' has no parameter '\(field)'\(hint)",
                        at: location,
                        help: "declare the parameter in 'info'"
                    )
                }
        }
    }

    /// Returns the functions of a step that receive its parameters.
    ///
    /// `position` is the position, counted from 1, of the argument that contains the parameters.
    /// `isNavigation` is true if this argument is `nav`, whose field `info` contains the
    /// parameters.
    private func parameterReaders(
        of step: Step
    ) -> [(function: ScriptFunction, position: Int, isNavigation: Bool)] {
        var functions: [(ScriptFunction?, Int)] = [
            (step.prepare, 1), (step.update, 2), (step.after, 2), (step.adapt, 1),
            (step.enabled, 1),
            (step.redirect?.pick, 1),
        ]
        if case .function(let function) = step.build { functions.append((function, 1)) }
        if case .function(let function) = step.reuse.kind { functions.append((function, 2)) }
        let interceptors = step.intercept.compactMap { interceptor in
            if case .inline(let function) = interceptor { (function, 1, true) } else { nil }
        }
        return functions.compactMap { function, position in
            function.map { ($0, position, false) }
        } + interceptors
    }
}

extension FieldText {
    /// Returns the fields of a variable that the given lines read, in line order.
    ///
    /// Fields that these lines also assign are excluded.
    fileprivate func reads(
        of variable: String,
        in lines: ClosedRange<Int>,
        of file: String
    ) -> [(line: Int, field: String)] {
        let read = fields(of: variable, among: accesses, in: lines, of: file)
        let assigned = Set(
            fields(of: variable, among: assignments, in: lines, of: file).map(\.field)
        )
        return read.filter { !assigned.contains($0.field) }
    }

    private func fields(
        of variable: String,
        among all: [String: [Int: [Access]]],
        in lines: ClosedRange<Int>,
        of file: String
    ) -> [(line: Int, field: String)] {
        guard let all = all[file] else { return [] }
        return lines.flatMap { line in
            (all[line] ?? []).filter { $0.variable == variable }.map { (line, $0.field) }
        }
    }

    /// Whether the given lines declare another variable with the name of the parameter.
    fileprivate func redeclares(
        _ variable: String,
        in lines: ClosedRange<Int>,
        of file: String
    ) -> Bool {
        let name = variable.prefix { $0 != "." }
        guard let all = declared[file] else { return false }
        return lines.reduce(0) { $0 + (all[$1] ?? []).count { $0 == name } } > 1
    }
}
