// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What a person asks about: a URL, a target of a service, or a route string.
enum ExplainedTarget {
    case url(ByteString)
    /// A target, with its parameters as they were written.
    case target(Target, fields: String)
    case routeString(String)

    /// Tells the forms apart.
    ///
    /// What has a `|` in it is a route string, as `router.open` has it. A URL begins with a
    /// scheme or with `/`; `Service/task`, with parameters or without, is a target.
    init(_ text: ByteString) {
        guard let string = text.text else {
            self = .url(text)
            return
        }
        let bytes = Array(string.utf8)
        if bytes.contains(UInt8(ascii: "|")) {
            self = .routeString(string)
        } else {
            self = Self.target(bytes) ?? .url(text)
        }
    }

    /// The word for the form.
    var kind: String {
        switch self {
        case .url: "url"
        case .target: "target"
        case .routeString: "routeString"
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
        if !rest.isEmpty {
            var parser = NotationParser(bytes, from: rest.startIndex)
            guard (try? parser.parseFields()) != nil, parser.position == bytes.count else {
                return nil
            }
        }
        return .target(
            Target(String(decoding: service, as: UTF8.self), String(decoding: task, as: UTF8.self)),
            fields: String(decoding: rest, as: UTF8.self)
        )
    }
}
