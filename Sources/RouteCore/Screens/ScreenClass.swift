// SPDX-License-Identifier: MIT

/// What a script declares of a class of screens.
public struct ScreenClass: Sendable {
    /// The name.
    public let name: String
    /// What its screens do with other screens.
    public var kind: Screen.Kind
    /// The names of the fields, in the order in which they are printed.
    public var fields: [String]
    /// The types of those fields that have one.
    package var types = InfoDeclaration([])
    /// The names of fields whose values messages do not show.
    fileprivate var privateNames: Set<String> = []

    private var declaredShows: Screen.Shows
    private var declaredMax: Int?

    /// Which children of its screens are visible; what a declared container says, and what the
    /// other kinds always show.
    public var shows: Screen.Shows {
        get { kind.shows ?? declaredShows }
        set { declaredShows = newValue }
    }

    /// The number of children that its screens may hold, nil where there is no limit; what a
    /// declared container says, and two for a split.
    public var max: Int? {
        get {
            switch kind {
            case .split: 2
            case .container: declaredMax.map { Swift.max($0, 0) }
            case .leaf, .nav, .tabs, .foreign: nil
            }
        }
        set { declaredMax = newValue }
    }

    /// Creates a class.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - kind: What its screens do with others; without it the kind that the name implies, as
    ///     `nav` does, or `leaf`.
    ///   - fields: The names of the fields, in the order in which they are printed.
    ///   - shows: Which children are visible, for the kind `container` only.
    ///   - max: The number of children that there may be, for the kind `container` only.
    public init(
        _ name: String,
        kind: Screen.Kind? = nil,
        fields: [String] = [],
        shows: Screen.Shows = .last,
        max: Int? = nil
    ) {
        self.name = name
        self.kind = kind ?? Screen.Kind(impliedBy: name) ?? .leaf
        self.fields = fields
        declaredShows = shows
        declaredMax = max
    }

    /// Checks the value of a field, and converts it to the declared type; nil removes a field of
    /// any type.
    ///
    /// - Throws: `badInfo`, naming the part of the value that does not fit.
    package func checked(_ value: Value, for field: String) throws(RouteError) -> Value {
        guard !types.parameters.isEmpty, let type = types[field] else { return value }
        return try type.check(value, hiding: privateNames)
    }

    /// Creates the class that a screen was made of, as far as the screen tells it.
    package init(of screen: Screen) {
        self.init(screen.class, kind: screen.kind, shows: screen.shows, max: screen.max)
    }
}

/// The classes of screens that a generation of scripts knows.
public struct ScreenClasses: Sendable {
    private var declared: [String: ScreenClass] = [:]
    /// Whether a field of a class has a type.
    private var hasTypes = false
    /// The names of fields and parameters whose values are hidden in events, logs and reports.
    package var privateNames: Set<String> = []

    /// Creates a set without declared classes.
    public init() {}

    /// The class of a name: as declared, or else with the kind of its name and no fields.
    public subscript(name: String) -> ScreenClass {
        guard var screenClass = declared[name] else { return ScreenClass(name) }
        screenClass.privateNames = privateNames
        return screenClass
    }

    /// Checks the value of a screen's field, as ``ScreenClass/checked(_:for:)`` does.
    package func checked(
        _ value: Value,
        for field: String,
        of screen: ScreenID,
        in tree: borrowing ScreenTree
    ) throws(RouteError) -> Value {
        guard hasTypes, let name = tree.class(of: screen) else { return value }
        return try self[name].checked(value, for: field)
    }

    /// Whether a class was declared.
    public func declares(_ name: String) -> Bool { declared[name] != nil }

    /// Declares a class, in place of an earlier declaration.
    public mutating func declare(_ screenClass: ScreenClass) {
        declared[screenClass.name] = screenClass
        if !screenClass.types.parameters.isEmpty { hasTypes = true }
    }
}
