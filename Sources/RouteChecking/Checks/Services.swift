// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each interceptor that runs for all routes and navigates to a route for
    /// which it would run again.
    func recursionFindings(_ text: ScriptText) -> [Finding] {
        declarations.interceptAll.flatMap { all -> [Finding] in
            guard let declaration = declarations.interceptors[all.name]?.location else { return [] }
            let targets = Set(text.targets(of: declaration)).filter { target in
                all.isFor(target.service) && declarations.routes.route(to: target) != nil
            }
            return targets.sorted { $0.description < $1.description }.map { target in
                Finding(
                    .interceptsItself,
                    "'\(all.name)' navigates to '\(target)', for which it runs again",
                    at: all.location,
                    help: "exclude the service: except = { \"\(target.service)\" }"
                )
            }
        }
    }

    /// Returns a finding for each service in `only` and `except` of `interceptAll` for which
    /// nothing is registered.
    ///
    /// A service that a function may register later is not reported. This is assumed in two cases:
    /// a call to `register` or `registerTask` in the text has the service's name as its first
    /// argument, or the first argument of such a call is computed and the name is quoted elsewhere.
    func serviceFindings(_ text: ScriptText) -> [Finding] {
        // If there is a fallback, every service is valid.
        guard declarations.fallback?.screen == nil else { return [] }
        let known = declarations.routes.services.map(\.name)
        var services = Set(known)
        for call in ["register", "registerTask"] {
            services.formUnion((text.arguments[call] ?? [:]).keys)
            guard text.callsWithOther[call] != nil else { continue }
            var counts: [String: Int] = [:]
            for all in declarations.interceptAll {
                for name in (all.only ?? []).union(all.except) { counts[name, default: 0] += 1 }
            }
            for (name, count) in counts where text.names[name, default: 0] > count {
                services.insert(name)
            }
        }
        var hints = Hints()
        return declarations.interceptAll.flatMap { all in
            let named = (all.only ?? []).union(all.except)
            return named.filter { !services.contains($0) }.sorted().map { name in
                let error = RouteError.noService(name, among: hints.among(known))
                return Finding(.unknownService, error.at(all.location))
            }
        }
    }
}
