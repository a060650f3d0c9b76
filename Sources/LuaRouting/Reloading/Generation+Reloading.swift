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

    /// The lines of each registration: from its own to that of the next one in its file.
    private func registeredTexts() -> [Target: [ArraySlice<UInt8>]] {
        var places: [String: [(line: Int, target: Target)]] = [:]
        var texts: [Target: [ArraySlice<UInt8>]] = [:]
        for (target, registration) in routes.all {
            texts[target] = []
            guard let place = registration.place else { continue }
            places[place.file, default: []].append((place.line, target))
        }
        for (file, registrations) in places {
            guard let source = try? bundle.source(of: file) else { continue }
            let lines = source.split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            let starts = registrations.map(\.line).sorted()
            for (line, target) in registrations {
                let end = starts.first { $0 > line } ?? lines.count + 1
                guard line >= 1, line <= lines.count else { continue }
                // The empty lines behind it are nobody's.
                let text = lines[(line - 1)..<min(end - 1, lines.count)]
                texts[target] = Array(text.filter { !$0.isEmpty })
            }
        }
        return texts
    }
}
