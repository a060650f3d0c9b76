// SPDX-License-Identifier: MIT

public import RouteCore

extension URLTable {
    /// A closure that converts a text for a kind that a script declares.
    ///
    /// The closure returns the value, or nil (either a Swift `nil` or a `Value` that is nil) if the
    /// text is not of this kind.
    public typealias KindAnswer<Failure: Error> = (_ kind: String, _ text: ByteString)
        throws(Failure) -> Value?

    /// Returns the best pattern for a URL, with the parameters read from the URL.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - skipped: The number of best matches to skip.
    ///   - kind: The closure that converts texts for kinds declared by a script. The closure is
    ///     called after everything else has matched, and only once for the same kind and text.
    /// - Returns: The match, or the reason why no pattern matches.
    /// - Throws: Any error that `kind` throws.
    public func match<Failure: Error>(
        _ url: ByteString,
        skipping skipped: Int = 0,
        asking kind: KindAnswer<Failure>
    ) throws(Failure) -> URLAnswer {
        var left = skipped
        var found: URLMatch?
        let problem = try forEachMatch(of: url, asking: kind) { match in
            left -= 1
            if left < 0 { found = match() }
            return left >= 0
        }
        return found.map(URLAnswer.match) ?? .none(problem ?? .noPattern)
    }

    /// Calls the closure with each match of a URL, best first, until the closure returns false.
    ///
    /// - Parameters:
    ///   - url: The URL, or a bare path.
    ///   - kind: The closure that converts texts for kinds declared by a script.
    ///   - visit: A closure that returns whether to continue. Its argument is a function that
    ///     creates the match.
    /// - Returns: The problem that prevents the URL from matching any pattern, or nil if there is
    ///   none. The result can be nil even though no pattern matches.
    /// - Throws: Any error that `kind` throws.
    func forEachMatch<Failure: Error>(
        of url: ByteString,
        asking kind: KindAnswer<Failure>,
        _ visit: (() -> URLMatch) -> Bool
    ) throws(Failure) -> URLProblem? {
        var failure: Failure?
        let problem = forEachEnding(of: url) { route, answers, walk, split in
            do throws(Failure) {
                guard try answers.accept(route, kind) else { return true }
            } catch {
                failure = error
                return false
            }
            return visit {
                URLMatch(route, storage: storage, split: split, answers: answers, label: walk.label)
            }
        }
        if let failure { throw failure }
        return problem
    }

    // Not generic, so that all of it is specialized.
    private func forEachEnding(
        of url: ByteString,
        _ visit: (Int, inout URLKindAnswers, borrowing URLWalk, UnsafePointer<URLSplit>) -> Bool
    ) -> URLProblem? {
        url.withBytes { bytes in
            URLWalk.with(storage.core, bytes: bytes) { walk, split -> URLProblem? in
                var answers = URLKindAnswers(storage, split: split, fragment: walk.fragment)
                var next = walk.first()
                while let index = next {
                    let route = Int(storage.core.pointee.terminals[Int(index)].route)
                    guard visit(route, &answers, walk, split) else { break }
                    next = walk.next()
                }
                return walk.malformed.map { split.pointee.malformed(in: $0) }
            } otherwise: { problem -> URLProblem? in
                problem
            }
        }
    }

    /// Returns the best pattern for a URL, without calling functions of declared kinds.
    ///
    /// A parameter of a declared kind accepts every text.
    public func match(_ url: ByteString, skipping skipped: Int = 0) -> URLAnswer {
        match(url, skipping: skipped) { _, text in .string(text) }
    }

    /// Calls the closure with each pattern that a URL matches, best first, until the closure
    /// returns false.
    ///
    /// No values are converted. For a URL of up to 512 bytes, no memory is allocated. Functions of
    /// declared kinds are not called: parameters of these kinds accept every text.
    ///
    /// - Parameters:
    ///   - url: The bytes of the URL, or of a bare path.
    ///   - visit: A closure that is called with a match and returns whether to continue. The match
    ///     is valid only during the call.
    /// - Returns: The problem that prevents the URL from matching any pattern, or nil if there is
    ///   none.
    @discardableResult
    public func visit(
        _ url: UnsafeRawBufferPointer,
        _ visit: (borrowing URLCandidate) -> Bool
    ) -> URLProblem? {
        URLWalk.with(storage.core, bytes: url) { walk, split in
            var next = walk.first()
            while let index = next, visit(URLCandidate(storage.core, split: split, ending: index)) {
                next = walk.next()
            }
            return walk.malformed.map { split.pointee.malformed(in: $0) }
        } otherwise: { problem -> URLProblem? in
            problem
        }
    }

    /// Returns the problem that prevents a URL from matching any pattern, or nil if there is none.
    ///
    /// The problem is in the origin or the spelling of the URL. The result can be nil even though
    /// no pattern matches.
    package func problem(of url: ByteString) -> URLProblem? {
        url.withBytes { bytes in
            URLWalk.with(storage.core, bytes: bytes) { _, _ -> URLProblem? in
                nil
            } otherwise: {
                $0
            }
        }
    }

