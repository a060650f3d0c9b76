// SPDX-License-Identifier: MIT

#if Bundles
internal import LuaRouting
internal import RouteCore

/// The record of a store: its bundles, and the changes that led to this state.
///
/// The record is a value, so a change that cannot be written is discarded with its copy.
package struct StoreState: Equatable {
    /// The staged bundle, which becomes current at the next start or when it is activated.
    package private(set) var candidate: StoredBundle?
    /// The bundle that a start tries first.
    package private(set) var current: StoredBundle?
    /// The last bundle that has passed its probation.
    ///
    /// It may be the current bundle.
    package private(set) var lastGood: StoredBundle?
    /// The most recent bundle before the current one that has a confirmed start.
    ///
    /// This bundle is kept until the current bundle has passed its probation and has a confirmed
    /// start.
    package private(set) var previous: StoredBundle?
    /// The counts of the embedded scripts.
    private(set) var embeddedCounts = Probation.Counts()
    /// The digests of the bundles that are never loaded again, the oldest first.
    package private(set) var quarantined: [String] = []
    /// The last changes, the oldest first.
    package private(set) var changes: [StoreChange] = []

    /// Creates the record of an empty store.
    init() {}

    /// The maximum number of changes that are kept.
    static let changeLimit = 100
    /// The maximum number of quarantined digests.
    ///
    /// When it is exceeded, the oldest digest is removed.
    static let quarantineLimit = 1_000
    /// The number of unconfirmed starts after which a bundle is quarantined, or skipped if its
    /// probation has ended.
    static let startLimit = 2

    /// All bundles, each once.
    var bundles: [StoredBundle] {
        [candidate, current, lastGood, previous].compactMap(\.self).reduce(into: []) {
            bundles,
            bundle in
            if !bundles.contains(where: { $0.digest == bundle.digest }) { bundles.append(bundle) }
        }
    }

    /// The current bundle if it is not the last good one.
    ///
    /// Its predecessor is kept in the meantime.
    var successor: StoredBundle? { current?.digest == lastGood?.digest ? nil : current }

    /// Returns whether a bundle is quarantined if its starts are not confirmed: whether its
    /// probation has not ended, or no start was ever confirmed.
    private func isOnProbation(_ bundle: StoredBundle) -> Bool {
        !bundle.isConfirmed || !(bundle.isHeld || bundle.digest == lastGood?.digest)
    }

    /// Returns whether the next start quarantines a bundle because its starts were not confirmed.
    func crashes(_ bundle: StoredBundle) -> Bool {
        bundle.unconfirmedStarts >= Self.startLimit && isOnProbation(bundle)
    }

    /// The bundle that the next start tries first; nil for the embedded scripts.
    package var next: StoredBundle? {
        bundles.first { !crashes($0) && !Self.skips($0.unconfirmedStarts + 1) }
    }

    /// Returns the bundle with the given digest.
    subscript(digest: String) -> StoredBundle? { bundles.first { $0.digest == digest } }

    /// Stages a bundle, replacing any bundle that is already staged.
    mutating func stage(_ bundle: StoredBundle, at time: Int) {
        candidate = bundle
        note(.staged, bundle, at: time)
    }

    /// Makes a bundle current, even if it is no longer the candidate.
    mutating func activate(_ bundle: StoredBundle, at time: Int) {
        if let current, current.isConfirmed, current.digest != bundle.digest { previous = current }
        current = bundle
        if candidate?.digest == bundle.digest { candidate = nil }
        note(.activated, bundle, at: time)
    }

    /// Makes the current bundle the last good one.
    mutating func pass(at time: Int) {
        guard let successor else { return }
        // A bundle that was activated in a running app may fail at the next start.
        if let lastGood, !successor.isConfirmed { previous = lastGood }
        update(successor.digest) { $0.isHeld = false }
        lastGood = current
        note(.passed, successor, at: time)
        dropPrevious()
    }

    /// Ends the probation of the current bundle without making it the last good one, and begins to
    /// count its navigations again.
    ///
    /// Only the first time is noted.
    mutating func hold(because reason: String, at time: Int) {
        guard let successor else { return }
        if !successor.isHeld { note(.held, successor, because: reason, at: time) }
        update(successor.digest) { ($0.isHeld, $0.counts) = (true, Probation.Counts()) }
    }

    /// Records that a start with a bundle was confirmed.
    mutating func confirm(_ digest: String) {
        update(digest) { ($0.unconfirmedStarts, $0.isConfirmed) = (0, true) }
        dropPrevious()
    }

    /// Removes the previous bundle if the current bundle has passed its probation and has a
    /// confirmed start.
    private mutating func dropPrevious() {
        if successor == nil, current?.isConfirmed == true { previous = nil }
    }

    /// Changes the record of a bundle.
    mutating func update(_ digest: String, _ change: (inout StoredBundle) -> Void) {
        func updated(_ bundle: StoredBundle?) -> StoredBundle? {
            guard var bundle, bundle.digest == digest else { return bundle }
            change(&bundle)
            return bundle
        }
        (candidate, current) = (updated(candidate), updated(current))
        (lastGood, previous) = (updated(lastGood), updated(previous))
    }

    /// Adds counts to the record of the bundle with the given digest, or to ``embeddedCounts`` if
    /// the digest is nil.
    mutating func add(_ counts: Probation.Counts, to digest: String?) {
        guard let digest else { return embeddedCounts += counts }
        update(digest) { $0.counts += counts }
    }

    /// Returns whether a start is skipped that would be the given number of consecutive starts
    /// without a confirmation.
    ///
    /// The bundle is tried again if the number is a power of two.
    private static func skips(_ starts: Int) -> Bool {
        starts > startLimit && starts & (starts - 1) != 0
    }

    /// Returns whether a start skips a bundle whose probation has ended and whose last starts were
    /// not confirmed.
    ///
    /// The bundle is not quarantined, because a start is also unconfirmed if the user only opens
    /// the app briefly. Some later starts therefore try the bundle again.
    mutating func skips(_ bundle: StoredBundle, at time: Int) -> Bool {
        let next = bundle.unconfirmedStarts + 1
        guard Self.skips(next) else { return false }
        update(bundle.digest) { $0.unconfirmedStarts = next }
        note(
            .skipped,
            bundle,
            because: "the last starts of the bundle were not confirmed",
            at: time
        )
        return true
    }

    /// Removes a bundle.
    ///
    /// - Parameters:
    ///   - bundle: The bundle.
    ///   - kind: `quarantined` if the bundle must never be loaded again, or `removed`.
    ///   - reason: The reason.
    ///   - time: The current time.
    mutating func remove(
        _ bundle: StoredBundle,
        _ kind: StoreChange.Kind,
        because reason: String,
        at time: Int
    ) {
        func kept(_ other: StoredBundle?) -> StoredBundle? {
            other?.digest == bundle.digest ? nil : other
        }
        (candidate, current) = (kept(candidate), kept(current))
        (lastGood, previous) = (kept(lastGood), kept(previous))
        if kind == .quarantined, !quarantined.contains(bundle.digest) {
            quarantined.append(bundle.digest)
            quarantined.removeFirst(max(0, quarantined.count - Self.quarantineLimit))
        }
        note(kind, bundle, because: reason, at: time)
    }

    /// Returns at most the first 500 bytes of a reason.
    private static func cut(_ reason: String) -> String {
        if reason.utf8.count <= 500 { return reason }
        var (text, count) = ("", 0)
        for character in reason {
            count += character.utf8.count
            if count > 500 { break }
            text.append(character)
        }
        return text
    }

    /// Returns the index of the last change of a bundle.
    private func lastChange(of bundle: StoredBundle?) -> Int? {
        changes.lastIndex { $0.digest == bundle?.digest }
    }

    /// Notes that a start loaded a bundle, if earlier starts skipped the bundle.
    mutating func resume(_ bundle: StoredBundle, at time: Int) {
        guard let index = lastChange(of: bundle), changes[index].kind == .skipped else { return }
        note(.resumed, bundle, at: time)
    }

    /// Adds a change to the list.
    mutating func note(
        _ kind: StoreChange.Kind,
        _ bundle: StoredBundle? = nil,
        because reason: String? = nil,
        at time: Int
    ) {
        // If consecutive starts skip the same bundle for the same reason, only the last is
        // recorded.
        if kind == .skipped, let index = lastChange(of: bundle),
            changes[index].kind == .skipped, changes[index].reason == reason.map(Self.cut)
        {
            changes.remove(at: index)
        }
        changes.append(
            StoreChange(
                time: time,
                kind: kind,
                version: bundle?.version,
                digest: bundle?.digest,
                signer: bundle?.signer,
                reason: reason.map(Self.cut)
            )
        )
        changes.removeFirst(max(0, changes.count - Self.changeLimit))
    }
}

