// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteURLs

/// The command `luaroute links`: loads scripts, and writes the file that lets Apple platforms or
/// Android open the URLs of the app.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct LinksCommand: Sendable {
    /// A platform, with the identifiers of its apps.
    package enum Platform: Sendable {
        /// The team and bundle identifiers, such as `ABCDE12345.com.example.app`.
        case apple([String])
        /// The package name, such as `com.example.app`.
        case android(String)
    }

    /// The scripts: a file, or a folder with a `main.lua`.
    package var script: String
    /// The options for loading the scripts.
    package var options: RunOptions
    /// The platform for which the file is written.
    package var platform: Platform
    /// The host whose URLs are written; nil for all hosts that the scripts declare.
    package var host: String?
    /// Whether to print a single JSON document.
    package var isJSON = false

    /// Creates a command.
    package init(
        script: String = ".",
        platform: Platform,
        host: String? = nil,
        options: RunOptions = RunOptions()
    ) {
        self.script = script
        self.platform = platform
        self.host = host
        self.options = options
    }

    /// Returns whether a text consists of two or more words, separated by periods.
    ///
    /// A word contains letters, digits, hyphens and underscores.
    package static func isIdentifier(_ text: String) -> Bool {
        let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return words.count > 1
            && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isWordOrHyphen) }
    }

    /// Returns whether a text is a host, optionally with a port.
    package static func isHost(_ text: String) -> Bool {
        (try? URLOrigin("https://\(text)"))?.host != nil
    }

    /// Writes the file.
    ///
    /// - Returns: The exit code.
    package func run(_ console: Console) -> ExitCode {
        var (text, notes): (PrintedText?, [String]) = (nil, [])
        var (code, diagnostics): (ExitCode, [Diagnostic]) = (.success, [])
        do throws(LoadedScripts.Failure) {
            let scripts = try LoadedScripts(script, options)
            let forms = scripts.linkForms
            (text, notes) = content(
                of: host.map { host in forms.compactMap { $0.limited(to: host) } } ?? forms
            )
            if let location = scripts.router.rewritingLocation {
                notes.append(
                    "'router.rewrite' (\(location)) may change URLs, but this file contains only declared patterns"
                )
            }
            if text == nil {
                let place = host.map { "'\($0)' on this platform" } ?? "this platform"
                diagnostics = [Diagnostic(.nothingSelected, "no route has a URL for \(place)")]
                code = .nothingSelected
            }
        } catch {
            (diagnostics, code) = (error.diagnostics, error.code)
        }
        diagnostics.forEach(console.write)
        for note in notes { console.errors("note: \(note)\n") }
        if isJSON {
            console.output(
                Self.document.text(
                    of: CommandResult(
                        (script, text?.text, notes),
                        diagnostics: diagnostics,
                        code: code
                    )
                )
            )
        } else if let text {
            console.output(text)
        }
        return code
    }

    /// Returns the text of the file, and notes about the URLs that the file omits.
    ///
    /// The text is nil if the platform cannot open any of the URLs.
    private func content(of forms: [LinkForm]) -> (text: PrintedText?, notes: [String]) {
        switch platform {
        case .apple(let appIDs):
            let links = AppleLinks(forms)
            let notes =
                links.skipped.map {
                    "\($0.place) is left out: custom schemes are declared in the app, not in this file"
                }
                + links.notExcluded.map {
                    "\($0.place) accepts no URLs, but excluding its pattern would also exclude other routes"
                }
            guard !links.components.isEmpty else { return (nil, notes) }
            let text = links.text(appIDs: appIDs)
            let size = AppleLinks.notes(aboutSizeOf: text)
            return (PrintedText(json: text), notes + notesAboutAll(of: forms) + size)
        case .android(let package):
            let links = AndroidLinks(forms)
            let notes = links.skipped.map {
                "\($0.place) is left out: 'router.links' declares no origin"
            }
            guard !links.filters.isEmpty else { return (nil, notes) }
            return (PrintedText(links.text(package: package)), notes + notesAboutAll(of: forms))
        }
    }

    /// Returns notes about patterns that make the platform open every URL of a host in the app.
    ///
    /// In the platform's patterns, a value matches any text, including slashes.
    private func notesAboutAll(of forms: [LinkForm]) -> [String] {
        forms.filter { form in
            form.isOfWeb && !form.isClosed && form.query.isEmpty && form.fragment == nil
                && form.segments.count == 1
                && form.segments[0].allSatisfy { if case .value = $0 { true } else { false } }
        }.map {
            "\($0.place) matches every path: the app opens all links of the host, and 'luaroute check --links' finds no missing patterns"
        }
    }

    typealias Content = (script: String, text: String?, notes: [String])

    static let document = DocumentFields<CommandResult<Content>>.result("links") {
        DocumentField<Content>("script", \.script, help: "The path of the scripts.")
        DocumentField("text", \.text, help: "The content of the file; null if there are no URLs.")
        DocumentField(
            "notes",
            \.notes,
            help: "The notes, for example about patterns that are left out."
        )
    }
}

extension LinkForm {
    /// The pattern and its location.
    fileprivate var place: String { "'\(pattern)'" + (source.map { " (\($0))" } ?? "") }
}

extension LoadedScripts {
    /// The forms of all URL patterns.
    var linkForms: [LinkForm] {
        let closed = router.registrations.filter { $0.origins?.contains(.url) == false }
        return inventory.linkForms(closed: Set(closed.map(\.target)))
    }
}