    /// Returns the number of nodes, parameter edges and endings that a search for all matches
    /// visits.
    package func steps(_ url: ByteString) -> Int {
        url.withBytes { bytes in
            URLWalk.with(storage.core, bytes: bytes) { walk, _ in
                var next = walk.first()
                while next != nil { next = walk.next() }
                return walk.steps
            } otherwise: { _ in
                0
            }
        }
    }
}

/// A pattern that a URL matches, with the ranges of its parameters in the URL.
///
/// A candidate is valid only during the visit.
///
/// ```swift
/// let url = Array("/shows/7/about".utf8)
/// url.withUnsafeBytes { bytes in
///     _ = table.visit(bytes) { candidate in
///         print(candidate.route, candidate.range(of: 0) ?? 0..<0)  // 1 7..<8
///         return false
///     }
/// }
/// ```
public struct URLCandidate: ~Copyable {
    private let core: UnsafePointer<URLTableCore>
    private let split: UnsafePointer<URLSplit>
    private let ending: UInt32

    @inline(__always)
    init(
        _ core: UnsafePointer<URLTableCore>,
        split: UnsafePointer<URLSplit>,
        ending: UInt32
    ) {
        (self.core, self.split, self.ending) = (core, split, ending)
    }

    /// The index of the pattern.
    public var route: Int { Int(record.pointee.owner) }

    private var record: UnsafeMutablePointer<URLTableCore.Route> {
        core.pointee.routes.base + Int(core.pointee.terminals[Int(ending)].route)
    }

    /// The number of path parameters of the pattern's form.
    ///
    /// Optional parameters that the URL omits before a required segment are not counted.
    public var parameterCount: Int { Int(record.pointee.pathCount) }

    /// Returns the byte range of a path parameter in the URL before decoding, or nil if the URL
    /// omits an optional parameter.
    public func range(of parameter: Int) -> Range<Int>? {
        precondition(
            parameter >= 0 && parameter < parameterCount,
            "the index of the parameter is out of range"
        )
        let index = Int(record.pointee.parameters) &+ parameter
        let parameter = core.pointee.parameters.base + index
        let position = Int(parameter.pointee.position)
        guard position < split.pointee.segmentCount else { return nil }
        let first = split.pointee.rawSpan(position).range
        guard parameter.pointee.source == .tail else {
            guard parameter.pointee.isPart else { return first }
            let bytes = split.pointee.bytes(URLSpan(first))
            let range = core.pointee.range(of: parameter.pointee, split)
            let start = PercentEncoding.offset(of: range.lowerBound, in: bytes)
            let end = PercentEncoding.offset(of: range.upperBound, in: bytes)
            return (first.lowerBound + start)..<(first.lowerBound + end)
        }
        return first
            .lowerBound..<split.pointee.rawSpan(split.pointee.segmentCount &- 1).range.upperBound
    }
}

/// A cache of the values that declared kinds return for the texts of one URL.
struct URLKindAnswers {
    private struct Question: Hashable {
        var kind: UInt32
        var text: ByteString
    }

    private let storage: URLTableStorage
    private let split: UnsafePointer<URLSplit>
    private let fragment: UnsafePointer<URLSplit>?
    private var answers: [Question: Value?] = [:]
    /// The length of the first parameter of each pair, for the pattern whose declared kinds were
    /// checked last.
    private var firstCounts: [Place: Int] = [:]

    /// The position of a segment in the path or the fragment.
    private struct Place: Hashable {
        var position: UInt8
        var isInFragment: Bool

        init(_ parameter: URLTableCore.Parameter) {
            (position, isInFragment) = (parameter.position, parameter.isInFragment)
        }
    }

    init(
        _ storage: URLTableStorage,
        split: UnsafePointer<URLSplit>,
        fragment: UnsafePointer<URLSplit>?
    ) {
        (self.storage, self.split, self.fragment) = (storage, split, fragment)
    }

    /// Whether the declared kinds accept the texts of all parameters of a pattern.
    mutating func accept<Failure: Error>(
        _ route: Int,
        _ ask: URLTable.KindAnswer<Failure>
    ) throws(Failure) -> Bool {
        guard storage.core.pointee.routes[route].hasCustomKinds else { return true }
        firstCounts = [:]
        let parameters = storage.parameters(of: route)
        for (index, parameter) in parameters.enumerated() {
            guard parameter.pair != 0 else {
                guard try accept(parameter, ask) else { return false }
                continue
            }
            guard parameter.isSecond else { continue }
            guard try accept(parameters[index - 1], second: parameter, ask: ask) else {
                return false
            }
        }
        return true
    }

    /// Whether a segment can be split so that the kinds of both parameters of a pair accept their
    /// texts.
    ///
    /// The first such split is used.
    private mutating func accept<Failure: Error>(
        _ first: URLTableCore.Parameter,
        second: URLTableCore.Parameter,
        ask: URLTable.KindAnswer<Failure>
    ) throws(Failure) -> Bool {
        guard let place = first.isInFragment ? fragment : split else { return false }
        var shorter = 0
        for _ in 0..<URLPattern.Pair.tryLimit {
            guard let count = storage.core.pointee.split(first, place, after: shorter) else {
                return false
            }
            firstCounts[Place(first)] = count
            if try accept(first, ask), try accept(second, ask) { return true }
            shorter = count
        }
        return false
    }

