// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// The names that scripts and their host define, for checks of files that use these names.
package struct KnownNames: Sendable, Equatable {
    /// The classes of screens that are declared by scripts, or named by definitions or by the host.
    package var classes: Set<String>
    /// The fields of the classes that declare fields, by class.
    package var fields: [String: Set<String>]
    /// The parameters that routes and tasks declare.
    package var parameters: Set<String>
    /// The parameters in the URL patterns of routes that declare no `info`, by route.
    ///
    /// Routes without such parameters are not included.
    package var urlParameters: [Target: Set<String>]
    /// The parameters that routes declare with `info`, by route.
    ///
    /// If the names of several bundles are combined, the dictionary contains only the declarations
    /// in which the bundles agree.
    package var infos: [Target: InfoDeclaration]
    /// The routes and tasks that are registered, or that functions in the scripts may register
    /// later.
    package var targets: Set<Target>
    /// The tasks that the scripts expect of the host, or that the host has.
    package var hostTasks: Set<Target>
    /// The gates that routes name.
    package var gates: Set<String>
    /// The declared interceptors.
    package var interceptors: Set<String>
    /// The built-in and declared actions.
    package var actions: Set<String>
    /// The exported functions.
    package var exports: Set<String>
    /// All names in the text of the scripts.
    ///
    /// A function may use any of these names in a way that the check cannot detect.
    package var words: Set<String>
    /// The quoted names in the text of the scripts.
    package var quotedNames: Set<String>
    /// Whether functions in the scripts may register routes or tasks under any name.
    package var registersAnything: Bool
    /// The services in which functions in the scripts may register routes or tasks under any name.
    package var openServices: Set<String>
    /// The routes and tasks that scripts register while they load.
    ///
    /// If the names of several bundles are combined, the set contains only the routes and tasks
    /// that every bundle registers.
    package var ownTasks: Set<Target>
    /// The texts that functions in the scripts join with other values.
    package var joined: JoinedTexts
    /// Whether there is a fallback for unregistered routes.
    package var hasRouteFallback: Bool
    /// Whether there is a fallback for unregistered tasks.
    package var hasTaskFallback: Bool

    /// Adds the names of another bundle.
    package mutating func formUnion(_ other: KnownNames) {
        classes.formUnion(other.classes)
        // If a bundle does not declare the fields of a class, every field of that class is
        // accepted.
        fields = fields.filter { other.fields[$0.key] != nil }
            .merging(other.fields.filter { fields[$0.key] != nil }) { $0.union($1) }
        parameters.formUnion(other.parameters)
        urlParameters.merge(other.urlParameters) { $0.union($1) }
        infos = infos.merging(other.infos) { own, _ in own }
            .filter { target, info in
                [infos, other.infos].allSatisfy { $0[target] == nil || $0[target] == info }
            }
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
    /// Returns the names known to the scripts and their host.
    ///
    /// - Parameters:
    ///   - text: The names in the text of the scripts.
    ///   - manifest: The manifest of the host; nil if unknown.
    /// - Returns: The names that the declarations, the text and the manifest contain.
    package func knownNames(_ text: ScriptText, _ manifest: HostManifest?) -> KnownNames {
        var classNames = Set(Screen.Kind.allCases.map(\.rawValue)).union(
            declarations.classes.names
        )
        classNames.formUnion(namedClasses.map(\.name))
        classNames.formUnion(declarations.expectations.screens ?? [])
        var fields: [String: Set<String>] = [:]
        for name in declarations.classes.names {
            let its = declarations.classes[name].fields
            if !its.isEmpty { fields[name] = Set(its) }
        }
        for (name, its) in manifest?.screens ?? [:] {
            classNames.insert(name)
            if let known = fields[name], let more = its.fields { fields[name] = known.union(more) }
        }
        var gates = World.reservedGates
        for step in steps {
            if let name = step.screenClass { classNames.insert(name) }
            gates.formUnion(step.ready)
        }
        // A call that ran while the scripts loaded has an entry in the route table.
        let registered = Set(declarations.routes.all.compactMap(\.value.location))
        let other = ["register", "registerTask"].compactMap { text.callsWithOther[$0] }
        return KnownNames(
            classes: classNames,
            fields: fields,
            parameters: Set(steps.flatMap { $0.info?.parameters.map(\.name) ?? [] }),
            urlParameters: steps.reduce(into: [:]) { known, step in
                let names = step.parameters.parameters.map(\.name)
                guard let target = step.target, step.info == nil, !names.isEmpty else { return }
                known[target] = Set(names)
            },
            infos: steps.reduce(into: [:]) { known, step in
                if let target = step.target, let info = step.info { known[target] = info }
            },
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
