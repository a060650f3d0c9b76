// SPDX-License-Identifier: MIT

/// Where URLs come from: a custom scheme, or `https` (`http`) with a host.
public struct URLOrigin: Sendable, Hashable {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, in lower case; nil of a custom scheme, whose host is the first segment.
    public let host: String?

    init(scheme: String, host: String?) {
        (self.scheme, self.host) = (scheme, host)
    }

    /// Creates an origin: `podcast`, `podcast://`, `https://podcasts.example`.
    ///
    /// - Throws: An error with its place in the text.
    public init(_ text: String) throws(NotationError) {
        let bytes = Array(text.utf8)
        let end = Self.endOfScheme(bytes[...]) ?? 0
        let scheme = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        guard end > 0 else {
            throw NotationError(
                "an origin expected, got '\(text)'",
                at: 0..<bytes.count,
                help: "as in 'podcast' or 'https://podcasts.example'"
            )
        }
        var rest = bytes[end...]
        if rest.starts(with: "://".utf8) {
            rest = rest.dropFirst(3)
        } else if rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
        }
        guard Self.isWeb(scheme) else {
            guard rest.isEmpty else {
                throw NotationError(
                    "the end expected after the scheme '\(scheme)'",
                    at: rest.startIndex..<bytes.count,
                    help: "the host of a custom scheme is the first segment of its paths"
                )
            }
            self.init(scheme: scheme, host: nil)
            return
        }
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        self.init(scheme: scheme, host: try Self.host(rest, of: scheme))
    }

    /// Reads the host of a pattern or an origin.
    ///
    /// - Throws: An error with its place.
    static func host(_ bytes: ArraySlice<UInt8>, of scheme: String) throws(NotationError) -> String
    {
        let range = bytes.startIndex..<bytes.endIndex
        guard !bytes.isEmpty else {
            throw NotationError(
                "a host expected after '\(scheme)://'",
                at: range,
                help: "a pattern without a scheme is for every host"
            )
        }
        for index in range {
            let problem: String
            switch bytes[index] {
            case UInt8(ascii: ":"): problem = index == range.lowerBound ? "parameter" : "port"
            case UInt8(ascii: "@"): problem = "user"
            case UInt8(ascii: "/"): problem = "path"
            case UInt8(ascii: "*"): problem = "wildcard"
            case UInt8(ascii: "?"): problem = "query"
            case UInt8(ascii: "#"): problem = "fragment"
            case 0x21...0x7E where bytes[index] != UInt8(ascii: "%"): continue
            default: problem = "such character"
            }
            throw NotationError("a host expected, which has no \(problem)", at: index..<(index + 1))
        }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Whether URLs of a scheme have a host apart from the path.
    static func isWeb(_ scheme: String) -> Bool { scheme == "https" || scheme == "http" }

    /// The end of a scheme at the start of some bytes, nil where there is none.
    static func endOfScheme(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first, Name.isLetter(first) else { return nil }
        return bytes.firstIndex { !isOfScheme($0) } ?? bytes.endIndex
    }

    /// Whether a byte may stand in a scheme, behind its first letter.
    static func isOfScheme(_ byte: UInt8) -> Bool {
        Name.isLetter(byte) || Name.isDigit(byte) || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// The start of a URL of this origin, without the slash of a path.
    var prefix: String { "\(scheme)://\(host ?? "")" }
}

extension URLOrigin: CustomStringConvertible {
    /// The origin as a script writes it.
    public var description: String { host == nil ? scheme : prefix }
}
