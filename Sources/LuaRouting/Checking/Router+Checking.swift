// SPDX-License-Identifier: MIT

/// Checks loaded scripts for errors and suspicious code.
extension Router {
    /// Checks the registrations of the scripts, without running any script.
    ///
    /// ```swift
    /// for finding in router.check() { print(finding.code, finding) }
    /// ```
    ///
    /// - Parameters:
    ///   - manifest: The abilities of the host; nil if they are unknown.
    ///   - capabilities: The capabilities that scripts would have. The manifest may reduce them.
    ///   - contract: The declarations that an app was compiled against; nil if there is no app.
    /// - Returns: The findings, sorted by file and line: warnings, and errors if the host lacks or
    ///   refuses something that the scripts need, or if the scripts use a name that they have
    ///   removed.
    public func check(
        manifest: HostManifest? = nil,
        capabilities: Capabilities = Capabilities(),
        contract: RouterContract? = nil
    ) -> [Finding] {
        check(scriptTexts(), manifest: manifest, capabilities: capabilities, contract: contract)
    }

    /// Checks the scripts.
    ///
    /// `texts` is a parameter so that several checks can share them.
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
    /// Capabilities that only functions use are guessed from the text of the scripts.
    package func needs() -> [BundleNeed] {
        generation.check.needs(scriptText, granted: Capabilities())
    }

    /// The text of the scripts.
    ///
    /// - Complexity: O(*n*) in the number of bytes; the text is read again each time.
    package var scriptText: ScriptText {
        enter()
        return ScriptText(generation.bundle)
    }

    /// Reads the texts of the scripts for a check.
    ///
    /// - Parameter older: Texts that were read earlier. Files with the same content are not read
    ///   again.
    /// - Returns: The texts.
    /// - Complexity: O(*n*) in the number of bytes of the files that differ.
    package func scriptTexts(after older: ScriptTexts? = nil) -> ScriptTexts {
        enter()
        return ScriptTexts(generation.bundle, after: older)
    }

    /// Returns the names that the scripts and their host define.
    ///
    /// - Parameters:
    ///   - manifest: The abilities of the host; nil if they are unknown.
    ///   - text: The text of the scripts; nil to read it.
    /// - Returns: The names that can be found in the declarations and the text of the scripts.
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

    /// The tasks that the scripts expect the host to do.
    package var expectedTasks: Set<Target> { serving.declarations.expectations.tasks }
}

extension Router {
    /// Logs an error for each screen that the scripts expect and the host cannot build.
    ///
    /// - Parameters:
    ///   - names: The classes of the screens that the host can build. Containers need not be
    ///     included.
    ///   - fix: The action that the app's developer must take, for the message.
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
    /// Logs an error for each task that the scripts expect of a host that performs no tasks.
    ///
    /// - Parameter fix: The action that the app's developer must take, for the message.
    package func checkTasks(fix: String) {
        enter()
        for call in ScriptInterface(serving.declarations).hostTasks {
            log(
                "error",
                "the scripts expect the task '\(call.target)', which the host does not perform (\(fix))"
            )
        }
    }

    /// Ends a task unfinished because the host performs no tasks, and logs an error.
    package func refuse(_ task: HostTask, fix: String) {
        log(
            "error",
            "the host does not perform the task '\(task.service)/\(task.task)' (\(fix))"
        )
        task.end(false, "the host does not perform tasks")
    }
}

extension Router {
    /// Logs a warning for each class of adopted leaves that the scripts do not mention, and for
    /// each field of an adopted screen that the screen's class does not declare.
    ///
    /// If the scripts do not declare which classes they expect, a class is reported only if its
    /// name is similar to the name of a known class.
    func checkAdopted(_ screens: [ScreenID]) {
        let declarations = serving.declarations
        let expected = declarations.expectations.screens
        var (known, met): (Set<String>?, Set<String>) = (expected, [])
        func warn(_ message: String, at location: RouteError.Location?) {
            if met.insert(message).inserted { log("warn", "'adopt': \(message)", at: location) }
        }
        for screen in screens.compactMap({ tree.screen($0) }) {
            let its = declarations.classes[screen.class]
            if its.declaresFields {
                for field in screen.fields.names where !its.fields.contains(field) {
                    warn(RouteError.noField(field, of: its).message, at: its.location)
                }
            }
            guard screen.kind == .leaf, expected != nil || !declarations.classes.declares(its.name)
            else { continue }
            let names = known ?? namesOfClasses
            known = names
            guard !names.contains(its.name) else { continue }
            let hint = Suggestion.hint(for: its.name, among: names.sorted())
            guard expected != nil || !hint.isEmpty else { continue }
            warn(
                "the scripts do not mention the class '\(its.name)', so no route finds its screens\(hint)",
                at: its.location
            )
        }
    }

    /// The classes that the scripts declare or use in calls.
    private var namesOfClasses: Set<String> {
        let text = scriptText
        return generation.check.knownNames(text, configuration.manifest).classes
            .union((text.arguments["screen"] ?? [:]).keys)
    }
}

extension Generation {
    /// The check of the scripts' declarations.
    var check: DeclarationCheck {
        compileOldLinks()
        return DeclarationCheck(
            declarations,
            source: { function in
                self.runtime.lua.source(of: function.lua).map {
                    ($0.chunk, $0.lines, $0.parameters)
                }
            },
            takes: { (try? self.runtime.takes($0.lua, $1)) ?? true }
        )
    }

    /// The findings about things that the scripts need and the router's host does not provide.
    var hostFindings: [Finding] {
        router.configuration.manifest.map { check.hostFindings($0) } ?? []
    }

    /// The findings about typed calls by the app that the scripts no longer match.
    var contractFindings: [Finding] {
        guard let contract = router.configuration.contract else { return [] }
        let previous = number > 1 ? router.serving.declarations : nil
        return check.contractFindings(contract, previous: previous)
    }
}
