// SPDX-License-Identifier: MIT

/// A placeholder for a value of which the text has only the name.
struct NamedValue: Sendable {
    let name: String
}

extension Value {
    /// Replaces names by values, where ``NotationParser/names`` were read.
    package func replacingNames(_ value: (String) -> Value) -> Value {
        switch self {
        case .object(let object):
            guard let named = object.base as? NamedValue else { return self }
            return value(named.name)
        case .table(let table):
            var replaced = InfoTable(list: table.list.map { $0.replacingNames(value) })
            for entry in table.entries {
                replaced[entry.key] = entry.value.replacingNames(value)
            }
            return .table(replaced)
        default: return self
        }
    }
}

extension FieldNotation {
    /// Replaces names by values.
    package func replacingNames(_ value: (String) -> Value) -> FieldNotation {
        FieldNotation(name: name, value: self.value.replacingNames(value), range: range)
    }
}

extension ScreenNotation {
    /// Replaces names by values, also in nested screens.
    package func replacingNames(_ value: (String) -> Value) -> ScreenNotation {
        ScreenNotation(
            name: name,
            kind: kind,
            fields: fields?.map { $0.replacingNames(value) },
            children: children?.map { child in
                switch child {
                case .rest: child
                case .child(let tree, let star): .child(tree.replacingNames(value), star: star)
                }
            },
            range: range,
            nameRange: nameRange,
            kindRange: kindRange,
            fieldsRange: fieldsRange,
            childrenRange: childrenRange
        )
    }
}

extension TreeNotation {
    /// Replaces names by values.
    package func replacingNames(_ value: (String) -> Value) -> TreeNotation {
        TreeNotation(levels: levels.map { $0.replacingNames(value) }, range: range)
    }
}
