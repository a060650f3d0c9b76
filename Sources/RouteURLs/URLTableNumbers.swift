// SPDX-License-Identifier: MIT

internal import RouteCore

/// Assigns numbers to names, kinds and origins, and interns texts.
extension URLTableBuilder {
    mutating func number(ofName name: String) -> UInt32 {
        // Consecutive patterns often have a parameter name in common.
        if name == lastName.text { return lastName.number }
        let number = nameNumbers[name] ?? UInt32(names.count)
        if number == names.count {
            names.append(ByteString(name))
            nameNumbers[name] = number
        }
        lastName = (name, number)
        return number
    }

    mutating func number(of kind: URLPattern.Kind) -> UInt32 {
        switch kind {
        case .enumeration, .custom: break
        default:
            let code = Int(kind.code.rawValue)
            if let number = plainKindNumbers[code] ?? known(kind) { return number }
            let number = add(kind)
            plainKindNumbers[code] = number
            return number
        }
        let kind = kind.normalized
        if let number = kindNumbers[kind] ?? known(kind) { return number }
        let number = add(kind)
        kindNumbers[kind] = number
        return number
    }

    /// Returns the number that identifies a pair, with the flag `pairMark` set.
    ///
    /// Names of parameters are ignored.
    mutating func number(of pair: URLPattern.Pair) -> UInt32 {
        let pair = pair.with {
            URLPattern.Parameter(
                name: URLPattern.noName,
                kind: $0.kind.normalized,
                isOptional: false
            )
        }
        if let number = pairNumbers[pair] { return number }
        let kinds = (number(of: pair.first.kind), number(of: pair.second.kind))
        var index = (0..<knownPairs).first { index in
            let known = core.pairs[index]
            return (known.first, known.second) == kinds
                && isText(known.prefix, pair.affixes.prefix)
                && isText(known.between, pair.between)
                && isText(known.suffix, pair.affixes.suffix)
        }
        if index == nil {
            index = core.pairs.count
            core.pairs.append(
                Core.Pair(
                    prefix: intern(pair.affixes.prefix),
                    between: intern(pair.between),
                    suffix: intern(pair.affixes.suffix),
                    first: kinds.0,
                    second: kinds.1
                )
            )
        }
        let number = Core.pairMark | UInt32(index ?? 0)
        pairNumbers[pair] = number
        return number
    }

    /// Returns the pair with the given number.
    ///
    /// The parameters of the pair have no names.
    func pair(_ number: UInt32) -> URLPattern.Pair {
        let pair = core.pairs[Int(number & ~Core.pairMark)]
        func parameter(_ kind: UInt32) -> URLPattern.Parameter {
            URLPattern.Parameter(
                name: URLPattern.noName,
                kind: kinds[Int(kind)],
                isOptional: false
            )
        }
        return URLPattern.Pair(
            affixes: URLPattern.Affixes(
                prefix: ByteString(bytes: core.bytes(pair.prefix)),
                suffix: ByteString(bytes: core.bytes(pair.suffix))
            ),
            between: ByteString(bytes: core.bytes(pair.between)),
            first: parameter(pair.first),
            second: parameter(pair.second)
        )
    }

    /// Returns the number that identifies a kind in the table that is being extended, or nil if the
    /// table does not have this kind.
    private func known(_ kind: URLPattern.Kind) -> UInt32? {
        kinds[..<knownKinds].firstIndex(of: kind).map(UInt32.init)
    }

    private mutating func add(_ kind: URLPattern.Kind) -> UInt32 {
        let first = UInt32(core.alternatives.count)
        if case .enumeration(let values) = kind {
            for value in values { core.alternatives.append(value.withBytes { append($0) }) }
        }
        core.kinds.append(
            Core.KindRecord(
                code: kind.code,
                alternatives: first,
                alternativeCount: UInt32(core.alternatives.count) - first
            )
        )
        kinds.append(kind)
        return UInt32(kinds.count - 1)
    }

    mutating func number(of origin: URLOrigin) -> UInt32 {
        let origin = origin.unnamed
        if let number = originNumbers[origin] { return number }
        origins.append(origin)
        let number = UInt32(origins.count) + Core.Terminal.anyCustomScheme
        originNumbers[origin] = number
        return number
    }

    // MARK: Texts

    /// Returns the stored text that equals a string, adding the text if there is none.
    mutating func intern(_ string: ByteString) -> Core.Text {
        intern(string, string.withBytes { URLHash.hash($0) })
    }

    /// Returns the stored text of a string whose hash is given, adding the text if there is none.
    mutating func intern(_ string: ByteString, _ hash: UInt64) -> Core.Text {
        if let text = texts[hash], isText(text, string) { return text }
        let text = string.withBytes { append($0) }
        texts[hash] = text
        return text
    }

    mutating func append(_ bytes: [UInt8]) -> Core.Text {
        bytes.withUnsafeBytes { append($0) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Core.Text {
        let text = Core.Text(start: UInt32(core.bytes.count), count: UInt32(bytes.count))
        core.bytes.append(contentsOf: bytes.assumingMemoryBound(to: UInt8.self))
        return text
    }

    func isText(_ text: Core.Text, _ string: ByteString) -> Bool {
        let known = core.bytes(text)
        return string.withBytes { bytes in
            guard bytes.count == known.count else { return false }
            for index in known.indices where bytes[index] != known[index] { return false }
            return true
        }
    }
}