// MARK: The document

extension StoreState {
    static let schema = "luaroute.store/1"
    /// The name of the file.
    package static let fileName = "state.json"
    /// The maximum size of the file, in bytes.
    package static let sizeLimit = 1 << 20

    /// The document `luaroute.store/1`, which ends with the digest of its first line.
    var document: [UInt8] {
        let line = Array(json.utf8)
        return line + Array("\n\(BundleDigest.text(of: line))\n".utf8)
    }

    /// The first line of the document.
    package var json: String {
        var json = JSONWriter()
        json.begin("{")
        json.member("schema", Value(Self.schema))
        json.name("bundles")
        json.begin("[")
        for bundle in bundles { json.write(bundle) }
        json.end("]")
        for (name, bundle) in slots {
            if let bundle { json.member(name, Value(bundle.digest)) }
        }
        json.name("embedded")
        json.begin("{")
        json.write(embeddedCounts)
        json.end("}")
        json.name("quarantined")
        json.begin("[")
        for digest in quarantined { json.write(Value(digest)) }
        json.end("]")
        json.name("changes")
        json.begin("[")
        for change in changes { json.write(change) }
        json.end("]")
        json.end("}")
        return json.text
    }

    private var slots: [(String, StoredBundle?)] {
        [
            ("candidate", candidate), ("current", current), ("lastGood", lastGood),
            ("previous", previous),
        ]
    }

