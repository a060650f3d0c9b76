// SPDX-License-Identifier: MIT

public import RouteCore

/// The origin of a URL: either a custom scheme, or `https` or `http` with a host and a port.
///
/// The first label of a host can be a wildcard, as in `https://*.example.com`. In
/// `https://:tenant.example.com`, a parameter reads the label.
///
/// ```swift
/// let origin = try URLOrigin("https://:tenant.example.com")
/// print(origin.scheme, origin.parameter ?? "")  // https tenant
/// ```
public struct URLOrigin: Sendable, Hashable {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host in lower case, or nil for a custom scheme, whose host is the first segment.
    ///
    /// A wildcard label is written as `*`.
    public let host: String?
    /// The port, or nil for the default port of the scheme.
    public let port: UInt16?
    /// The name of the parameter that reads the first label of the host, or nil if there is none.
    public let parameter: String?

    init(scheme: String, host: String? = nil, port: UInt16? = nil, parameter: String? = nil) {
        (self.scheme, self.host, self.port, self.parameter) = (scheme, host, port, parameter)
    }

    /// Creates an origin from its text, such as `podcast`, `podcast://` or
    /// `https://podcasts.example`.
    ///
    /// - Throws: An error with the position of the mistake in the text.
    public init(_ text: String) throws(NotationError) {
        let bytes = Array(text.utf8)
        let end = Self.endOfScheme(bytes[...]) ?? 0
        let scheme = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        var rest = bytes[end...]
        if rest.starts(with: "://".utf8) {
            rest = rest.dropFirst(3)
            if Self.isWeb(scheme) {
                if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
                self = try Self.web(rest, of: scheme)
                return
            }
        } else if rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
        } else if scheme.contains(".") {
            // The text looks like a host. A scheme of this form must be written with a colon.
            throw .noOrigin(text, bytes.count)
        }
        guard end > 0, !Self.isWeb(scheme), rest.isEmpty || !scheme.contains(".") else {
            throw .noOrigin(text, bytes.count)
        }
        guard rest.isEmpty else {
            throw NotationError(
                "unexpected text after the scheme '\(scheme)'",
                at: rest.startIndex..<bytes.count,
                help: "the host of a custom scheme is the first segment of its paths"
            )
        }
        self.init(scheme: scheme)
    }

    /// Whether URLs of the scheme have a host that is separate from the path.
    static func isWeb(_ scheme: String) -> Bool { scheme == "https" || scheme == "http" }

    /// Returns the default port of `https` if `isSecure` is true, otherwise the default port of
    /// `http`.
    static func defaultPort(isSecure: Bool) -> UInt16 { isSecure ? 443 : 80 }

    /// Returns the end of a scheme at the start of the bytes, or nil if the bytes do not start with
    /// a scheme.
    static func endOfScheme(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first, first.isLetter else { return nil }
        return bytes.firstIndex { !isOfScheme($0) } ?? bytes.endIndex
    }

    /// Whether the byte may be part of a scheme after the first letter.
    package static func isOfScheme(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Whether the first label of the host is a wildcard.
    package var isWild: Bool { host?.hasPrefix("*.") ?? false }

    /// The origin without the name of its parameter.
    ///
    /// The name does not affect matching.
    package var unnamed: URLOrigin { URLOrigin(scheme: scheme, host: host, port: port) }

    /// The origin with a wildcard as the first label of the host, or nil if the origin already has
    /// a wildcard or has no host.
    var wildcard: URLOrigin? {
        guard !isWild, let host, let dot = host.firstIndex(of: "."), dot > host.startIndex else {
            return nil
        }
        return URLOrigin(scheme: scheme, host: "*" + host[dot...], port: port)
    }

    /// Whether some URL can belong to both origins.
    package func meets(_ other: URLOrigin) -> Bool {
        guard scheme == other.scheme, port == other.port else { return false }
        guard let host, let otherHost = other.host, host != otherHost else {
            return host == other.host
        }
        func rest(_ host: String) -> Substring? {
            host.firstIndex(of: ".").map { host[$0...] }
        }
        return (isWild || other.isWild) && rest(host) == rest(otherHost)
    }

    /// Returns the part of this origin's URLs that precedes the path.
    ///
    /// If `label` is not nil, it replaces the wildcard label.
    func prefix(label: String? = nil) -> String {
        guard let host else { return "\(scheme)://" }
        let first = label ?? parameter.map { ":\($0)" }
        let port = port.map { ":\($0)" } ?? ""
        return "\(scheme)://\(first.map { $0 + host.dropFirst() } ?? host)\(port)"
    }
}

extension URLOrigin: CustomStringConvertible {
    /// The origin in the syntax of scripts.
    public var description: String { host == nil ? scheme : prefix() }
}

// MARK: Reading a host

