// SPDX-License-Identifier: MIT

package import RouteCore

extension Fields {
    /// The fields that a script gives as a table.
    ///
    /// - Throws: `badInfo` for a list, `script` for a fixed property.
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
    /// The error with the route's step, and its line if it has none of its own.
    package func blaming(_ step: Step?) -> RouteError {
        guard let step else { return self }
        var error = self
        error.step = error.step ?? step.title
        error.location = error.location ?? step.location
        return error
    }

    /// The error with a line if it has none of its own.
    package func at(_ place: Location?) -> RouteError {
        var error = self
        error.location = error.location ?? place
        return error
    }
}

extension Value {
    /// Whether a script's condition takes the value for true.
    package var isTrue: Bool {
        switch self {
        case .nil, .boolean(false): false
        default: true
        }
    }

    /// The strings of a list, or the one string that the value is.
    package var names: [String] {
        switch self {
        case .string(let name): name.text.map { [$0] } ?? []
        case .table(let table): table.list.compactMap(\.text)
        default: []
        }
    }
}
