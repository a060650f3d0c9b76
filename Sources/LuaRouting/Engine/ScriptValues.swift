// SPDX-License-Identifier: MIT

extension Fields {
    /// The fields that a script gives as a table.
    ///
    /// - Throws: `badInfo` for a list, `script` for a fixed property.
    init(ofScript table: Table) throws(RouteError) {
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
    func blaming(_ step: Step?) -> RouteError {
        guard let step else { return self }
        var error = self
        error.step = error.step ?? step.title
        error.location = error.location ?? step.place
        return error
    }

    /// The error with a line if it has none of its own.
    func at(_ place: Location?) -> RouteError {
        var error = self
        error.location = error.location ?? place
        return error
    }
}
