// SPDX-License-Identifier: MIT

public import RouteCore

extension URLPattern {
    /// Returns the URL that has the given parameters and matches the pattern.
    ///
    /// Parsing the URL returns the same parameters, each in the canonical spelling of its kind.
    /// Parameters that the pattern does not have are ignored. A parameter of plain text or of a
    /// declared kind also accepts an integer, a float or a Boolean; parsing the URL returns such a
    /// value as text.
    ///
    /// - Throws: `badInfo`, naming the parameter, if a parameter is missing or unsuitable.
    ///   `badInfo` if the URL would have too many bytes or segments, or a host with a wildcard.
    public func url(_ parameters: InfoTable) throws(RouteError) -> String {
        // No parameter has this name, so a value for it is ignored.
        var parameters = parameters
        if !parameters[Self.noName].isNil { parameters[Self.noName] = .nil }
        var text = try prefix(parameters)
        let isHostFirst = origin != nil && origin?.host == nil
        var count = try addPath(segments, parameters, to: &text, isHostFirst: isHostFirst)
        if text.isEmpty { text = "/" }
        try addQuery(query, parameters, to: &text)
        if let fragment {
            text += "#"
            var path = ""
            count = max(count, try addPath(fragment.segments, parameters, to: &path))
            text += fragment.hasSlash ? path.isEmpty ? "/" : path : String(path.dropFirst())
            try addQuery(fragment.query, parameters, to: &text)
        }
        guard count <= Self.maximumSegments, text.utf8.count <= Self.maximumLength else {
            throw RouteError(
                .badInfo,
                "the URL is too long (at most \(Self.maximumLength) bytes and \(Self.maximumSegments) segments expected, got \(text.utf8.count) bytes and \(count) segments, url '\(self)')"
            )
        }
        try checkReading(text, parameters)
        return text
    }

    /// Appends the segments of a path.
    ///
    /// - Returns: The number of appended segments.
    private func addPath(
        _ segments: [Segment],
        _ parameters: InfoTable,
        to text: inout String,
        isHostFirst: Bool = false
    ) throws(RouteError) -> Int {
        var count = 0
        func add(_ segment: ByteString) {
            if !isHostFirst || count > 0 { text += "/" }
            text += PercentEncoding.encode(segment, isHostFirst && count == 0 ? .host : .path)
            count += 1
        }
        let end = Self.endOfRequired(segments)
        var absent: Parameter?
        for (index, segment) in segments.enumerated() {
            guard let parameter = segment.parameter else {
                switch segment {
                case .literal(let literal): add(literal)
                case .pair(let pair): add(try self.text(pair, parameters))
                default: break
                }
                continue
            }
            let value = parameters[parameter.name]
            guard !value.isNil else {
                guard parameter.isOptional else { throw .missingParameter(parameter, of: self) }
                if index >= end { absent = absent ?? parameter }
                continue
            }
            if let absent { throw .missingParameter(absent, before: parameter, of: self) }
            if segment.isTail {
                let parts = try parts(value, of: parameter)
                for part in parts { add(part) }
                // A single slash at the end does not count as an element, so an empty last element
                // needs two slashes.
                if parts.last?.count == 0 { text += "/" }
            } else {
                let part = try self.text(value, of: parameter)
                guard part.count > 0 else {
                    throw .badParameter(
                        parameter,
                        value: value,
                        expected: "non-empty text",
                        of: self
                    )
                }
                let whole = segment.text(around: part)
                guard !whole.isDotSegment else { throw .dotSegment(parameter, value, of: self) }
                add(whole)
            }
        }
        return count
    }

    /// Returns the text of a segment with two parameters.
    private func text(
        _ pair: Pair,
        _ parameters: InfoTable
    ) throws(RouteError) -> ByteString {
        let texts = try [pair.first, pair.second].map { parameter throws(RouteError) in
            let value = parameters[parameter.name]
            guard !value.isNil else { throw .missingParameter(parameter, of: self) }
            let text = try text(value, of: parameter)
            guard text.count > 0 else {
                throw .badParameter(parameter, value: value, expected: "non-empty text", of: self)
            }
            return text
        }
        var bytes: [UInt8] = []
        for part in [pair.affixes.prefix, texts[0], pair.between, texts[1], pair.affixes.suffix] {
            part.withBytes { bytes.append(contentsOf: $0) }
        }
        let whole = ByteString(bytes: bytes)
        guard !whole.isDotSegment, let read = pair.split(whole, .exact),
            read == (texts[0], texts[1])
        else {
            throw .badParameter(
                pair.first,
                value: parameters[pair.first.name],
                expected: "a value that can be read back from '\(whole.displayText)'",
                of: self
            )
        }
        return whole
    }

