// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import RouteURLs

/// The intent filters of an Android manifest.
///
/// Android decodes a path before comparing it, and ignores the query. In a `pathPattern`, `.`
/// matches any character, and `.*` matches any text up to the first occurrence of the character
/// after `.*`.
struct AndroidLinks {
    /// An intent filter: a scheme, a host, and patterns for paths.
    struct Filter: Sendable {
        let scheme: String
        /// The host; nil for any host.
        let host: String?
        let port: UInt16?
        /// The patterns with their comments.
        fileprivate(set) var paths: [(pattern: String, comment: String)] = []

        fileprivate func isOf(_ other: Filter) -> Bool {
            (scheme, host) == (other.scheme, other.host) && port == other.port
        }
    }

    private(set) var filters: [Filter] = []
    /// The forms without an origin.
    ///
    /// An intent filter cannot be written without an origin.
    private(set) var skipped: [LinkForm] = []

    init(_ forms: [LinkForm]) {
        for form in forms where !form.isClosed {
            if form.origins.isEmpty { skipped.append(form) }
            for origin in form.origins { add(form, origin) }
        }
    }

    private mutating func add(_ form: LinkForm, _ origin: URLOrigin) {
        var segments = form.segments[...]
        var host = origin.host
        if host == nil, let first = segments.popFirst() {
            // With a custom scheme, the first segment is the host. If it contains a parameter, the
            // filter accepts any host.
            if case .text(let text)? = first.first, first.count == 1 {
                host = text.text ?? "*"
            } else {
                host = "*"
            }
        }
        let filter = Filter(scheme: origin.scheme, host: host, port: origin.port)
        let index = filters.firstIndex { $0.isOf(filter) } ?? filters.count
        if index == filters.count { filters.append(filter) }
        // Only a pattern for any path also matches an empty path.
        let isBareHost = segments.isEmpty && origin.host == nil
        let patterns =
            isBareHost
            ? [".*"] : Self.patterns(of: Array(segments), ignoringCase: form.ignoresCase)
        for pattern in patterns
        where !filters[index].paths.contains(where: { $0.pattern == pattern }) {
            filters[index].paths.append((pattern, form.title))
        }
    }

    /// Returns the patterns for the paths with the given segments, with and without a trailing
    /// slash.
    private static func patterns(
        of segments: [[LinkForm.Part]],
        ignoringCase: Bool
    ) -> [String] {
        var pattern = ""
        for (index, segment) in segments.enumerated() {
            pattern += "/"
            for part in segment {
                switch part {
                case .text(let text): pattern += escaped(text, ignoringCase: ignoringCase)
                case .value(let hasSlash, _):
                    // `.*` would stop too early if the value contained the next character, so the
                    // pattern ends here.
                    let isLast = index == segments.count - 1
                    if hasSlash || isLast { return [pattern + "..*"] }
                    pattern += "..*"
                }
            }
        }
        return pattern.isEmpty ? ["/"] : [pattern, pattern + "/"]
    }

    private static func escaped(_ text: ByteString, ignoringCase: Bool) -> String {
        // Android replaces invalid UTF-8 when it decodes a path, so the text cannot be compared.
        guard let text = text.text else { return ".*" }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case ".", "*", "\\", "[", "{", "+": "\\\(scalar)"
            case _ where scalar.value < 0x20 || ignoringCase && scalar.properties.isCased: "."
            default: String(scalar)
            }
        }.joined()
    }

    /// Returns a manifest with the activity and its filters, to be merged into the app's manifest.
    func text(package: String) -> EscapedText<XML> {
        var lines: [EscapedText<XML>] = [
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
            "<!-- Written by 'luaroute links'. Copy the filters into the activity of the app. -->",
            "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"\(package)\">",
            "    <application>",
            "        <activity android:name=\".MainActivity\" android:exported=\"true\">",
        ]
        for filter in filters {
            let isWeb = filter.scheme == "https" || filter.scheme == "http"
            let verified: EscapedText<XML> = isWeb ? " android:autoVerify=\"true\"" : ""
            lines += [
                "            <intent-filter\(verified)>",
                "                <action android:name=\"android.intent.action.VIEW\" />",
                "                <category android:name=\"android.intent.category.DEFAULT\" />",
                "                <category android:name=\"android.intent.category.BROWSABLE\" />",
            ]
            var data: [(name: String, value: String)] = [("android:scheme", filter.scheme)]
            if let host = filter.host { data.append(("android:host", host)) }
            if let port = filter.port { data.append(("android:port", "\(port)")) }
            lines.append("                <data\(XML.attributes(data)) />")
            for (pattern, comment) in filter.paths {
                // Three or more hyphens in a row still contain `--` after the first replacement.
                let comment = comment.replacing(part: "--", with: "- -")
                    .replacing(part: "--", with: "- -")
                lines.append("                <!-- \(comment) -->")
                // Android's resource compiler reads a backslash as an escape.
                let value = pattern.replacing(part: "\\", with: "\\\\")
                let attribute = XML.attributes([("android:pathPattern", value)])
                lines.append("                <data\(attribute) />")
            }
            lines.append("            </intent-filter>")
        }
        lines += ["        </activity>", "    </application>", "</manifest>"]
        return lines.map { "\($0)\n" }.joined()
    }
}
