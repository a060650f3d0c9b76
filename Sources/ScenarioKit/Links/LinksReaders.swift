// SPDX-License-Identifier: MIT

internal import RouteCore

/// Finds the components of a valid `apple-app-site-association` file, with their locations.
struct AppleLinksReader {
    private(set) var rules: [LinksFile.Rule] = []

    private enum Container {
        /// An object, with the most recently read key.
        case object(key: String?)
        /// An array, with the key under which it is stored.
        case array(key: String?)
    }

    /// The settings of a `defaults` object.
    ///
    /// The settings apply to the components with the index `first` or a higher index.
    private struct Defaults {
        var depth = 0
        var first = 0
        var ignoresCase: Bool?
        var unknown: String?
    }

    /// The known members of a component.
    ///
    /// A component with any other member matches nothing.
    private static let members = ["/", "?", "#", "exclude", "caseSensitive", "comment"]

    init(_ bytes: [UInt8]) {
        var containers: [Container] = []
        var (all, its) = (Defaults(), Defaults())
        var rule: LinksFile.Rule?
        var depth = 0
        var key: String?
        var position = 0
        while position < bytes.count {
            let start = position
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position += 1
                let text = Self.text(bytes, start..<min(position, bytes.count))
                let isKey = if case .object(nil)? = containers.last { true } else { false }
                if isKey {
                    containers[containers.count - 1] = .object(key: text)
                    if rule != nil, containers.count == depth {
                        key = text
                        if !Self.members.contains(text) { rule?.unknown = text }
                    }
                } else if rule != nil, containers.count == depth {
                    switch key {
                    case "/":
                        rule?.path = text
                        rule?.range = start..<position
                    case "?": rule?.wholeQuery = text
                    case "#": rule?.fragment = text
                    default: break
                    }
                } else if rule != nil, containers.count == depth + 1, key == "?",
                    case .object(let name?)? = containers.last
                {
                    rule?.query.append((name, text))
                } else if case .array("paths")? = containers.last {
                    let isExcluded = text.hasPrefix("NOT ")
                    rules.append(
                        LinksFile.Rule(
                            match: .apple,
                            path: isExcluded ? String(text.dropFirst(4)) : text,
                            range: start..<position,
                            isExcluded: isExcluded,
                            ignoresCase: false
                        )
                    )
                }
            case UInt8(ascii: "{"):
                if case .array("components")? = containers.last {
                    rule = LinksFile.Rule(
                        match: .apple,
                        path: "*",
                        range: start..<position
                    )
                    (depth, key) = (containers.count + 1, nil)
                } else if case .array("details")? = containers.last {
                    its = Defaults(depth: containers.count + 1, first: rules.count)
                }
                containers.append(.object(key: nil))
            case UInt8(ascii: "["):
                let holder: String? =
                    if case .object(let key)? = containers.last { key } else { nil }
                containers.append(.array(key: holder))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if var complete = rule, containers.count == depth {
                    complete.unknown = complete.unknown ?? complete.variable
                    rules.append(complete)
                    rule = nil
                } else if containers.count == its.depth {
                    apply(its)
                    its = Defaults()
                }
                _ = containers.popLast()
            case UInt8(ascii: ","):
                if case .object? = containers.last {
                    containers[containers.count - 1] = .object(key: nil)
                }
            case UInt8(ascii: "t"), UInt8(ascii: "f"):
                let isTrue = byte == UInt8(ascii: "t")
                if rule != nil, containers.count == depth {
                    switch key {
                    case "exclude": rule?.isExcluded = isTrue
                    case "caseSensitive": rule?.ignoresCase = !isTrue
                    // Patterns are percent-encoded by default, so `true` changes nothing.
                    case "percentEncoded" where isTrue && rule?.unknown == key: rule?.unknown = nil
                    default: break
                    }
                } else if case .object("defaults")? = containers.dropLast().last,
                    case .object(let name?)? = containers.last
                {
                    var defaults = its.depth == 0 ? all : its
                    switch name {
                    case "caseSensitive": defaults.ignoresCase = !isTrue
                    case "percentEncoded" where isTrue: break
                    default: defaults.unknown = name
                    }
                    if its.depth == 0 { all = defaults } else { its = defaults }
                }
            default: break
            }
        }
        apply(all)
    }

    private mutating func apply(_ defaults: Defaults) {
        for index in rules.indices[defaults.first...] {
            rules[index].ignoresCase = rules[index].ignoresCase ?? defaults.ignoresCase
            rules[index].unknown = rules[index].unknown ?? defaults.unknown
        }
    }

    /// Returns the text of a string literal.
    private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        let literal = Array("{\"a\":".utf8) + bytes[range] + Array("}".utf8)
        return (try? JSONDocument.object(literal))?["a"].text ?? ""
    }
}