    /// Checks that parsing the printed URL returns the same parameters.
    ///
    /// The check can fail because parsing may mistake an optional segment for another segment.
    private func checkReading(
        _ url: String,
        _ parameters: InfoTable
    ) throws(RouteError) {
        guard forms.count > 1 else { return }
        var read = InfoTable()
        if let table = try? URLTable([URLTable.Route(self, at: "")]),
            case .match(let match) = table.match(ByteString(url))
        {
            read = match.parameters
        }
        for parameter in self.parameters {
            let (given, found) = (parameters[parameter.name], read[parameter.name])
            if given.isNil { continue }
            guard try value(given, of: parameter) != found else { continue }
            throw .badParameter(
                parameter,
                value: given,
                expected: "a value that can be read back from '\(url)'",
                of: self
            )
        }
    }

    /// Returns the value that results if the given value is printed as the parameter and parsed
    /// again.
    private func value(_ value: Value, of parameter: Parameter) throws(RouteError) -> Value {
        let values = try elements(value, of: parameter).map(parameter.kind.value)
        return parameter.isList ? .table(InfoTable(list: values)) : values[0]
    }

    /// Returns the start of the URL, up to the path.
    private func prefix(_ parameters: InfoTable) throws(RouteError) -> String {
        guard let origin else { return "" }
        guard origin.isWild else { return origin.prefix() }
        guard let parameter = hostParameter else { throw .wildcardHost(self) }
        let value = parameters[parameter.name]
        guard !value.isNil else { throw .missingParameter(parameter, of: self) }
        let label = try text(value, of: parameter)
        guard URLOrigin.isLabel(label) else {
            throw .badParameter(
                parameter,
                value: value,
                expected: "a lower-case host label",
                of: self
            )
        }
        return origin.prefix(label: label.displayText)
    }

    private func addQuery(
        _ query: [QueryParameter],
        _ parameters: InfoTable,
        to text: inout String
    ) throws(RouteError) {
        var separator = "?"
        for item in query {
            if let literal = item.literal {
                text += separator + PercentEncoding.encode(item.key, .query)
                text += "=" + PercentEncoding.encode(literal, .query)
                separator = "&"
                continue
            }
            let value = parameters[item.parameter.name]
            guard !value.isNil else {
                guard item.parameter.isOptional else {
                    throw .missingParameter(item.parameter, of: self)
                }
                continue
            }
            for value in try elements(value, of: item.parameter) {
                text += separator + PercentEncoding.encode(item.key, .query)
                text += "=" + PercentEncoding.encode(value, .query)
                separator = "&"
            }
        }
    }

    /// Returns the texts of the elements of a list, or a single text for any other parameter.
    private func elements(
        _ value: Value,
        of parameter: Parameter
    ) throws(RouteError) -> [ByteString] {
        guard parameter.isList else { return [try text(value, of: parameter)] }
        guard case .table(let table) = value, !table.list.isEmpty, table.isList else {
            throw .badParameter(
                parameter,
                value: value,
                expected: "a list with at least one value",
                of: self
            )
        }
        return try table.list.map { element throws(RouteError) in
            try text(element, of: parameter)
        }
    }

