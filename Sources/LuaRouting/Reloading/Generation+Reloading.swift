// SPDX-License-Identifier: MIT

internal import LuaVM

/// What scripts say about being loaded in the place of others.
extension Generation {
    func declareMigration(_ arguments: Arguments) throws(RouteError) {
        if let migration { throw .declaredTwice("'router.migrate'", migration.place) }
        guard let function = arguments[0].luaFunction else { return }
        migration = (function, arguments.place)
    }

    /// Lets a function make of a state what these scripts need.
    ///
    /// - Returns: What it returns, or the table that it got where it returns nothing.
    func migrate(_ state: Table, by function: LuaFunction) throws(RouteError) -> Value {
        do throws(ScriptError) {
            let migrate = try lua.load(
                "local migrate, state = ...  local other = migrate(state)  if other == nil then other = state end  return other",
                chunkName: Self.preludeName,
                environment: modules.own
            )
            beginEntry()
            defer { endEntry() }
            objects.hasMetHandle = false
            var reader = try lua.call(migrate, results: 1) { writer in
                writer.write(function)
                Value.table(state).write(to: &writer, objects)
            }
            return Value(from: &reader, objects) ?? .nil
        } catch {
            throw RouteError(error)
        }
    }

    /// What these scripts register other than earlier ones did, each sorted.
    func routeDifferences(
        from old: Generation
    ) -> (added: [String], changed: [String], removed: [String]) {
        var (added, changed, removed): ([String], [String], [String]) = ([], [], [])
        var (before, after) = (StatementTexts(of: old), StatementTexts(of: self))
        for (target, registration) in routes.all {
            guard let earlier = old.routes[target] else {
                added.append(target.description)
                continue
            }
            if after.digest(of: registration) != before.digest(of: earlier) {
                changed.append(target.description)
            }
        }
        for (target, _) in old.routes.all where routes[target] == nil {
            removed.append(target.description)
        }
        return (added.sorted(), changed.sorted(), removed.sorted())
    }
}

/// What stands for the text of each registration: the lines of its statement.
private struct StatementTexts {
    private let generation: Generation
    // Where nothing is registered that was before, nobody asks.
    private lazy var digests = makeDigests()

    init(of generation: Generation) { self.generation = generation }

    /// The digest of a registration's statement; nil where its text is not known.
    mutating func digest(of registration: Registration) -> ContentDigest? {
        registration.place.flatMap { digests[$0] }
    }

    private func makeDigests() -> [RouteError.Location: ContentDigest] {
        var places: [String: Set<Int>] = [:]
        for (_, registration) in generation.routes.all {
            guard let place = registration.place else { continue }
            places[place.file, default: []].insert(place.line)
        }
        var digests: [RouteError.Location: ContentDigest] = [:]
        for (file, beginnings) in places {
            guard let source = try? generation.bundle.source(of: file) else { continue }
            let lines = source.split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            var current: (place: RouteError.Location, digest: ContentDigest)?
            for (index, line) in lines.enumerated() {
                if beginnings.contains(index + 1) {
                    if let current { digests[current.place] = current.digest }
                    let place = RouteError.Location(file: file, line: index + 1)
                    current = (place, ContentDigest())
                } else if let ended = current, Self.beginsStatement(line) {
                    digests[ended.place] = ended.digest
                    current = nil
                }
                if !line.isEmpty { current?.digest.add(line) }
            }
            if let current { digests[current.place] = current.digest }
        }
        return digests
    }

    /// Whether a line is none of the statement above it, as scripts are laid out: it begins at the
    /// left, and not with what closes something.
    private static func beginsStatement(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first else { return false }
        let closing = [UInt8](" \t)}]\r".utf8)
        return !closing.contains(first) && !line.starts(with: "end".utf8)
    }
}