    /// Reads a document; nil if the document is damaged.
    package init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            bytes[end...].elementsEqual("\n\(BundleDigest.text(of: bytes[..<end]))\n".utf8),
            let table = try? JSONDocument.object(Array(bytes[..<end]), refusesNull: true),
            table["schema"].text == Self.schema, let embedded = Probation.Counts(table["embedded"])
        else { return nil }
        let bundles = (table["bundles"].list ?? []).compactMap(StoredBundle.init)
        func bundle(_ slot: String) -> StoredBundle? {
            bundles.first { $0.digest == table[slot].text }
        }
        (candidate, current) = (bundle("candidate"), bundle("current"))
        (lastGood, previous) = (bundle("lastGood"), bundle("previous"))
        embeddedCounts = embedded
        quarantined = (table["quarantined"].list ?? []).compactMap(\.text)
        changes = (table["changes"].list ?? []).compactMap(StoreChange.init)
        // A document with an unknown member was written by a different version.
        guard document == bytes else { return nil }
    }

}

extension StoredBundle {
    fileprivate init?(_ value: Value) {
        guard case .table(let table) = value, let name = table["name"].text,
            let version = table["version"].integer, let digest = table["digest"].text,
            let signer = table["signer"].text, let starts = table["unconfirmedStarts"].integer,
            (0...Int64(Int32.max)).contains(starts),
            let counts = Probation.Counts(value)
        else { return nil }
        self.init(name: name, version: Int(version), digest: digest, signer: signer)
        unconfirmedStarts = Int(starts)
        isConfirmed = table["isConfirmed"] == true
        isHeld = table["isHeld"] == true
        self.counts = counts
    }
}

extension Probation.Counts {
    fileprivate init?(_ value: Value) {
        guard case .table(let table) = value else { return nil }
        let numbers = ["navigations", "failures", "otherFailures", "seconds"]
            .compactMap { table[$0].integer }
        // Counts below this limit never overflow.
        guard numbers.count == 4, numbers.allSatisfy({ 0 <= $0 && $0 < 1 << 60 }) else {
            return nil
        }
        self.init(
            navigations: Int(numbers[0]),
            failures: Int(numbers[1]),
            otherFailures: Int(numbers[2]),
            seconds: Int(numbers[3])
        )
    }
}

extension StoreChange {
    fileprivate init?(_ value: Value) {
        guard case .table(let table) = value, let time = table["time"].integer,
            let kind = table["kind"].text.flatMap(Kind.init)
        else { return nil }
        self.init(
            time: Int(time),
            kind: kind,
            version: table["version"].integer.map { Int($0) },
            digest: table["digest"].text,
            signer: table["signer"].text,
            reason: table["reason"].text
        )
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ bundle: StoredBundle) {
        begin("{")
        member("name", Value(bundle.name))
        member("version", .integer(Int64(bundle.version)))
        member("digest", Value(bundle.digest))
        member("signer", Value(bundle.signer))
        member("unconfirmedStarts", .integer(Int64(bundle.unconfirmedStarts)))
        member("isConfirmed", .boolean(bundle.isConfirmed))
        if bundle.isHeld { member("isHeld", .boolean(true)) }
        write(bundle.counts)
        end("}")
    }

    fileprivate mutating func write(_ counts: Probation.Counts) {
        member("navigations", .integer(Int64(counts.navigations)))
        member("failures", .integer(Int64(counts.failures)))
        member("otherFailures", .integer(Int64(counts.otherFailures)))
        member("seconds", .integer(Int64(counts.seconds)))
    }

    fileprivate mutating func write(_ change: StoreChange) {
        begin("{")
        member("time", .integer(Int64(change.time)))
        member("kind", Value(change.kind.rawValue))
        if let version = change.version { member("version", .integer(Int64(version))) }
        for (name, text) in [
            ("digest", change.digest), ("signer", change.signer), ("reason", change.reason),
        ] {
            if let text { member(name, Value(text)) }
        }
        end("}")
    }
}
#endif