    /// Returns the segments for the value of a tail.
    private func parts(
        _ value: Value,
        of parameter: Parameter
    ) throws(RouteError) -> [ByteString] {
        var parts = try elements(value, of: parameter)
        if !parameter.isList {
            parts = parts[0].withBytes { bytes in
                bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
                    ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0))
                }
            }
        }
        // Repeated slashes before a list are ignored, so the first element of the list cannot be
        // empty.
        guard parts[0].count > 0, parameter.isList || parts.allSatisfy({ $0.count > 0 }) else {
            let expected =
                parameter.isList ? "a non-empty first element" : "text without empty segments"
            throw .badParameter(parameter, value: value, expected: expected, of: self)
        }
        guard !parts.contains(where: \.isDotSegment) else {
            throw .dotSegment(parameter, value, of: self)
        }
        return parts
    }

    private func text(_ value: Value, of parameter: Parameter) throws(RouteError) -> ByteString {
        guard let text = parameter.kind.text(of: value) else {
            throw .badParameter(
                parameter,
                value: value,
                expected: parameter.kind.expectation,
                of: self
            )
        }
        guard !text.hasNull else {
            throw .badParameter(
                parameter,
                value: value,
                expected: "text without NUL characters",
                of: self
            )
        }
        return text
    }
}

extension URLPattern.Segment {
    /// Returns the text of the whole segment, given the text of its parameter.
    fileprivate func text(around text: ByteString) -> ByteString {
        guard case .affixed(let affixes, _) = self else { return text }
        var bytes: [UInt8] = []
        for part in [affixes.prefix, text, affixes.suffix] {
            part.withBytes { bytes.append(contentsOf: $0) }
        }
        return ByteString(bytes: bytes)
    }
}

extension URLPattern.Kind {
    /// Returns the text of a value of this kind, or nil if the value is not of this kind.
    fileprivate func text(of value: Value) -> ByteString? {
        switch (self, value) {
        case (.int, .integer(let integer)), (.number, .integer(let integer)),
            (.text, .integer(let integer)), (.custom, .integer(let integer)):
            ByteString(String(integer))
        case (.uint, .integer(let integer)):
            integer >= 0 ? ByteString(String(integer)) : nil
        case (.number, .number(let number)), (.text, .number(let number)),
            (.custom, .number(let number)):
            number.isFinite ? ByteString("\(number)") : nil
        case (.text, .boolean(let boolean)), (.bool, .boolean(let boolean)),
            (.custom, .boolean(let boolean)):
            ByteString(boolean ? "true" : "false")
        case (.int, _), (.uint, _), (.number, _), (.bool, _):
            nil
        case (_, .string(let string)):
            string.text != nil && string.withBytes(accepts) ? string : nil
        default: nil
        }
    }

    /// The description of the expected type of value, for messages.
    fileprivate var expectation: String {
        switch self {
        case .text, .custom: "string"
        case .int: "integer"
        case .uint: "integer of 0 or more"
        case .bool: "boolean"
        default: "\(self)"
        }
    }
}

extension RouteError {
    fileprivate static func dotSegment(
        _ parameter: URLPattern.Parameter,
        _ value: Value,
        of pattern: URLPattern
    ) -> RouteError {
        badParameter(parameter, value: value, expected: "text without dot segments", of: pattern)
    }

    fileprivate static func wildcardHost(_ pattern: URLPattern) -> RouteError {
        RouteError(
            .badInfo,
            "the URL cannot be built because its host contains '*' (write ':name' instead, url '\(pattern)')"
        )
    }

    fileprivate static func missingParameter(
        _ parameter: URLPattern.Parameter,
        before later: URLPattern.Parameter? = nil,
        of pattern: URLPattern
    ) -> RouteError {
        guard parameter.name != URLPattern.noName else {
            return RouteError(
                .badInfo,
                "the URL cannot be built because ':_' has no value (give the parameter a name, url '\(pattern)')"
            )
        }
        let reason = later.map { " (expected before '\($0.name)'" } ?? " ("
        let comma = later == nil ? "" : ", "
        return RouteError(
            .badInfo,
            "missing parameter '\(parameter.name)'\(reason)\(comma)url '\(pattern)')"
        )
    }

    fileprivate static func badParameter(
        _ parameter: URLPattern.Parameter,
        value: Value,
        expected: String,
        of pattern: URLPattern
    ) -> RouteError {
        let got =
            switch value {
            case .string(let string): "'\(string.displayText)'"
            case .integer, .number, .boolean: "\(value)"
            default: value.kindName.withArticle
            }
        return RouteError(
            .badInfo,
            "bad parameter '\(parameter.name)' (\(expected) expected, got \(got), url '\(pattern)')"
        )
    }
}
