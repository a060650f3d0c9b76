// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteURLs

/// A table of URL patterns, and a URL that is matched with it.
///
/// Each line is a pattern, except the last line, which is the URL. A line with `=` and an origin
/// begins an exclusive group, which contains the patterns after the line. NUL ends the URL. The
/// bytes after NUL choose the parameters with which each pattern is printed.
struct URLCase {
    private let lines: [String]
    private var source: ByteSource
    private var found: [String] = []

    init(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        lines = parts[0].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        source = ByteSource(parts.count > 1 ? Array(parts[1]) : [])
    }

    func faults() -> [String] {
        var copy = self
        copy.run()
        return copy.found
    }

    private mutating func run() {
        var patterns: [URLPattern] = []
        var groups = URLGroups()
        for line in lines.dropLast().prefix(12) {
            if line.hasPrefix("="), let origin = try? URLOrigin(String(line.dropFirst())) {
                guard groups[origin] == nil else { continue }
                groups.append(URLGroups.Group(origin, at: "", in: nil))
                continue
            }
            guard let pattern = read(line) else { continue }
            print(pattern)
            // A pattern that conflicts with an earlier one is left out.
            var more = groups
            if !more.list.isEmpty { more.members[patterns.count] = more.list.count - 1 }
            guard table(patterns + [pattern], more) != nil else { continue }
            patterns.append(pattern)
            groups = more
        }
        guard let table = table(patterns, groups) else {
            return found.append("patterns without a conflict are no table")
        }
        match(lines.last ?? "", table, patterns, groups)
    }

    private func table(_ patterns: [URLPattern], _ groups: URLGroups) -> URLTable? {
        URLTable(patterns, fixed: [:], origins: [], ignoresCase: false, groups: groups)
    }

    /// Reads a pattern, and checks that the printed pattern is read as the same pattern.
    private mutating func read(_ text: String) -> URLPattern? {
        do throws(NotationError) {
            let pattern = try URLPattern(text, known: nil)
            let again = try? URLPattern(pattern.description, known: nil)
            if again != pattern { found.append("'\(text)' is printed as '\(pattern)'") }
            return pattern
        } catch {
            let isInside = 0 <= error.range.lowerBound && error.range.upperBound <= text.utf8.count
            if error.message.isEmpty || !isInside {
                found.append("'\(error.message)' has the range \(error.range) in '\(text)'")
            }
            return nil
        }
    }

    // MARK: Printing

    /// Prints a URL of a pattern with parameters that the bytes choose, and checks that the URL
    /// contains these parameters.
    private mutating func print(_ pattern: URLPattern) {
        var parameters = InfoTable()
        for parameter in pattern.parameters where !parameter.isOptional || source.below(3) > 0 {
            let values = (0...(parameter.isList ? source.below(3) : 0)).map { _ in
                value(of: parameter.kind)
            }
            parameters[parameter.name] =
                parameter.isList ? .table(InfoTable(list: values)) : values[0]
        }
        guard let url = try? pattern.url(parameters) else { return }
        check(pattern, url, parameters)
    }

    private mutating func value(of kind: URLPattern.Kind) -> Value {
        switch kind {
        case .int, .uint: return .integer(Int64(bitPattern: source.bits()))
        case .number: return .number(Double(bitPattern: source.bits()))
        case .bool: return .boolean(source.below(2) == 0)
        case .enumeration(let texts): return .string(source.pick(texts))
        case .date: return "2024-02-29"
        case .uuid: return "123e4567-e89b-12d3-a456-426614174000"
        case .text, .slug, .custom:
            return .string(ByteString(bytes: source.run(1 + source.below(12))))
        }
    }

    /// Checks that a URL is read as the given parameters, and that these parameters are printed as
    /// the URL.
    private mutating func check(_ pattern: URLPattern, _ url: String, _ parameters: InfoTable) {
        guard case .match(let match)? = table([pattern], URLGroups())?.match(ByteString(url)) else {
            return found.append("'\(pattern)' gives '\(url)', which it does not match")
        }
        guard match.parameters == parameters else {
            return found.append(
                "'\(pattern)' gives '\(url)' for \(parameters), and reads \(match.parameters)"
            )
        }
        guard let again = try? pattern.url(match.parameters), again == url else {
            return found.append("'\(pattern)' does not give '\(url)' again")
        }
    }

    // MARK: Matching

    private mutating func match(
        _ url: String,
        _ table: URLTable,
        _ patterns: [URLPattern],
        _ groups: URLGroups
    ) {
        let bytes = ByteString(url)
        let matches = Self.matches(table, bytes)
        for match in matches {
            let pattern = patterns[match.route]
            // Not everything that is read can be printed: a segment without a name, any host.
            guard let printed = try? pattern.url(match.parameters) else { continue }
            check(pattern, printed, match.parameters)
        }
        let explanation = table.explain(bytes, limit: 3)
        if explanation.matches.map(\.route) != matches.map(\.route) {
            found.append("'\(url)' is explained by other matches")
        }
        if explanation.matches.map(\.parameters) != matches.map(\.parameters) {
            found.append("'\(url)' is explained by other parameters")
        }
        // The order of the patterns does not matter, nor whether they come one by one.
        let last = patterns.count - 1
        let members = groups.members.map { (last - $0.key, $0.value) }
        let reversed = groups.with(Dictionary(uniqueKeysWithValues: members))
        guard let other = self.table(patterns.reversed(), reversed) else {
            return found.append("patterns without a conflict are none in another order")
        }
        if Self.matches(other, bytes).map({ last - $0.route }) != matches.map(\.route) {
            found.append("'\(url)' has other matches in another order of the patterns")
        }
        guard var extended = self.table([], groups.with([:])) else { return }
        for (index, pattern) in patterns.enumerated() {
            let own = groups.members.filter { $0.key == index }
            // Some are added only with the whole table.
            guard extended.append(contentsOf: [pattern], members: own) else { return }
        }
        if Self.matches(extended, bytes).map(\.route) != matches.map(\.route) {
            found.append("'\(url)' has other matches in a table that grew")
        }
    }

    private static func matches(_ table: URLTable, _ url: ByteString) -> [URLMatch] {
        var matches: [URLMatch] = []
        while case .match(let match) = table.match(url, skipping: matches.count) {
            matches.append(match)
        }
        return matches
    }
}
