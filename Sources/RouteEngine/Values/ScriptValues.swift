// SPDX-License-Identifier: MIT

package import RouteCore

extension Fields {
    /// Creates fields from a script's table.
    ///
    /// - Throws: `badInfo` if the table contains a list, `script` if a key is a read-only property.
    package init(ofScript table: InfoTable) throws(RouteError) {
        if let first = table.list.first { throw .fieldsAreAList(first.kindName) }
        self.init()
        for (key, value) in table.entries {
            guard case .string(let name) = key, let name = name.text else {
                throw .fieldsAreAList(key.pathComponent)
            }
            guard ScreenProperty.named(name) == nil else { throw .readOnly(name) }
            self[name] = value
        }
    }
}

extension RouteError {
    /// Returns the error with the title and the location of the given step.
    ///
    /// If the error already has a step or a location, that step or location is kept.
    package func blaming(_ step: Step?) -> RouteError {
        guard let step else { return self }
        var error = self
        error.step = error.step ?? step.title
        error.location = error.location ?? step.location
        return error
    }

    /// Returns the error with the given location, unless the error already has a location.
    package func at(_ place: Location?) -> RouteError {
        var error = self
        error.location = error.location ?? place
        return error
    }
}

extension Value {
    /// Whether the value counts as true in a Lua condition.
    package var isTrue: Bool {
        switch self {
        case .nil, .boolean(false): false
        default: true
        }
    }

    /// The strings in a list, or a single string as an array; empty for any other value.
    package var names: [String] {
        switch self {
        case .string(let name): name.text.map { [$0] } ?? []
        case .table(let table): table.list.compactMap(\.text)
        default: []
        }
    }
}
