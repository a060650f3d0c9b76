// SPDX-License-Identifier: MIT

/// The declaration of a class of screens.
///
/// ```swift
/// let page = router.classes["Page"]
/// print(page.kind, page.fields)  // leaf ["id", "title"]
/// ```
public struct ScreenClass: Sendable {
    /// The name of the class.
    public let name: String
    /// The names of the fields, in the order in which they are printed.
    public var fields: [String]
    /// The declared types of fields.
    ///
    /// A field without a declared type is not included.
    package var types = InfoDeclaration([])
    /// The names of fields whose values are hidden in messages.
    fileprivate var privateNames: Set<String> = []
    /// The source location of the declaration, if known.
    package var location: RouteError.Location?
    // The small properties are last, so that a class takes few bytes.
    private var declaredMax: Int?
    private var declaredShows: Screen.Shows
    /// Whether the class declares its fields, even as an empty list.
    ///
    /// If so, parameters can set no other fields.
    package var declaresFields: Bool
    /// The role of screens of this class: a leaf, or a kind of container.
    public var kind: Screen.Kind

    /// The rule that determines the visible children of screens of this class.
    ///
    /// A class of the kind `container` declares the rule. The rules of other kinds are fixed.
    public var shows: Screen.Shows {
        get { kind.shows ?? declaredShows }
        set { declaredShows = newValue }
    }

    /// The maximum number of children; nil if there is no limit.
    ///
    /// A class of the kind `container` declares the maximum. The maximum of a split is two.
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
    ///   - name: The name of the class.
    ///   - kind: The role of screens of the class. By default, the kind that the name implies, such
    ///     as `nav`, or `leaf` if the name implies no kind.
    ///   - fields: The names of the fields, in the order in which they are printed.
    ///   - shows: The rule that determines the visible children; used only for the kind
    ///     `container`.
    ///   - max: The maximum number of children; used only for the kind `container`.
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
        declaresFields = !fields.isEmpty
        declaredShows = shows
        declaredMax = max
    }

    /// Checks the value of a field, and converts it to the declared type.
    ///
    /// Nil, which removes the field, is accepted for any type.
    ///
    /// - Throws: `badInfo`, naming the part of the value that does not match.
    package func checked(_ value: Value, for field: String) throws(RouteError) -> Value {
        guard !types.parameters.isEmpty, let type = types[field] else { return value }
        return try type.check(value, hiding: privateNames)
    }

    /// Checks that scripts may write a field.
    ///
    /// A class that declares types has no fields other than the declared fields.
    ///
    /// - Throws: `script`, with a suggestion of the nearest field name, if scripts may not write
    ///   the field.
    package func checkField(_ field: String) throws(RouteError) {
        guard !types.parameters.isEmpty, !fields.contains(field) else { return }
        throw .noField(field, of: self)
    }

    /// Creates a class from the data of one of its screens, without the declaration.
    package init(of screen: Screen) {
        self.init(screen.class, kind: screen.kind, shows: screen.shows, max: screen.max)
    }
}

/// The screen classes that a generation of scripts knows.
///
/// ```swift
/// var classes = ScreenClasses()
/// classes.declare(ScreenClass("Shop", kind: .nav))
/// var tree = ScreenTree()
/// let shop = try TreeNotation("Shop[Home]").build(into: &tree, classes: classes)
/// print(tree[shop].kind)  // nav
/// ```
public struct ScreenClasses: Sendable {
    /// A declared class, behind a reference, so that the table of classes takes few bytes.
    private final class Declared: Sendable {
        let screenClass: ScreenClass

        init(_ screenClass: ScreenClass) { self.screenClass = screenClass }
    }

    private var declared: [String: Declared] = [:]
    /// Whether any class declares types of fields.
    private var hasTypes = false
    /// The names of fields and parameters whose values are hidden in events, logs and reports.
    package var privateNames: Set<String> = []

    /// Creates a set without declared classes.
    public init() {}

    /// The class with the given name.
    ///
    /// If the class is not declared, the result is a class without fields, whose kind is implied by
    /// the name.
    public subscript(name: String) -> ScreenClass {
        guard var its = declared[name]?.screenClass else { return ScreenClass(name) }
        its.privateNames = privateNames
        return its
    }

    /// The names of the declared classes, in no particular order.
    package var names: some Collection<String> { declared.keys }

    /// Checks the value of a screen's field, like ``ScreenClass/checked(_:for:)``.
    package func checked(
        _ value: Value,
        for field: String,
        of screen: ScreenID,
        in tree: borrowing ScreenTree
    ) throws(RouteError) -> Value {
        guard hasTypes, let name = tree.class(of: screen) else { return value }
        return try self[name].checked(value, for: field)
    }

    /// Checks that scripts may write a field of a screen, like ``ScreenClass/checkField(_:)``.
    ///
    /// A field that the screen already has, from a snapshot or from other scripts, may be changed.
    package func checkField(
        _ field: String,
        of screen: ScreenID,
        in tree: borrowing ScreenTree
    ) throws(RouteError) {
        guard hasTypes, let its = tree.screen(screen), its.fields[field].isNil else { return }
        try self[its.class].checkField(field)
    }

    /// Whether a class was declared.
    public func declares(_ name: String) -> Bool { declared[name] != nil }

    /// Declares a class, replacing an earlier declaration.
    public mutating func declare(_ screenClass: ScreenClass) {
        declared[screenClass.name] = Declared(screenClass)
        if !screenClass.types.parameters.isEmpty { hasTypes = true }
    }
}
