// SPDX-License-Identifier: MIT

/// Looking at what the scripts registered, all at once.
extension Generation {
    /// What is wrong with what was registered, and ends a load; compiles the patterns of URLs.
    func mistakes() -> [Finding] {
        var findings = nameFindings() + referenceFindings() + wayFindings() + linkFindings()
        if findings.isEmpty, !registersAnything {
            findings.append(Finding(.nothingRegistered, .nothingRegistered(bundle.entry)))
        }
        return findings.byPlace()
    }

    private var registersAnything: Bool {
        !declarations.routes.isEmpty || declarations.firstTree != nil
            || !declarations.declaredLinks.routings.isEmpty || !declarations.handlers.isEmpty
            || !declarations.providers.isEmpty || !declarations.exports.isEmpty
            || !declarations.interceptors.isEmpty
            || declarations.fallback != nil || declarations.backHandler != nil
    }

    /// What the scripts need and the host of the router does not bring.
    func hostMistakes() -> [Finding] {
        router.configuration.manifest.map(hostFindings)?.filter { $0.severity == .error } ?? []
    }

    /// All that is wrong or suspicious in what was registered, and what a host lacks.
    func findings(_ manifest: HostManifest?, _ capabilities: Capabilities) -> [Finding] {
        let text = ScriptText(bundle)
        var findings = nameFindings() + referenceFindings() + wayFindings() + serviceFindings(text)
        findings += parameterFindings() + exampleFindings() + unusedFindings(text)
        findings += expectedClassFindings() + reachFindings(text) + sharedFindings()
        findings += fallbackFindings() + dependencyFindings(text) + gateFindings(text)
        var granted = router.capabilities.intersection(capabilities)
        if let manifest {
            findings += hostFindings(manifest)
            granted = granted.intersection(manifest.capabilities)
        }
        findings += capabilityFindings(text, granted: granted)
        return findings.byPlace()
    }
}
