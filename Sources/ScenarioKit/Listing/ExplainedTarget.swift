// SPDX-License-Identifier: MIT

internal import LuaRouting

/// What a person asks about: a URL, a target of a service, or a route string.
enum ExplainedTarget {
    case url(ByteString)
    /// A target, with its parameters, and as they were written.
    case target(Target, info: InfoTable, fields: String)
    /// What begins as a target and is none.
    case noTarget(NotationError)
    case routeString(ByteString)

    /// Tells the forms apart.
    ///
    /// `Service/task`, with parameters or without, is a target. URLs and route strings are told
    /// apart as `router.open` does it.
    init(_ text: ByteString) {
        guard let string = text.text else {
            self = .url(text)
            return
        }
        let bytes = Array(string.utf8)
        if let target = Self.target(bytes) {
            self = target
        } else if text.isRouteString {
            self = .routeString(text)
        } else {
            self = .url(text)
        }
    }

    /// The word for the form.
    var kind: String {
        switch self {
        case .url: "url"
        case .target, .noTarget: "target"
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
        var info = InfoTable()
        if !rest.isEmpty {
            // A path may begin like it, but has no parentheses.
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
