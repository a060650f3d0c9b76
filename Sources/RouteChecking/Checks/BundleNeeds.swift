// SPDX-License-Identifier: MIT

package import RouteCore
internal import RouteEngine
internal import RouteURLs

/// A capability that the scripts of a bundle need, derived from their declarations and text.
package struct BundleNeed: Sendable {
    /// The name of the capability, such as `screens` or `present`.
    package let capability: String
    /// The name of the class, task or origin, or the timeout in seconds.
    ///
    /// This is nil if the capability takes no name, and for the capability `urls` if any origin is
    /// needed.
    package let name: String?
    /// The first line that needs the capability; nil if unknown.
    package let location: RouteError.Location?
    /// Whether the capability is granted.
    fileprivate let isGranted: Bool
}

extension BundleNeed {
    /// Returns the needs as a single line, such as `screens Main, ShowPage; tree push, present;
    /// timers`.
    package static func summary(of needs: [BundleNeed]) -> String {
        var parts: [(title: String, names: [String])] = []
        for need in needs {
            let (title, name) = need.phrase
            if parts.last?.title != title { parts.append((title, [])) }
            if let name { parts[parts.count - 1].names.append(name) }
        }
        return parts.map { title, names in
            names.isEmpty ? title : "\(title) \(names.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    /// The field of a capabilities document that grants the capability, and the name to list in
    /// that field.
    private var phrase: (field: String, name: String?) {
        if capability == Capability.windows.rawValue { return ("tree", "windows(n)") }
        if Capabilities.TreeChange(rawValue: capability) != nil { return ("tree", capability) }
        if capability == Capability.urls.rawValue { return (capability, name ?? "any") }
        return (String(capability.prefix { $0 != "." }), name)
    }
}

extension DeclarationCheck {
    /// Returns a finding for each capability that the scripts need but do not have.
    func capabilityFindings(_ text: ScriptText, granted: Capabilities) -> [Finding] {
        guard granted != Capabilities() else { return [] }
        return needs(text, granted: granted).filter { !$0.isGranted }.map { need in
            let name = need.name.map { " with the value '\($0)'" } ?? ""
            return Finding(
                .notGranted,
                "this bundle needs the capability '\(need.capability)'\(name), which is not granted",
                at: need.location
            )
        }
    }

    /// Returns the capabilities that the scripts need, in the order of ``Capabilities``.
    ///
    /// Functions are not run: their needs are derived from the text of the scripts.
    ///
    /// - Parameters:
    ///   - text: The names in the text of the scripts.
    ///   - granted: The capabilities that are granted to the scripts.
    /// - Returns: The needs, without duplicates.
    package func needs(_ text: ScriptText, granted: Capabilities) -> [BundleNeed] {
        var needs: [BundleNeed] = []
        func add(
            _ capability: Capability,
            name: String? = nil,
            at location: RouteError.Location? = nil,
            isGranted: Bool
        ) {
            needs.append(
                BundleNeed(
                    capability: capability.rawValue,
                    name: name,
                    location: location,
                    isGranted: isGranted
                )
            )
        }
        for (name, location) in neededClasses(text).sorted(by: { $0.key < $1.key }) {
            add(
                .screens,
                name: name,
                at: location,
                isGranted: granted.screens?.contains(name) ?? true
            )
        }
        for task in declarations.expectations.tasks.sorted(by: { $0.description < $1.description })
        {
            let isGranted = granted.tasks?.contains(task) ?? true
            add(
                .tasks,
                name: task.description,
                at: declarations.expectations.location,
                isGranted: isGranted
            )
        }
        for (origin, location) in neededOrigins {
            let isGranted = granted.urls.map { allowed in
                origin.map { LinkDeclarations.allows($0, allowed) } ?? !allowed.isEmpty
            }
            add(.urls, name: origin?.description, at: location, isGranted: isGranted ?? true)
        }
        for (change, location) in neededTreeChanges(text) {
            add(Capability(change), at: location, isGranted: granted.tree.contains(change))
        }
        if let location = text.members["openWindow"] {
            add(.windows, at: location, isGranted: (granted.windows ?? 2) > 1)
        }
        if declarations.guardsScreens {
            let first = declarations.classDeclarations.all.filter(\.value.guardsScreens).keys.min()
            let location = first.flatMap { declarations.classes[$0].location }
            add(.leaving, at: location, isGranted: granted.leaving)
        }
        if let first = declarations.interceptAll.first {
            add(.interceptAll, at: first.location, isGranted: granted.interceptAll)
        }
        let timeout = declarations.neededTimeout
        if timeout > 0 {
            let isGranted = granted.timeout.map { timeout <= $0 } ?? true
            add(.timeout, name: "\(Value.number(timeout))", isGranted: isGranted)
        }
        if let location = text.members["delay"] ?? text.members["sleep"] {
            add(.timerCount, at: location, isGranted: granted.timers.count != 0)
        }
        return needs
    }

    /// The origins that scripts and their patterns declare.
    ///
    /// If the scripts declare no origin, a pattern without an origin adds the element nil, which
    /// means any origin.
    private var neededOrigins: [(origin: URLOrigin?, location: RouteError.Location?)] {
        var origins: [(URLOrigin?, RouteError.Location?)] = []
        var known: Set<URLOrigin?> = []
        let links = declarations.linkDeclarations
        let declared = links.declaredOrigins
        func add(_ origin: URLOrigin?, _ location: RouteError.Location?) {
            // Capabilities use wildcards instead of parameters: 'https://*.example.com', not
            // 'https://:tenant…'.
            let origin = origin?.unnamed
            if known.insert(origin).inserted { origins.append((origin, location)) }
        }
        for origin in declared?.list ?? [] { add(origin, declared?.location) }
        let kinds = Set(links.kinds.keys)
        let routes = links.routes.flatMap { step in
            step.urls.map { ($0, step.location) }
        }
        let routings = links.routings.map { ($0.pattern, $0.location) }
        let aliases = links.aliases.map { ($0.old, $0.location) }
        for (text, location) in routes + routings + aliases {
            guard let pattern = try? URLPattern(text, kinds: kinds) else { continue }
            if pattern.origin == nil, declared != nil { continue }
            add(pattern.origin, location)
        }
        return origins
    }

    private func neededClasses(_ text: ScriptText) -> [String: RouteError.Location?] {
        var classes: [String: RouteError.Location?] = [:]
        for (name, location) in namedClasses { classes[name] = .some(location) }
        for (name, location) in text.arguments["screen"] ?? [:] where classes[name] == nil {
            classes[name] = .some(location)
        }
        for name in declarations.expectations.screens ?? [] where classes[name] == nil {
            classes[name] = .some(declarations.expectations.location)
        }
        return classes.filter { Screen.Kind(rawValue: $0.key) == nil }
    }

    /// Returns the tree changes that the actions of routes make, or that the text of scripts names.
    private func neededTreeChanges(
        _ text: ScriptText
    ) -> [(Capabilities.TreeChange, RouteError.Location?)] {
        var changes: [Capabilities.TreeChange: RouteError.Location?] = [:]
        func need(_ change: Capabilities.TreeChange?, at location: RouteError.Location?) {
            if let change, changes[change] == nil { changes[change] = .some(location) }
        }
        for step in steps where step.build != nil {
            need((step.via ?? .push).neededTreeChange, at: step.location)
        }
        if let location = text.members["restore"] { need(.restore, at: location) }
        if let location = text.members["present"] { need(.present, at: location) }
        for (word, location) in (text.values["via"] ?? [:]).sorted(by: { $0.key < $1.key }) {
            need(Action(Value(word))?.neededTreeChange, at: location)
        }
        if let location = text.values["force"]?["true"] { need(.force, at: location) }
        return Capabilities.TreeChange.allCases.compactMap { change in
            changes[change].map { (change, $0) }
        }
    }
}

extension Action {
    /// The tree change that the action makes; nil if the action makes no change, or if a script
    /// declares the action.
    fileprivate var neededTreeChange: Capabilities.TreeChange? {
        switch kind {
        case .present, .presentWithNav: .present
        case .replaceRoot: .replaceRoot
        case .push, .pushAsRoot, .pushReplacingLast, .replaceLast, .addTab, .setAsPrimary,
            .pushToDetails, .pushOnToDetails:
            .push
        case .none, .declared: nil
        }
    }
}
