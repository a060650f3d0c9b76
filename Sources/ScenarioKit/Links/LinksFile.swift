// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteURLs

/// The rules for URLs in an `apple-app-site-association` file or an Android manifest.
struct LinksFile {
    /// A rule of the file: a component on Apple platforms, or the data of an intent filter.
    struct Rule {
        /// How the path of a URL is compared with `path`.
        enum Match: Equatable {
            /// An Apple pattern for the encoded path: `*` matches any text, and `?` matches any
            /// character.
            case apple
            /// An Android `pathPattern` for the decoded path.
            case pattern
            case exact, prefix, suffix
            /// An Android `pathAdvancedPattern`, which is not parsed.
            case any
        }

        var match: Match
        var path: String
        /// The location of the path, or of the whole rule if the rule has no path.
        var range: Range<Int>
        var isExcluded = false
        /// Whether case is ignored; nil for the default of the file.
        var ignoresCase: Bool?
        /// The required keys of the query, with the patterns of their values.
        var query: [(key: String, value: String)] = []
        /// The pattern of the whole query.
        var wholeQuery = "*"
        var fragment = "*"
        /// The name of a part that this type cannot compare.
        ///
        /// A rule that has such a part matches nothing.
        var unknown: String?
        /// The schemes of an intent filter; empty for any scheme.
        var schemes: [String] = []
        var hosts: [Host] = []
    }

    /// A host of an intent filter, with the port from the same XML element.
    struct Host {
        let name: String
        let port: String?
    }

    /// The maximum size of a file, in bytes.
    private static let sizeLimit = 4 << 20

    let source: SourceText
    let rules: [Rule]

    /// Reads a file from disk.
    init(path: String) throws(LoadedScripts.Failure) {
        let why: String
        do throws(BundleError) {
            let bytes = try SourceFiles.read(path, limit: Self.sizeLimit)
            source = SourceText(name: path, content: bytes)
            let first = source.bytes.first { $0 > UInt8(ascii: " ") }
            if source.invalidOffset != nil {
                why = "'\(path)' is not UTF-8"
            } else if first == UInt8(ascii: "<") {
                rules = ManifestReader(source.bytes).rules
                return
            } else {
                do throws(RouteError) {
                    _ = try JSONDocument.object(source.bytes)
                    rules = AppleLinksReader(source.bytes).rules
                    return
                } catch {
                    why = "'\(path)' is neither JSON nor XML: \(error.message)"
                }
            }
        } catch {
            why = Paths.message(of: error)
        }
        let diagnostic = Diagnostic(.manifestUnreadable, why)
        throw LoadedScripts.Failure(diagnostics: [diagnostic], code: .inputMissing)
    }

    /// Returns findings about URLs of the scripts that no rule matches, and about rules that match
    /// no route.
    func findings(about scripts: LoadedScripts) -> [Diagnostic] {
        let isApple = rules.contains { $0.match == .apple }
        let forms = scripts.linkForms.filter { !isApple || $0.isOfWeb }
        var isUsed = [Bool](repeating: false, count: rules.count)
        var findings = rules.compactMap { rule in
            rule.unknown.map { unknown in
                Diagnostic(
                    .uncomparedLink,
                    "'\(rule.path)' was not compared, because this check does not know '\(unknown)'",
                    severity: .warning,
                    at: Span(source, rule.range)
                )
            }
        }
        for form in forms {
            let origins: [URLOrigin?] =
                isApple || form.origins.isEmpty ? [nil] : form.origins.map(\.self)
            for origin in origins {
                let matching = rules.indices.filter { rules[$0].matches(form, origin) }
                for index in matching { isUsed[index] = true }
                let isCovered = matching.first.map { !rules[$0].isExcluded } ?? false
                guard !isCovered, !form.isClosed else { continue }
                let what = form.url(origin)
                let place = form.source.map { " (\($0))" } ?? ""
                findings.append(
                    Diagnostic(
                        .uncoveredURL,
                        "'\(source.name)' does not let the app open '\(what)', a URL of '\(form.title)'\(place)",
                        help: "'luaroute links' writes the missing pattern"
                    )
                )
            }
        }
        let tables = [scripts.router.links.table, scripts.router.routingURLs]
        for (index, rule) in rules.enumerated()
        where !isUsed[index] && !rule.isExcluded && rule.unknown == nil
            && !rule.leads(to: tables)
        {
            // Also tries the rule without its trailing slash.
            var bare = rule
            if bare.path.hasSuffix("/") { bare.path.removeLast() }
            let isUsedBare = forms.contains { form in
                (form.origins.map(\.self) as [URLOrigin?] + [nil]).contains {
                    (isApple || $0 != nil) && bare.matches(form, isApple ? nil : $0)
                }
            }
            if isUsedBare { continue }
            findings.append(
                Diagnostic(
                    .unusedLink,
                    "'\(rule.path)' matches no URL of any route",
                    severity: .warning,
                    at: Span(source, rule.range)
                )
            )
        }
        return findings
    }
}

