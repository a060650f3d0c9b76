// SPDX-License-Identifier: MIT

internal import LuaRouting

/// The target that a user wants explained: a URL, a target of a service, or a route string.
enum ExplainedTarget {
    case url(ByteString)
    /// A target, its parameters, and the parameters as they were written.
    case target(Target, info: InfoTable, fields: String)
    /// A text that begins like a target but is not valid.
    case noTarget(NotationError)
    case routeString(ByteString)
    /// A gate whose closing removes screens.
    ///
    /// The text is `unready NAME leaving`, as in a scenario.
    case gate(String)

    /// Determines the form of a text.
    ///
    /// `Service/task`, with or without parameters, is a target. URLs and route strings are
    /// distinguished in the same way as in `router.open`.
    init(_ text: ByteString) {
        guard let string = text.text else {
            self = .url(text)
            return
        }
        let bytes = Array(string.utf8)
        let words = string.split(separator: " ")
        if words.count == 3, words[0] == "unready", words[2] == "leaving" {
            self = .gate(String(words[1]))
        } else if let target = Self.target(bytes) {
            self = target
        } else if text.isRouteString {
            self = .routeString(text)
        } else {
            self = .url(text)
        }
    }

    /// The name of the form.
    var kind: String {
        switch self {
        case .url: "url"
        case .target, .noTarget: "target"
        case .routeString: "routeString"
        case .gate: "gate"
        }
    }

    private static func target(_ bytes: [UInt8]) -> ExplainedTarget? {
        var rest = bytes[...]
        guard Name.scan(&rest), rest.first == UInt8(ascii: "/") else { return nil }
        let service = bytes[..<rest.startIndex]
        rest = rest.dropFirst()
        let start = rest.startIndex
        guard Name.scan(&rest) else { return nil }
        let task = bytes[start..<rest.startIndex]
        var info = InfoTable()
        if !rest.isEmpty {
            // If no parenthesis follows, the text is not a target, but it may be a path.
            guard rest.first == UInt8(ascii: "(") else { return nil }
            var parser = NotationParser(bytes, from: rest.startIndex)
            do throws(NotationError) {
                info = InfoTable(try parser.parseFields())
                try parser.expectEnd()
            } catch {
                return .noTarget(error)
            }
        }
        return .target(
            Target(String(decoding: service, as: UTF8.self), String(decoding: task, as: UTF8.self)),
            info: info,
            fields: String(decoding: rest, as: UTF8.self)
        )
    }
}