extension URLOrigin {
    /// Reads the host and the port of a pattern or an origin.
    ///
    /// - Throws: An error with the position of the mistake.
    static func web(
        _ bytes: ArraySlice<UInt8>,
        of scheme: String
    ) throws(NotationError) -> URLOrigin {
        guard !bytes.isEmpty else {
            throw NotationError(
                "a host expected after '\(scheme)://'",
                at: bytes.startIndex..<bytes.endIndex,
                help: "a pattern without a scheme matches every host"
            )
        }
        let (host, port) = try splitPort(bytes, of: scheme)
        let text = String(decoding: host, as: UTF8.self)
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            for index in host.indices.dropFirst().dropLast() where !isOfAddress(host[index]) {
                throw .badHost(host[index], at: index..<(index + 1))
            }
            return URLOrigin(scheme: scheme, host: text.lowercased(), port: port)
        }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for (number, label) in labels.enumerated() {
            let range = label.startIndex..<label.endIndex
            guard let first = label.first else { throw .emptyLabel(at: range) }
            if first == UInt8(ascii: "*") || first == UInt8(ascii: ":") {
                guard number == 0, labels.count > 1, isWhole(label) else {
                    throw .badLabel(at: range)
                }
                continue
            }
            for index in range where !isOfHost(label[index]) {
                throw .badHost(label[index], at: index..<(index + 1))
            }
        }
        guard let first = labels.first, let sign = first.first,
            sign == UInt8(ascii: "*") || sign == UInt8(ascii: ":")
        else { return URLOrigin(scheme: scheme, host: text.lowercased(), port: port) }
        let name = String(decoding: first.dropFirst(), as: UTF8.self)
        let rest = String(decoding: host[first.endIndex...], as: UTF8.self).lowercased()
        return URLOrigin(
            scheme: scheme,
            host: "*" + rest,
            port: port,
            parameter: name.isEmpty ? nil : name
        )
    }

    /// Splits a host and a port.
    ///
    /// The returned port is nil if the text has no port, or has the default port of the scheme.
    private static func splitPort(
        _ bytes: ArraySlice<UInt8>,
        of scheme: String
    ) throws(NotationError) -> (host: ArraySlice<UInt8>, port: UInt16?) {
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            !bytes[colon...].contains(UInt8(ascii: "]")),
            !bytes[colon...].contains(UInt8(ascii: "."))
        else { return (bytes, nil) }
        let digits = bytes[(colon + 1)...]
        guard digits.count <= 5, digits.allSatisfy(\.isDigit),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else {
            throw NotationError("a port from 1 to 65535 expected", at: colon..<bytes.endIndex)
        }
        let isDefault = port == defaultPort(isSecure: scheme == "https")
        return (bytes[..<colon], isDefault ? nil : port)
    }

    /// Whether a label that begins with a wildcard character is exactly `*` or `:name`.
    private static func isWhole(_ label: ArraySlice<UInt8>) -> Bool {
        let name = label.dropFirst()
        guard label.first == UInt8(ascii: ":") else { return name.isEmpty }
        guard let first = name.first, first.isLetter else { return false }
        return name.allSatisfy(\.isWordOrHyphen)
    }

    /// Whether the byte may be part of a host label.
    static func isOfHost(_ byte: UInt8) -> Bool {
        byte.isWordOrHyphen
    }

    /// Whether the byte may be part of an IP address in brackets.
    static func isOfAddress(_ byte: UInt8) -> Bool {
        byte.hexadecimalValue != nil || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: ".")
    }

    /// Whether the text is a host label in canonical form, which is lower case.
    static func isLabel(_ text: ByteString) -> Bool {
        text.count > 0 && !text.hasCapitals && text.withBytes { $0.allSatisfy(isOfHost) }
    }
}

extension NotationError {
    fileprivate static func noOrigin(_ text: String, _ count: Int) -> NotationError {
        NotationError(
            "an origin expected, got '\(text)'",
            at: 0..<count,
            help: meant(by: text).map { "did you mean '\($0)'?" }
                ?? "write a scheme, as in 'podcast', or a web origin, as in 'https://podcasts.example'"
        )
    }

    /// Returns the origin that was probably meant by a host without a scheme, or nil if the text is
    /// not a host.
    private static func meant(by text: String) -> String? {
        var rest = text[...]
        for scheme in ["https:", "http:"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        rest = rest.drop { $0 == "/" }
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard host.contains(".") || host.contains(":") || rest.count < text.count else {
            return nil
        }
        return (try? URLOrigin("https://\(host)"))?.description
    }

    fileprivate static func emptyLabel(at range: Range<Int>) -> NotationError {
        NotationError("the host has an empty label", at: range)
    }

    fileprivate static func badLabel(at range: Range<Int>) -> NotationError {
        NotationError(
            "'*' and ':name' can only replace the whole first label of a host",
            at: range,
            help: "as in 'https://*.example.com' or 'https://:tenant.example.com'"
        )
    }

    fileprivate static func badHost(_ byte: UInt8, at range: Range<Int>) -> NotationError {
        guard byte < 0x80 else {
            return NotationError(
                "a host in ASCII expected",
                at: range,
                help: "write other letters as 'xn--…'"
            )
        }
        let problem =
            switch byte {
            case UInt8(ascii: "@"): "a user"
            case UInt8(ascii: "/"): "a path"
            case UInt8(ascii: "?"): "a query"
            case UInt8(ascii: "#"): "a fragment"
            case UInt8(ascii: "*"), UInt8(ascii: ":"):
                "'\(Character(Unicode.Scalar(byte)))' at this position"
            default: "this character"
            }
        return NotationError("a host cannot contain \(problem)", at: range)
    }
}