extension LinkForm {
    /// The path of a URL that the form matches.
    var encodedPath: String {
        "/" + sampleSegments.map { AppleLinks.encoded($0) }.joined(separator: "/")
    }

    /// The query of a URL that the form matches.
    fileprivate var encodedQuery: [(key: String, value: String)] {
        query.map { (AppleLinks.encoded($0.key), AppleLinks.encoded($0.sample)) }
    }

    /// The fragment of a URL that the form matches; empty if the form ignores the fragment.
    fileprivate var encodedFragment: String {
        guard let fragment else { return "" }
        let path = Self.sample(fragment).map { AppleLinks.encoded($0) }.joined(separator: "/")
        return (fragmentMarks.hasSlash ? "/" : "") + path
    }

    /// Returns a sample URL that matches the link form.
    fileprivate func url(_ origin: URLOrigin?) -> String {
        let path = encodedPath
        guard let origin else { return path }
        return origin.host == nil ? "\(origin.scheme):/\(path)" : "\(origin)\(path)"
    }
}

extension LinksFile.Rule {
    /// Returns whether the rule matches the sample URL of a form.
    fileprivate func matches(_ form: LinkForm, _ origin: URLOrigin?) -> Bool {
        guard unknown == nil, matches(query: form.encodedQuery, fragment: form.encodedFragment)
        else { return false }
        let decoded = "/" + form.sampleSegments.map { $0.text ?? "" }.joined(separator: "/")
        guard let origin else { return matches(path: decoded, form.encodedPath) }
        var (host, path) = (origin.host, decoded)
        if host == nil {
            let rest = decoded.dropFirst()
            host = String(rest.prefix { $0 != "/" })
            path = String(rest.drop { $0 != "/" })
        }
        return (schemes.isEmpty || schemes.contains(origin.scheme))
            && (hosts.isEmpty
                || hosts.contains { Self.matches($0, host: host ?? "", port: origin.port) })
            && matches(path: path, path)
    }

    /// Returns whether the patterns of the query and of the fragment match the query and the
    /// fragment of a URL.
    ///
    /// As on devices, an absent key has an empty value, and all values of a key must match.
    private func matches(
        query items: [(key: String, value: String)],
        fragment text: String
    ) -> Bool {
        let whole = items.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        return matches(fragment, text) && matches(wholeQuery, whole)
            && query.allSatisfy { key, value in
                let values = items.filter { matches(key, $0.key) }.map(\.value)
                return (values.isEmpty ? [""] : values).allSatisfy { matches(value, $0) }
            }
    }

    private func matches(_ pattern: String, _ text: String) -> Bool {
        LinkGlob.apple(pattern, text, ignoringCase: ignoresCase ?? false)
    }

    private static func matches(_ pattern: LinksFile.Host, host: String, port: UInt16?) -> Bool {
        // A port that refers to an Android resource has an unknown value, and is not compared.
        if let text = pattern.port, !text.hasPrefix("@"), UInt16(text) != port { return false }
        let name = pattern.name
        return name.hasPrefix("@") || name.lowercased() == host.lowercased()
            || name.hasPrefix("*") && host.hasSuffix(name.dropFirst())
    }

    private func matches(path decoded: String, _ encoded: String) -> Bool {
        switch match {
        case .apple: return matches(path, encoded)
        case .pattern:
            return LinkGlob.android(Array(path.unicodeScalars), Array(decoded.unicodeScalars))
        case .exact: return decoded == path
        case .prefix: return decoded.hasPrefix(path)
        case .suffix: return decoded.hasSuffix(path)
        case .any: return true
        }
    }

    /// Returns whether a URL that the rule matches belongs to a route.
    fileprivate func leads(to tables: [URLTable]) -> Bool {
        ["1", "x"].contains { sample in
            var text = ""
            var rest = path[...]
            while let character = rest.popFirst() {
                switch (match, character) {
                case (.apple, "*"), (.pattern, "*"): continue
                case (.apple, "?"), (.pattern, "."): text += sample
                case (.pattern, "\\"): if let next = rest.popFirst() { text.append(next) }
                default: text.append(character)
                }
            }
            return tables.contains { table in
                prefixes(of: table, sample).contains { prefix in
                    if case .match = table.match(ByteString(prefix + text)) { true } else { false }
                }
            }
        }
    }

    /// Returns the beginnings of URLs: the schemes and hosts of the filter, or the origins of the
    /// table if the filter has no schemes.
    private func prefixes(of table: URLTable, _ sample: String) -> [String] {
        guard schemes.isEmpty else {
            return schemes.flatMap { scheme in
                guard !hosts.isEmpty else { return ["\(scheme)://\(sample)"] }
                return hosts.map { host in
                    let name = host.name
                    return "\(scheme)://\(name.hasPrefix("*") ? sample + name.dropFirst() : name)"
                        + (host.port.map { ":\($0)" } ?? "")
                }
            }
        }
        let origins = table.origins.filter { $0.host != nil }.map { origin in
            let text = origin.unnamed.description
            return origin.isWild ? text.replacing(part: "*", with: sample) : text
        }
        return origins.isEmpty ? [""] : origins
    }
}
