// SPDX-License-Identifier: MIT

internal import RouteCore
package import RouteEngine

/// The names that scripts and their host have, to check files that name them.
package struct KnownNames: Sendable {
    /// The classes of screens that are declared, or that definitions or the host name.
    package var classes: Set<String>
    /// The fields of the classes that declare them.
    package var fields: [String: Set<String>]
    /// The routes and tasks that are registered, or that the text of a script registers.
    package var targets: Set<Target>
    /// The tasks that the scripts expect of the host, or that it has.
    package var hostTasks: Set<Target>
    /// The gates that routes name.
    package var gates: Set<String>
    /// The interceptors that are declared.
    package var interceptors: Set<String>
    /// The actions that there are.
    package var actions: Set<String>
    /// The functions that are exported.
    package var exports: Set<String>
    /// All names in the text of the scripts: what a function does with them is not known.
    package var words: Set<String>
    /// The names in quotes in the text of the scripts, classes of screens among them.
    package var quotedNames: Set<String>
    /// Whether functions of the scripts may register under any name.
    package var registersAnything: Bool
    /// The services of which functions of the scripts may register any task.
    package var openServices: Set<String>
    /// The routes and tasks that all of the scripts register while they load.
    package var ownTasks: Set<Target>
    /// The texts that functions of the scripts join to names.
    package var joined: JoinedTexts
    /// Whether any route is answered for.
    package var hasRouteFallback: Bool
    /// Whether any task is answered for.
    package var hasTaskFallback: Bool

    /// Adds what other scripts have.
    package mutating func formUnion(_ other: KnownNames) {
        classes.formUnion(other.classes)
        // A field is known where one of them has it, or says nothing of the class.
        fields = fields.filter { other.fields[$0.key] != nil }
            .merging(other.fields.filter { fields[$0.key] != nil }) { $0.union($1) }
        targets.formUnion(other.targets)
        hostTasks.formUnion(other.hostTasks)
        gates.formUnion(other.gates)
        interceptors.formUnion(other.interceptors)
        actions.formUnion(other.actions)
        exports.formUnion(other.exports)
        words.formUnion(other.words)
        quotedNames.formUnion(other.quotedNames)
        registersAnything = registersAnything || other.registersAnything
        openServices.formUnion(other.openServices)
        ownTasks.formIntersection(other.ownTasks)
        joined.formUnion(other.joined)
        hasRouteFallback = hasRouteFallback || other.hasRouteFallback
        hasTaskFallback = hasTaskFallback || other.hasTaskFallback
    }
}

extension DeclarationCheck {
    /// Returns the names that the scripts and their host have.
    ///
    /// - Parameters:
    ///   - text: The names in the text of the scripts.
    ///   - manifest: The abilities of the host; nil if they are unknown.
    /// - Returns: The names, as far as the declarations and the text show them.
    package func knownNames(_ text: ScriptText, _ manifest: HostManifest?) -> KnownNames {
        var classNames = Set(Screen.Kind.allCases.map(\.rawValue)).union(
            declarations.classPlaces.keys
        )
        classNames.formUnion(namedClasses.map(\.name))
        classNames.formUnion(declarations.expectations.screens ?? [])
        var fields: [String: Set<String>] = [:]
        for name in declarations.classPlaces.keys where !declarations.classes[name].fields.isEmpty {
            fields[name] = Set(declarations.classes[name].fields)
        }
        for (name, its) in manifest?.screens ?? [:] {
            classNames.insert(name)
            if let known = fields[name], let more = its.fields { fields[name] = known.union(more) }
        }
        var gates = World.reservedGates
        for step in steps {
            classNames.formUnion(step.screenClasses)
            gates.formUnion(step.ready)
        }
        // A call that registered something while the scripts loaded is in the table of routes.
        let registered = Set(declarations.routes.all.compactMap(\.value.location))
        let other = ["register", "registerTask"].compactMap { text.callsWithOther[$0] }
        return KnownNames(
            classes: classNames,
            fields: fields,
            targets: Set(declarations.routes.all.map(\.key)).union(text.targets),
            hostTasks: declarations.expectations.tasks.union(manifest?.tasks ?? []),
            gates: gates,
            interceptors: Set(declarations.interceptors.keys),
            actions: Set(Action.words).union(declarations.actions.keys),
            exports: Set(declarations.exports.keys),
            words: text.words,
            quotedNames: Set(text.names.keys),
            registersAnything: other.contains { !$0.isSubset(of: registered) },
            openServices: Set(text.openServices.filter { !$0.value.isSubset(of: registered) }.keys),
            ownTasks: Set(
                declarations.routes.services.flatMap { service in
                    service.tasks.map { Target(service.name, $0) }
                }
            ),
            joined: text.joined,
            hasRouteFallback: declarations.fallback?.screen != nil,
            hasTaskFallback: declarations.fallback?.task != nil
        )
    }
}
