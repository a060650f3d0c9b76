// SPDX-License-Identifier: MIT

/// Looking for what is wrong, or suspicious, in scripts that have loaded.
extension Router {
    /// Checks what the scripts registered; nothing of them runs.
    ///
    /// ```swift
    /// for finding in router.check() { print(finding.code, finding) }
    /// ```
    ///
    /// - Parameters:
    ///   - manifest: What the host brings; nil where nobody says.
    ///   - capabilities: The rights that scripts would get; the manifest may reduce them.
    /// - Returns: The findings, in the order of files and lines: warnings, and errors where the
    ///   host lacks or refuses what the scripts need, or where they have come to name what they
    ///   removed.
    public func check(
        manifest: HostManifest? = nil,
        capabilities: Capabilities = Capabilities()
    ) -> [Finding] {
        enter()
        return generation.findings(manifest, capabilities)
    }
}
