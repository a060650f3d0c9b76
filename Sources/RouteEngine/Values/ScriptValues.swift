// SPDX-License-Identifier: MIT

package import RouteCore

extension Fields {
    /// Creates fields from a table of a script.
    ///
    /// - Throws: `badInfo` for a list, `script` for a read-only property.
    package init(ofScript table: InfoTable) throws(RouteError) {
        if let first = table.list.first { throw .fieldsAreAList(first.kindName) }
        self.init()
        for (key, value) in table.entries {
            guard case .string(let name) = key, let name = name.text else {
                throw .fieldsAreAList(key.pathComponent)
            }
            guard ScreenProperty.named[name] == nil else { throw .readOnly(name) }
            self[name] = value
        }
    }
}

extension RouteError {
    /// Returns the error with the route's step, and its location if the error has none.
    package func blaming(_ step: Step?) -> RouteError {
        guard let step else { return self }
        var error = self
        error.step = error.step ?? step.title
        error.location = error.location ?? step.location
        return error
    }

    /// Returns the error with a location, unless it already has one.
    package func at(_ place: Location?) -> RouteError {
        var error = self
        error.location = error.location ?? place
        return error
    }
}

extension Value {
    /// Whether the value is true as a Lua condition.
    package var isTrue: Bool {
        switch self {
        case .nil, .boolean(false): false
        default: true
        }
    }

    /// The strings of a list, or the single string.
    package var names: [String] {
        switch self {
        case .string(let name): name.text.map { [$0] } ?? []
        case .table(let table): table.list.compactMap(\.text)
        default: []
        }
    }
}
