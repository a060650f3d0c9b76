// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// The declarations of scripts that an app can use: routes, tasks, classes of screens, gates and
/// exported functions, with their types.
package struct ScriptInterface: Sendable {
    /// A route or a task.
    package struct Call: Sendable {
        package let target: Target
        /// The declared parameters; nil for any.
        package let info: InfoDeclaration?
        /// The known parameters: the declared ones, otherwise the parameters of the URL patterns;
        /// nil if there are none.
        package let parameters: InfoDeclaration?
        /// The type of the result; nil for any.
        package let result: InfoDeclaration.Parameter?
        package let location: RouteError.Location?
        /// Whether the app may navigate to the route or run the task.
        package let admitsHost: Bool

        package init(
            target: Target,
            info: InfoDeclaration?,
            parameters: InfoDeclaration? = nil,
            result: InfoDeclaration.Parameter?,
            location: RouteError.Location?,
            admitsHost: Bool = true
        ) {
            self.target = target
            self.info = info
            self.parameters = info ?? parameters
            self.result = result
            self.location = location
            self.admitsHost = admitsHost
        }
    }

    /// A class of screens.
    package struct Class: Sendable {
        package let name: String
        package let kind: Screen.Kind
        /// The fields in declared order; a field without a type accepts any value.
        package let fields: [InfoDeclaration.Parameter]
        package let location: RouteError.Location?
    }

    /// The routes, by service and task.
    package var routes: [Call] = []
    /// The tasks that scripts register, by service and task.
    package var tasks: [Call] = []
    /// The tasks that scripts expect of the host, by service and task.
    package var hostTasks: [Call] = []
    /// The classes of screens that scripts expect of the host and do not declare, sorted.
    package var hostScreens: [String] = []
    /// The names of the dependencies that scripts expect of the host, sorted.
    package var dependencies: [String] = []
    /// The declared classes, by name.
    package var classes: [Class] = []
    /// The names of gates that routes wait at, sorted.
    package var gates: [String] = []
    /// The names of interceptors, sorted.
    package var interceptors: [String] = []
    /// The names of the actions that scripts declare, sorted.
    package var actions: [String] = []
    /// The names of exported functions, sorted.
    package var exports: [String] = []

    package init() {}

    /// Reads what scripts declare.
    package init(_ declarations: Declarations) {
        var gates: Set<String> = []
        for (target, registration) in declarations.routes.all {
            switch registration {
            case .screen(let step):
                gates.formUnion(step.ready)
                routes.append(
                    Call(
                        target: target,
                        info: step.info,
                        parameters: step.parameters.parameters.isEmpty ? nil : step.parameters,
                        result: step.result,
                        location: step.location,
                        admitsHost: step.origins?.contains(.host) ?? true
                    )
                )
            case .task(let worker):
                tasks.append(
                    Call(
                        target: target,
                        info: worker.info,
                        result: worker.result,
                        location: worker.location
                    )
                )
            }
        }
        routes.sort { ($0.target.service, $0.target.task) < ($1.target.service, $1.target.task) }
        tasks.sort { ($0.target.service, $0.target.task) < ($1.target.service, $1.target.task) }
        for (name, its) in declarations.classDeclarations.all.sorted(by: { $0.key < $1.key }) {
            let own = declarations.classes[name]
            let fields = own.fields.map { field in
                // A screen may lack any field, so what it has is optional unless a type says more.
                own.types[field]
                    ?? InfoDeclaration.Parameter(name: field, type: .any, isOptional: true)
            }
            classes.append(
                Class(name: name, kind: own.kind, fields: fields, location: its.location)
            )
        }
        let expected = declarations.expectations
        // A task that scripts register too is theirs.
        hostTasks = expected.tasks.filter { declarations.routes[$0] == nil }.map { target in
            let types = expected.taskTypes[target]
            return Call(
                target: target,
                info: types?.info,
                result: types?.result,
                location: expected.location
            )
        }
        hostTasks.sort { ($0.target.service, $0.target.task) < ($1.target.service, $1.target.task) }
        hostScreens = (expected.screens ?? [])
            .subtracting(declarations.classDeclarations.all.keys).sorted()
        dependencies = expected.dependencies.sorted()
        self.gates = gates.sorted()
        interceptors = declarations.interceptors.keys.sorted()
        actions = declarations.actions.keys.sorted()
        exports = declarations.exports.keys.sorted()
    }
}
