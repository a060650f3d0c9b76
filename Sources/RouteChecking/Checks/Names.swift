// SPDX-License-Identifier: MIT

internal import RouteCore
package import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each undeclared action or interceptor that a step or `interceptAll`
    /// names.
    func nameFindings() -> [Finding] {
        var names = NameLookup(declarations)
        for step in steps { names.check(step) }
        for all in declarations.interceptAll {
            names.check(interceptor: all.name, at: all.location)
        }
        return names.findings
    }
}

extension Declarations {
    /// Returns a finding for each undeclared action or interceptor that a step names.
    package func nameFindings(of step: Step) -> [Finding] {
        var names = NameLookup(self)
        names.check(step)
        return names.findings
    }
}

/// A type that looks up the names of actions and interceptors, and collects findings for unknown
/// names.
private struct NameLookup {
    private let declarations: Declarations
    private var hints = Hints()
    private lazy var knownActions = Action.words + declarations.actions.keys.sorted()
    private lazy var knownInterceptors = declarations.interceptors.keys.sorted()
    private(set) var findings: [Finding] = []

    init(_ declarations: Declarations) { self.declarations = declarations }

    mutating func check(_ step: Step) {
        if let via = step.via { check(via, at: step.location) }
        for case .named(let name) in step.intercept { check(interceptor: name, at: step.location) }
        for case let via? in step.leaves.map(\.via) { check(via, at: step.location) }
    }

    private mutating func check(_ action: Action, at location: RouteError.Location?) {
        guard case .declared(let name) = action.kind, declarations.actions[name] == nil else {
            return
        }
        let error = RouteError.noAction(name, among: hints.among(knownActions))
        findings.append(Finding(.unknownAction, error.at(location)))
    }

    mutating func check(interceptor name: String, at location: RouteError.Location?) {
        guard declarations.interceptors[name] == nil else { return }
        let error = RouteError.noInterceptor(name, among: hints.among(knownInterceptors))
        findings.append(Finding(.unknownInterceptor, error.at(location)))
    }
}
