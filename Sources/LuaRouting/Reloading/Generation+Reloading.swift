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
        let (before, after) = (old.registeredTexts(), registeredTexts())
        let changed = after.filter { key, text in before[key].map { $0 != text } ?? false }
        return (
            after.keys.filter { before[$0] == nil }.map(\.description).sorted(),
            changed.keys.map(\.description).sorted(),
            before.keys.filter { after[$0] == nil }.map(\.description).sorted()
        )
    }

    /// What stands for the text of each registration: the lines of its statement.
    private func registeredTexts() -> [Target: String] {
        var places: [String: [Int: [Target]]] = [:]
        var texts: [Target: String] = [:]
        for (target, registration) in routes.all {
            texts[target] = ""
            guard let place = registration.place else { continue }
            places[place.file, default: [:]][place.line, default: []].append(target)
        }
        for (file, targets) in places {
            guard let source = try? bundle.source(of: file) else { continue }
            let lines = source.split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            var digest = ContentDigest()
            var current: [Target] = []
            for (index, line) in lines.enumerated() {
                if let own = targets[index + 1] {
                    for target in current { texts[target] = digest.text }
                    (digest, current) = (ContentDigest(), own)
                } else if !current.isEmpty, Self.beginsStatement(line) {
                    for target in current { texts[target] = digest.text }
                    current = []
                }
                if !current.isEmpty, !line.isEmpty { digest.add(Array(line)) }
            }
            for target in current { texts[target] = digest.text }
        }
        return texts
    }

    /// Whether a line is none of the statement above it, as scripts are laid out: it begins at the
    /// left, and not with what closes something.
    private static func beginsStatement(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first else { return false }
        let closing = [UInt8](" \t)}]\r".utf8)
        return !closing.contains(first) && !line.starts(with: "end".utf8)
    }
}
