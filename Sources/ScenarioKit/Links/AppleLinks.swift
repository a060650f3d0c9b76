// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteURLs

/// The patterns of an `apple-app-site-association` file.
///
/// `*` matches any text, including slashes, and `?` matches any character. The first component that
/// matches a URL decides whether the app opens the URL.
struct AppleLinks {
    struct Component: Sendable, Equatable {
        /// The pattern of the path.
        let path: String
        /// The patterns of the required query values, by key.
        var query: [String: String] = [:]
        /// The pattern of the fragment; nil for any fragment.
        var fragment: String?
        var isExcluded = false
        var ignoresCase = false
        let comment: String

        /// Returns whether the component matches an encoded path.
        func matches(_ text: String) -> Bool {
            LinkGlob.apple(path, text, ignoringCase: ignoresCase)
        }

        static func == (one: Component, other: Component) -> Bool {
            one.path == other.path && one.query == other.query && one.fragment == other.fragment
                && one.isExcluded == other.isExcluded && one.ignoresCase == other.ignoresCase
        }
    }

    /// The components in the order of the file: excluded components first.
    private(set) var components: [Component] = []
    /// The forms of closed routes that cannot be excluded, because their components would also
    /// match URLs of open routes.
    private(set) var notExcluded: [LinkForm] = []
    /// The forms with custom schemes.
    ///
    /// The app declares these schemes in its `Info.plist`.
    private(set) var skipped: [LinkForm] = []

    init(_ forms: [LinkForm]) {
        let (web, custom) = (forms.filter(\.isOfWeb), forms.filter { !$0.isOfWeb })
        skipped = custom
        let openForms = web.filter { !$0.isClosed }
        let open = openForms.flatMap(Self.components)
        var excluded: [Component] = []
        for form in web where form.isClosed {
            let components = Self.components(of: form)
            let isShared =
                open.contains { one in components.contains { $0.path == one.path } }
                || openForms.contains { one in
                    // If both forms match the same URL, the URL belongs to the closed route.
                    let path = one.encodedPath
                    return path != form.encodedPath && components.contains { $0.matches(path) }
                }
            if form.isLiteral, form.query.isEmpty, form.fragment == nil, !isShared {
                excluded += components.map { component in
                    var component = component
                    component.isExcluded = true
                    return component
                }
            } else {
                notExcluded.append(form)
            }
        }
        for component in excluded + open where !components.contains(component) {
            components.append(component)
        }
    }

    /// Returns the components that match all URLs of a form, as `router.url` prints them, with and
    /// without a trailing slash.
    private static func components(of form: LinkForm) -> [Component] {
        let (path, isOpen) = pattern(of: form.segments)
        var query: [String: String] = [:]
        for item in form.query where item.hasValue {
            query[pattern(item.key)] = item.literal.map(pattern) ?? "?*"
        }
        let fragment = form.fragment.map { segments in
            let path = pattern(of: segments).text.dropFirst()
            let slash = form.fragmentMarks.hasSlash ? "/" : ""
            return slash + path + (form.fragmentMarks.hasQuery ? "*" : "")
        }
        let component = Component(
            path: path.isEmpty ? "/" : path,
            query: query,
            fragment: fragment,
            ignoresCase: form.ignoresCase,
            comment: form.title
        )
        guard !isOpen, !path.isEmpty else { return [component] }
        let slashed = Component(
            path: path + "/",
            query: query,
            fragment: fragment,
            ignoresCase: form.ignoresCase,
            comment: component.comment
        )
        return [component, slashed]
    }

    /// Returns the pattern of a path, and whether the pattern ends with a wildcard.
    private static func pattern(of segments: [[LinkForm.Part]]) -> (text: String, isOpen: Bool) {
        var (path, isOpen) = ("", false)
        for segment in segments {
            path += "/"
            for part in segment {
                switch part {
                case .text(let text):
                    path += pattern(text)
                    isOpen = false
                case .value:
                    path += "?*"
                    isOpen = true
                }
            }
        }
        return (path, isOpen)
    }

    /// Returns the pattern for a text, percent-encoded.
    ///
    /// Characters that a pattern cannot contain, or that some senders percent-encode, become `*`.
    private static func pattern(_ text: ByteString) -> String {
        encoded(text, wildcards: Array("*$()&+:".utf8))
    }

    /// Percent-encodes a text for a URL, and replaces each of the `wildcards` with `*`.
    static func encoded(_ text: ByteString, wildcards: [UInt8] = []) -> String {
        text.withBytes { bytes in
            bytes.map { byte in
                if wildcards.contains(byte) { return "*" }
                if byte.isWordOrHyphen || plain.contains(byte) {
                    return String(Unicode.Scalar(byte))
                }
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }.joined()
        }
    }

    /// The symbols that need no escape in a path.
    private static let plain = Array(".~!',;=@*$()&+:".utf8)

    /// The maximum size of the file, in bytes.
    ///
    /// Devices ignore a larger file.
    private static let sizeLimit = 128 << 10

    /// Returns a note if the file is too large; otherwise an empty list.
    static func notes(aboutSizeOf text: String) -> [String] {
        let size = text.utf8.count
        guard size > sizeLimit else { return [] }
        return [
            "the file has \(size) bytes, but devices read at most \(sizeLimit) bytes: use '--origin' to write a separate file for each host"
        ]
    }

    /// Returns the text of the file for the given app identifiers, each of which consists of a
    /// prefix and a bundle identifier.
    func text(appIDs: [String]) -> String {
        func quoted(_ text: String) -> String {
            var json = JSONWriter()
            json.write(.string(ByteString(text)))
            return json.text
        }
        let lines = components.map { component in
            var members = ["\"/\": \(quoted(component.path))"]
            let query = component.query.sorted { $0.key < $1.key }
                .map { "\(quoted($0.key)): \(quoted($0.value))" }
            if !query.isEmpty { members.append("\"?\": { \(query.joined(separator: ", ")) }") }
            if let fragment = component.fragment { members.append("\"#\": \(quoted(fragment))") }
            if component.isExcluded { members.append("\"exclude\": true") }
            if component.ignoresCase { members.append("\"caseSensitive\": false") }
            members.append("\"comment\": \(quoted(component.comment))")
            return "          { \(members.joined(separator: ", ")) }"
        }
        return """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": [\(appIDs.map(quoted).joined(separator: ", "))],
                    "components": [
            \(lines.joined(separator: ",\n"))
                    ]
                  }
                ]
              }
            }

            """
    }
}

extension LinkForm {
    /// Whether the form matches URLs of the web.
    var isOfWeb: Bool { origins.isEmpty || origins.contains { $0.host != nil } }
}