    /// Whether the kind of a parameter accepts the texts of the parameter.
    ///
    /// Returns `true` if the kind is not declared by a script.
    private mutating func accept<Failure: Error>(
        _ parameter: URLTableCore.Parameter,
        _ ask: URLTable.KindAnswer<Failure>
    ) throws(Failure) -> Bool {
        guard case .custom(let name) = storage.kinds[Int(parameter.kind)] else { return true }
        for text in texts(parameter) {
            let question = Question(kind: parameter.kind, text: text)
            if let answer = answers[question] {
                if answer == nil { return false }
                continue
            }
            var answer = try ask(name, text)
            // A Lua function that returns nil or nothing rejects the text.
            if answer?.isNil == true { answer = nil as Value? }
            answers[question] = .some(answer)
            if answer == nil { return false }
        }
        return true
    }

    /// Returns the value of a parameter, or nil if the URL omits the parameter.
    func value(of parameter: URLTableCore.Parameter) -> Value? {
        let kind = storage.kinds[Int(parameter.kind)]
        let values = texts(parameter).map { text -> Value in
            guard case .custom = kind else { return kind.value(of: text) }
            let answer = answers[Question(kind: parameter.kind, text: text)]
            return (answer ?? nil) ?? kind.value(of: text)
        }
        return parameter.isList && !values.isEmpty
            ? .table(InfoTable(list: values)) : values.first
    }

    /// Returns the text of a parameter, or the texts of a list.
    ///
    /// The result is empty if the URL omits the parameter.
    private func texts(_ parameter: URLTableCore.Parameter) -> [ByteString] {
        guard let place = parameter.isInFragment ? fragment : split else { return [] }
        let split = place.pointee
        var texts: [ByteString] = []
        func add(_ bytes: UnsafeRawBufferPointer) { texts.append(ByteString(bytes: bytes)) }
        let position = Int(parameter.position)
        switch parameter.source {
        case .host: return [split.label]
        case .query:
            let key = storage.core.pointee.bytes(parameter.key)
            let last = split.value(of: key) { if parameter.isList { add($0) } }.last
            if let last, !parameter.isList {
                PercentEncoding.withDecoded(split.bytes(last), add)
            }
        case .tail where parameter.isList:
            _ = split.forEachElement(from: position) {
                add($0)
                return true
            }
        case .tail where position < split.segmentCount:
            var joined = [UInt8](split.bytes(position))
            for index in (position + 1)..<max(split.segmentCount, position + 1) {
                joined.append(UInt8(ascii: "/"))
                joined.append(contentsOf: split.bytes(index))
            }
            joined.withUnsafeBytes(add)
        case .segment where position < split.segmentCount:
            let range = storage.core.pointee.range(
                of: parameter,
                place,
                first: firstCounts[Place(parameter)]
            )
            add(UnsafeRawBufferPointer(rebasing: split.bytes(position)[range]))
        case .segment, .tail, .literal: break
        }
        return texts
    }
}

extension URLTableStorage {
    func parameters(
        of route: Int
    ) -> UnsafeBufferPointer<URLTableCore.Parameter> {
        let core = core.pointee
        let record = core.routes[route]
        return UnsafeBufferPointer(
            start: core.parameters.base + Int(record.parameters),
            count: Int(record.pathCount) + Int(record.queryCount) + (record.hasHost ? 1 : 0)
                + Int(record.fragmentCount) + Int(record.fragmentQueryCount)
        )
    }
}

extension URLMatch {
    fileprivate init(
        _ route: Int,
        storage: URLTableStorage,
        split: UnsafePointer<URLSplit>,
        answers: URLKindAnswers,
        label: UInt32
    ) {
        var parameters = storage.fixed[storage.owner(route)] ?? InfoTable()
        if label != URLTableCore.OriginSlot.noLabel {
            parameters[.string(storage.names[Int(label)])] = .string(split.pointee.label)
        }
        // Iterate in reverse order, so that path parameters overwrite query parameters.
        for parameter in storage.parameters(of: route).reversed() {
            let name = storage.names[Int(parameter.name)]
            guard name.text != URLPattern.noName, let value = answers.value(of: parameter) else {
                continue
            }
            parameters[.string(name)] = value
        }
        self.init(
            route: storage.owner(route),
            parameters: parameters,
            query: split.pointee.queryItems,
            fragment: split.pointee.decodedFragment
        )
    }
}

extension URLSplit {
    /// The decoded pairs of the query, except malformed pairs.
    var queryItems: [URLMatch.QueryItem] {
        guard let query else { return [] }
        return URLMatch.QueryItem.items(in: bytes(query))
    }

    /// The decoded text after the `#`.
    ///
    /// A malformed fragment is not decoded, and does not prevent a match.
    var decodedFragment: ByteString? {
        fragment.map { PercentEncoding.decode(bytes($0)) ?? ByteString(bytes: bytes($0)) }
    }
}
