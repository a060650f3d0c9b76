// SPDX-License-Identifier: MIT

/// Whether `interceptAll` names services that there are.
extension Generation {
    /// The services in `only` and `except` of which nothing is registered.
    func serviceFindings() -> [Finding] {
        // What answers where nothing is registered answers for any service.
        guard fallback?.screen == nil else { return [] }
        let known = routes.services.map(\.name)
        return interceptAll.flatMap { all in
            (all.only ?? []).union(all.except).subtracting(known).sorted().map { name in
                Finding(.unknownService, RouteError.noService(name, among: known).at(all.place))
            }
        }
    }
}
