// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// The declarations of scripts that an app can use: routes, tasks, classes of screens, gates and
/// exported functions, with their types.
package struct ScriptInterface: Sendable {
    /// A route or a task, with its parameters and its result.
    package struct Call: Sendable {
        package let target: Target
        /// The declared parameters; nil if any parameters are accepted.
        package let info: InfoDeclaration?
        /// The declared parameters, or the parameters of the URL patterns if ``info`` is nil; nil
        /// if there are no parameters.
        package let parameters: InfoDeclaration?
        /// The type of the result; nil if any result is possible.
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
        /// The fields, in declaration order.
        ///
        /// A field that is declared without a type accepts any value.
        package let fields: [InfoDeclaration.Parameter]
        package let location: RouteError.Location?
    }

    /// The routes, sorted by service and task.
    package var routes: [Call] = []
    /// The tasks that scripts register, sorted by service and task.
    package var tasks: [Call] = []
    /// The tasks that scripts expect of the host, sorted by service and task.
    package var hostTasks: [Call] = []
    /// The classes of screens that scripts expect of the host and do not declare, sorted.
    package var hostScreens: [String] = []
    /// The names of the dependencies that scripts expect of the host, sorted.
    package var dependencies: [String] = []
    /// The declared classes, sorted by name.
    package var classes: [Class] = []
    /// The sorted names of the gates that routes wait for.
    package var gates: [String] = []
    /// The sorted names of interceptors.
    package var interceptors: [String] = []
    /// The sorted names of the actions that scripts declare.
    package var actions: [String] = []
    /// The sorted names of exported functions.
    package var exports: [String] = []

    package init() {}

    /// Creates the interface that the given declarations describe.
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
        for name in declarations.classes.names.sorted() {
            let own = declarations.classes[name]
            let fields = own.fields.map { field in
                // A screen may lack any field, so a field without a declared type is optional.
                own.types[field]
                    ?? InfoDeclaration.Parameter(name: field, type: .any, isOptional: true)
            }
            classes.append(
                Class(name: name, kind: own.kind, fields: fields, location: own.location)
            )
        }
        let expected = declarations.expectations
        // A task that the scripts also register is not a task of the host.
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
            .subtracting(declarations.classes.names).sorted()
        dependencies = expected.dependencies.sorted()
        self.gates = gates.sorted()
        interceptors = declarations.interceptors.keys.sorted()
        actions = declarations.actions.keys.sorted()
        exports = declarations.exports.keys.sorted()
    }
}
