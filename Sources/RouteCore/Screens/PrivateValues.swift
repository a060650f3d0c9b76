// SPDX-License-Identifier: MIT

/// Hides the values of fields and parameters that scripts declare private.
///
/// A name is private wherever it appears, because a route's parameter and the field of its screen
/// have the same name, and often the same value.
extension ScreenClasses {
    /// The text that is printed instead of a private value.
    package static let hidden: Value = "•••"

    /// Returns the table with private values hidden, at any nesting depth.
    package func hidingPrivate(_ table: InfoTable) -> InfoTable {
        if privateNames.isEmpty { return table }
        var shown = InfoTable(list: table.list.map(hidingPrivate))
        for (key, value) in table.entries {
            shown[key] = hidingPrivate(hidingPrivate(value, of: key))
        }
        return shown
    }

    /// Returns the given value of a field, parameter or key, or ``hidden`` if the name is private.
    package func hidingPrivate(_ value: Value, of name: String) -> Value {
        privateNames.contains(name) ? Self.hidden : value
    }

    /// Returns the given value for a key of a table, or ``hidden`` if the key is private.
    func hidingPrivate(_ value: Value, of key: InfoTable.Key) -> Value {
        guard case .string(let name) = key, let name = name.text else { return value }
        return hidingPrivate(value, of: name)
    }

    /// Returns the value with all private values inside it hidden.
    package func hidingPrivate(_ value: Value) -> Value {
        if case .table(let table) = value { return .table(hidingPrivate(table)) }
        return value
    }

    /// Whether a table has a private key at its top level.
    package func hasPrivate(in table: InfoTable) -> Bool {
        privateNames.contains { !table[$0].isNil }
    }

    /// Returns the fields with private values hidden.
    package func hidingPrivate(_ fields: Fields) -> Fields {
        var shown = fields
        for name in fields.names where privateNames.contains(name) { shown[name] = Self.hidden }
        return shown
    }

    /// Returns the fields without the fields whose values ``hidingPrivate(_:)-(Fields)`` has
    /// hidden.
    package func removingHidden(_ fields: Fields) -> Fields {
        var known = fields
        for name in fields.names where privateNames.contains(name) && fields[name] == Self.hidden {
            known[name] = .nil
        }
        return known
    }
}
