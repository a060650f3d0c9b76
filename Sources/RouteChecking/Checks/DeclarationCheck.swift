// SPDX-License-Identifier: MIT

internal import RouteCore
package import RouteEngine

/// A check of a bundle's declarations.
///
/// The check only reads declarations; it runs no scripts.
package struct DeclarationCheck {
    /// The source of a function: its file, its lines and the names of its first three parameters.
    package typealias Source = (file: String, lines: ClosedRange<Int>, parameters: [String])

    /// The declarations to check.
    let declarations: Declarations
    /// The steps that the scripts created while they loaded, except the steps of routes that were
    /// removed or replaced.
    let steps: [Step]
    /// A closure that returns the source of a function; nil if the source is unknown.
    let source: (ScriptFunction) -> Source?
    /// A closure that returns whether a function accepts the given number of arguments.
    let takes: (ScriptFunction, Int) -> Bool

    /// Creates a check of the given declarations.
    ///
    /// - Parameters:
    ///   - declarations: The declarations.
    ///   - source: A closure that returns the source of a function; nil if the source is unknown.
    ///   - takes: A closure that returns whether a function accepts the given number of arguments.
    /// - Complexity: O(*n*) in the number of steps.
    package init(
        _ declarations: Declarations,
        source: @escaping (ScriptFunction) -> Source? = { _ in nil },
        takes: @escaping (ScriptFunction, Int) -> Bool
    ) {
        (self.declarations, self.source, self.takes) = (declarations, source, takes)
        steps = declarations.registeredSteps
    }

    /// Returns the errors that prevent scripts from loading.
    ///
    /// - Parameters:
    ///   - linkFindings: The errors that were found while compiling the URL patterns.
    ///   - entry: The main file of the scripts, which is reported if nothing is registered.
    /// - Returns: The findings, sorted by file and line.
    package func mistakes(among linkFindings: [Finding], entry: String) -> [Finding] {
        var findings = nameFindings() + referenceFindings() + comparedFieldFindings()
        findings += circleFindings() + linkFindings
        if findings.isEmpty, !registersAnything {
            findings.append(Finding(.nothingRegistered, .nothingRegistered(entry)))
        }
        return findings.byPlace()
    }

    private var registersAnything: Bool {
        !declarations.routes.isEmpty || declarations.firstTree != nil
            || !declarations.linkDeclarations.routings.isEmpty || !declarations.handlers.isEmpty
            || !declarations.providers.isEmpty || !declarations.exports.isEmpty
            || !declarations.interceptors.isEmpty
            || declarations.fallback != nil || declarations.backHandler != nil
    }

    /// Returns findings for all errors, suspicious declarations and needs that are not met.
    ///
    /// - Parameters:
    ///   - text: The names in the text of the scripts.
    ///   - manifest: The manifest of the host; nil if unknown.
    ///   - capabilities: The capabilities of the scripts. If the manifest also lists capabilities,
    ///     only the capabilities in both are granted.
    ///   - contract: The declarations that an app was compiled against; nil if there is no app.
    /// - Returns: The findings, sorted by file and line.
    package func findings(
        _ text: ScriptText,
        against manifest: HostManifest?,
        capabilities: Capabilities,
        contract: RouterContract? = nil
    ) -> [Finding] {
        var findings = nameFindings() + referenceFindings() + comparedFieldFindings()
        findings +=
            circleFindings() + serviceFindings(text) + recursionFindings(text)
            + parameterFindings() + fieldTypeFindings() + passedParameterFindings()
            + comparisonFindings()
        findings += exampleFindings() + unusedFindings(text) + expectedClassFindings()
        findings += undeclaredClassFindings(text, manifest) + idleParameterFindings(text)
        findings += unlistedFieldFindings(text) + undeclaredReadFindings(text)
        findings += reachFindings(text) + sharedFindings() + fallbackFindings()
        findings += dependencyFindings(text) + gateFindings(text)
        findings += text.findings
        var granted = capabilities
        if let manifest {
            findings += hostFindings(manifest, text)
            granted = granted.intersection(manifest.capabilities)
        }
        findings += capabilityFindings(text, granted: granted)
        if let contract { findings += contractFindings(contract, previous: nil) }
        return findings.byPlace()
    }
}