extension LinksFile.Rule {
    /// A substitution variable, such as `$(lang)`, in one of the patterns.
    fileprivate var variable: String? {
        for text in [path, wholeQuery, fragment] + query.flatMap({ [$0.key, $0.value] }) {
            guard let start = text.firstRange(ofPart: "$(")?.lowerBound else { continue }
            let rest = text[start...]
            return String(rest[...(rest.firstIndex(of: ")") ?? rest.index(after: start))])
        }
        return nil
    }
}

/// Finds the `data` elements of the intent filters in an Android manifest, with their locations.
struct ManifestReader {
    private(set) var rules: [LinksFile.Rule] = []

    private static let matches: KeyValuePairs<String, LinksFile.Rule.Match> = [
        "android:path": .exact, "android:pathPattern": .pattern, "android:pathPrefix": .prefix,
        "android:pathSuffix": .suffix, "android:pathAdvancedPattern": .any,
    ]

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var rest = text[...]
        var filter: (start: Range<Int>, schemes: [String], hosts: [LinksFile.Host], first: Int)?
        func offset(_ index: String.Index) -> Int {
            text.utf8.distance(from: text.startIndex, to: index)
        }
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...]
            if rest.hasPrefix("<!--") {
                rest = rest.dropFirst(4)
                while !rest.isEmpty, !rest.hasPrefix("-->") { rest = rest.dropFirst() }
                continue
            }
            let end = rest.firstIndex(of: ">") ?? rest.endIndex
            let tag = rest[..<end]
            rest = rest[end...].dropFirst()
            if tag.hasPrefix("<intent-filter") {
                filter = (offset(start)..<offset(end), [], [], rules.count)
            } else if tag.hasPrefix("</intent-filter"), let done = filter {
                filter = nil
                guard !done.schemes.isEmpty else { continue }
                if rules.count == done.first {
                    rules.append(LinksFile.Rule(match: .any, path: ".*", range: done.start))
                }
                for index in done.first..<rules.count {
                    rules[index].schemes = done.schemes
                    rules[index].hosts = done.hosts
                }
            } else if tag.hasPrefix("<data"), filter != nil {
                let attributes = Self.attributes(of: tag)
                for (name, value) in attributes {
                    let content = Self.unescaped(value)
                    switch name {
                    case "android:scheme": filter?.schemes.append(content)
                    case "android:host":
                        let port = attributes.first { $0.name == "android:port" }?.value
                        filter?.hosts.append(
                            LinksFile.Host(name: content, port: port.map(Self.unescaped))
                        )
                    default:
                        guard let match = Self.matches.first(where: { $0.key == name })?.value
                        else {
                            continue
                        }
                        let range = offset(value.startIndex)..<offset(value.endIndex)
                        rules.append(LinksFile.Rule(match: match, path: content, range: range))
                    }
                }
            }
        }
    }

    /// Returns the attributes of a tag, with their values as written.
    private static func attributes(of tag: Substring) -> [(name: Substring, value: Substring)] {
        var attributes: [(name: Substring, value: Substring)] = []
        var rest = tag.drop { !$0.isWhitespace }
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].split(whereSeparator: \.isWhitespace).last ?? ""
            rest = rest[equals...].dropFirst().drop(while: \.isWhitespace)
            guard let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else { break }
            attributes.append((name, rest[..<end]))
            rest = rest[end...].dropFirst()
        }
        return attributes
    }

    /// Returns a value with the escapes of XML and of Android resources decoded.
    private static func unescaped(_ value: Substring) -> String {
        var text = String(value)
        let escapes: KeyValuePairs<String, String> = [
            "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'", "&amp;": "&", "\\\\": "\\",
        ]
        for (escape, character) in escapes { text = text.replacing(part: escape, with: character) }
        return text
    }
}
