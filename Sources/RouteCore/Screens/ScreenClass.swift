// SPDX-License-Identifier: MIT

/// What a script declares of a class of screens.
public struct ScreenClass: Sendable, Equatable {
    /// The name.
    public let name: String
    /// What its screens do with other screens.
    public var kind: Screen.Kind
    /// The names of the fields, in the order in which they are printed.
    public var fields: [String]

    /// Creates a class.
    ///
    /// Without a kind it has the one of its name, as `nav` has, or `leaf`.
    public init(_ name: String, kind: Screen.Kind? = nil, fields: [String] = []) {
        self.name = name
        self.kind = kind ?? Screen.Kind(rawValue: name) ?? .leaf
        self.fields = fields
    }
}

/// The classes of screens that a generation of scripts knows.
public struct ScreenClasses: Sendable, Equatable {
    private var declared: [String: ScreenClass] = [:]

    /// Creates a set without declared classes.
    public init() {}

    /// The class of a name: as declared, or else with the kind of its name and no fields.
    public subscript(name: String) -> ScreenClass {
        declared[name] ?? ScreenClass(name)
    }

    /// Whether a class was declared.
    public func declares(_ name: String) -> Bool { declared[name] != nil }

    /// Declares a class, in place of an earlier declaration.
    public mutating func declare(_ screenClass: ScreenClass) {
        declared[screenClass.name] = screenClass
    }
}
