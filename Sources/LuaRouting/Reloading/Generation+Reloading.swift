// SPDX-License-Identifier: MIT

internal import LuaVM

/// Functions that scripts declare for reloads.
extension Generation {
    func declareMigration(_ arguments: Arguments) throws(RouteError) {
        if let migration = state.migration {
            throw .declaredTwice("'router.migrate'", migration.location)
        }
        guard let function = arguments[0].luaFunction else { return }
        state.migration = (function, arguments.location)
    }

    /// Calls a function of this generation that migrates the state.
    ///
    /// - Returns: The result of the function, or the given state if the function returns nothing.
    func migrate(_ state: InfoTable, by function: LuaFunction) throws(RouteError) -> Value {
        let objects = runtime.objects
        do throws(ScriptError) {
            let migrate = try runtime.load(
                "local migrate, state = ...  local other = migrate(state)  if other == nil then other = state end  return other"
            )
            runtime.beginEntry()
            defer { runtime.endEntry() }
            objects.hasMetHandle = false
            var reader = try runtime.lua.call(migrate, results: 1) { writer in
                writer.write(function)
                Value.table(state).write(to: &writer, objects)
            }
            return Value(from: &reader, objects) ?? .nil
        } catch {
            throw RouteError(error)
        }
    }

    /// Returns the differences between the registrations of this generation and of an earlier one,
    /// as sorted lists.
    func routeDifferences(
        from old: Generation
    ) -> (added: [String], changed: [String], removed: [String]) {
        var (added, changed, removed): ([String], [String], [String]) = ([], [], [])
        var (before, after) = (StatementTexts(of: old), StatementTexts(of: self))
        let unchanged = Set(
            bundle.files.lazy.filter { file, source in
                guard let new = try? source.get() else { return false }
                return (try? old.bundle.source(of: file)) == new
            }.map(\.key)
        )
        for (target, registration) in declarations.routes.all {
            guard let earlier = old.declarations.routes[target] else {
                added.append(target.description)
                continue
            }
            let isSame =
                registration.location == earlier.location
                && registration.location.map { unchanged.contains($0.file) } == true
            if !isSame, after.digest(of: registration) != before.digest(of: earlier) {
                changed.append(target.description)
            }
        }
        for (target, _) in old.declarations.routes.all where declarations.routes[target] == nil {
            removed.append(target.description)
        }
        return (added.sorted(), changed.sorted(), removed.sorted())
    }
}

/// The digests of the statements that register routes.
private struct StatementTexts {
    private let generation: Generation
    /// The lines of the registrations, by file.
    private lazy var lines = makeLines()
    /// The digest of each statement, by file and by the first line of the statement.
    private var digests: [String: [Int: ContentDigest]] = [:]

    init(of generation: Generation) { self.generation = generation }

    /// Returns the digest of a registration's statement; nil if the text of the statement is not
    /// known.
    mutating func digest(of registration: Registration) -> ContentDigest? {
        guard let location = registration.location else { return nil }
        if let known = digests[location.file] { return known[location.line] }
        let made = makeDigests(of: location.file)
        digests[location.file] = made
        return made[location.line]
    }

    private func makeLines() -> [String: Set<Int>] {
        var lines: [String: Set<Int>] = [:]
        for (_, registration) in generation.declarations.routes.all {
            guard let location = registration.location else { continue }
            lines[location.file, default: []].insert(location.line)
        }
        return lines
    }

    private mutating func makeDigests(of file: String) -> [Int: ContentDigest] {
        guard let beginnings = lines[file], let source = try? generation.bundle.source(of: file)
        else { return [:] }
        var digests: [Int: ContentDigest] = [:]
        var statement: (line: Int, digest: ContentDigest)?
        var line = 0
        for token in LuaTokens(source) {
            let first = token.lines.lowerBound
            if first > line {
                let begins = beginnings.contains(first)
                if begins || Self.beginsStatement(token, of: source) {
                    if let statement { digests[statement.line] = statement.digest }
                    statement = begins ? (first, ContentDigest()) : nil
                }
            }
            line = token.lines.upperBound
            statement?.digest.add(source[token.range])
        }
        if let statement { digests[statement.line] = statement.digest }
        return digests
    }

    /// Returns whether the first token of a line begins a statement.
    ///
    /// Only the layout is examined: a token begins a statement if it is at the left margin and does
    /// not close a block.
    private static func beginsStatement(_ token: LuaToken, of source: [UInt8]) -> Bool {
        let start = token.range.lowerBound
        guard start == 0 || source[start - 1] == UInt8(ascii: "\n") else { return false }
        return !["end", ")", "}", "]"].contains { source[token.range].elementsEqual($0.utf8) }
    }
}
