// SPDX-License-Identifier: MIT

/// Checks of loaded scripts for errors and suspicious code.
extension Router {
    /// Checks the registrations of the scripts, without running any script.
    ///
    /// ```swift
    /// for finding in router.check() { print(finding.code, finding) }
    /// ```
    ///
    /// - Parameters:
    ///   - manifest: The abilities of the host; nil if they are unknown.
    ///   - capabilities: The capabilities that scripts would have; the manifest may reduce them.
    ///   - contract: The declarations that an app was compiled against; nil for no app.
    /// - Returns: The findings, in the order of files and lines: warnings, and errors where the
    ///   host lacks or refuses what the scripts need, or where they name something that they have
    ///   removed.
    public func check(
        manifest: HostManifest? = nil,
        capabilities: Capabilities = Capabilities(),
        contract: RouterContract? = nil
    ) -> [Finding] {
        check(scriptTexts(), manifest: manifest, capabilities: capabilities, contract: contract)
    }

    /// Checks the scripts with their texts, which are read once for several checks.
    package func check(
        _ texts: ScriptTexts,
        manifest: HostManifest?,
        capabilities: Capabilities,
        contract: RouterContract?
    ) -> [Finding] {
        enter()
        let check = generation.check
        let findings = check.findings(
            texts.text,
            against: manifest,
            capabilities: self.capabilities.intersection(capabilities),
            contract: contract
        )
        var names = UndeclaredNames(texts, known: check.knownNames(texts.text, manifest))
        return findings.adding(names.findings())
    }

    /// Returns the capabilities that the scripts use, in the order of ``Capabilities``.
    ///
    /// The capabilities that functions use are guessed from the text of the scripts.
    package func needs() -> [BundleNeed] {
        generation.check.needs(scriptText, granted: Capabilities())
    }

    /// The text of the scripts.
    ///
    /// - Complexity: O(*n*) in the number of bytes, each time.
    package var scriptText: ScriptText {
        enter()
        return ScriptText(generation.bundle)
    }

    /// Reads the texts of the scripts, for a check.
    ///
    /// - Parameter older: The texts of other scripts: files that both have in common are not read
    ///   again.
    /// - Returns: The texts.
    /// - Complexity: O(*n*) in the number of bytes of the other files.
    package func scriptTexts(after older: ScriptTexts? = nil) -> ScriptTexts {
        enter()
        return ScriptTexts(generation.bundle, after: older)
    }

    /// Returns the names that the scripts and their host have.
    ///
    /// - Parameters:
    ///   - manifest: The abilities of the host; nil if they are unknown.
    ///   - text: The text of the scripts; nil to read it.
    /// - Returns: The names, as far as the declarations and the text of the scripts show them.
    package func knownNames(_ manifest: HostManifest?, _ text: ScriptText? = nil) -> KnownNames {
        enter()
        return generation.check.knownNames(text ?? scriptText, manifest)
    }

    /// The declarations of the scripts that an app can use, with their types.
    package var interface: ScriptInterface {
        enter()
        return ScriptInterface(generation.declarations)
    }

    /// The declarations of the scripts.
    package var declarations: Declarations {
        enter()
        return generation.declarations
    }

    /// The redirects in the text of the scripts.
    package var redirects: [Redirect] { scriptText.redirects }

    /// The tasks that the scripts expect of the host.
    package var expectedTasks: Set<Target> { serving.declarations.expectations.tasks }
}

extension Router {
    /// Logs an error for each screen that the scripts expect of the host but the host cannot make.
    ///
    /// - Parameters:
    ///   - names: The classes of the screens that the host makes, besides the containers, which the
    ///     host need not make.
    ///   - fix: What the app has to do.
    package func checkScreens(_ names: some Collection<String>, fix: String) {
        enter()
        let expected = serving.declarations.expectations.screens ?? []
        for name in expected.sorted() where !names.contains(name) {
            guard [.leaf, .container].contains(classes[name].kind) else { continue }
            let hint = Suggestion.hint(for: name, among: names.sorted())
            log(
                "error",
                "the scripts expect the screen '\(name)', which the host cannot make\(hint) (\(fix))"
            )
        }
    }
}

extension Router {
    /// Logs a warning for each class of adopted leaves that the scripts do not name, and for each field that
    /// its class does not declare.
    ///
    /// Where the scripts do not say which classes they expect, only a class with a similar name is reported.
    func checkAdopted(_ screens: [ScreenID]) {
        let declarations = serving.declarations
        let expected = declarations.expectations.screens
        var (known, met): (Set<String>?, Set<String>) = (expected, [])
        func warn(_ message: String, at location: RouteError.Location?) {
            if met.insert(message).inserted { log("warn", "'adopt': \(message)", at: location) }
        }
        for screen in screens.compactMap({ tree.screen($0) }) {
            let its = declarations.classes[screen.class]
            let location = declarations.classDeclarations[its.name]?.location
            if its.declaresFields {
                for field in screen.fields.names where !its.fields.contains(field) {
                    warn(RouteError.noField(field, of: its).message, at: location)
                }
            }
            guard screen.kind == .leaf, expected != nil || location == nil else { continue }
            let names = known ?? namesOfClasses
            known = names
            guard !names.contains(its.name) else { continue }
            let hint = Suggestion.hint(for: its.name, among: names.sorted())
            guard expected != nil || !hint.isEmpty else { continue }
            warn(
                "the scripts name no class '\(its.name)', and no route finds its screens\(hint)",
                at: location
            )
        }
    }

    /// The classes that the scripts declare, or name in calls.
    private var namesOfClasses: Set<String> {
        let text = scriptText
        return generation.check.knownNames(text, configuration.manifest).classes
            .union((text.arguments["screen"] ?? [:]).keys)
    }
}

extension Generation {
    /// The check of the scripts' declarations.
    var check: DeclarationCheck {
        DeclarationCheck(
            declarations,
            source: { function in
                self.runtime.lua.source(of: function.lua).map {
                    ($0.chunk, $0.lines, $0.parameters)
                }
            },
            takes: { (try? self.runtime.takes($0.lua, $1)) ?? true }
        )
    }

    /// The needs of the scripts that the router's host does not meet.
    var hostFindings: [Finding] {
        router.configuration.manifest.map { check.hostFindings($0) } ?? []
    }

    /// The calls of the app that the scripts break.
    var contractFindings: [Finding] {
        guard let contract = router.configuration.contract else { return [] }
        let previous = number > 1 ? router.serving.declarations : nil
        return check.contractFindings(contract, previous: previous)
    }
}
