// SPDX-License-Identifier: MIT

package import RouteCore

/// The entries of a definition or of a link, by key.
///
/// Scripts write both as tables.
///
/// The table is scanned only once, and is not copied.
package struct Definition {
    /// The keys of a definition.
    ///
    /// The name of each case is the text of the key.
    package enum Key: UInt8, CaseIterable {
        case info, find, reuse, prepare, build, update, via, from, intercept, after, closed, adapt
        case needs, enabled, fallback, origin, url, vanished, ready, examples, override, `private`
        case result, redirect, atDialog
    }

    private static let keys = NameIndex(Key.allCases.map { "\($0)" })

    private let tree: ArgumentTree
    /// For each key, the index of the node in `tree` that contains the value; 0 if the key is
    /// absent.
    private var places = SIMD32<UInt32>()
    /// The keys that are present.
    private var given = Keys()

    /// A set of keys.
    struct Keys {
        fileprivate var bits: UInt32 = 0

        init(_ keys: [Key] = []) { for key in keys { bits |= 1 << key.rawValue } }
    }

    /// Reads a table whose keys have already been checked.
    ///
    /// The definition is empty if the argument is not a table.
    package init(_ tree: ArgumentTree, _ table: Argument) {
        self.tree = tree
        let keys = Self.keys
        var parts = table.parts
        parts.skip(table.listCount)
        for _ in 0..<table.entryCount {
            let (key, value) = (parts.take(), parts.take())
            guard let key = keys.index(of: key) else { continue }
            // The subscript of a vector would copy the whole vector.
            withUnsafeMutableBytes(of: &places) {
                $0.storeBytes(
                    of: UInt32(value.index),
                    toByteOffset: 4 * key,
                    as: UInt32.self
                )
            }
            given.bits |= 1 << UInt32(key)
        }
    }

    /// Reads a table whose keys have already been checked.
    package init(_ table: InfoTable) {
        let tree = ArgumentTree([.table(table)])
        self.init(tree, tree[0])
    }

    /// Whether any of the given keys is present.
    func has(anyOf keys: Keys) -> Bool { given.bits & keys.bits != 0 }

    /// Returns the first key of the definition that is not in the given set; nil if there is none.
    func firstKey(besides keys: Keys) -> Key? {
        Key.allCases.first { given.bits & ~keys.bits & 1 << $0.rawValue != 0 }
    }

    /// The value of a key; nil if the key is absent.
    package subscript(key: Key) -> Value { self.argument(key)?.value ?? .nil }

    /// Returns the argument for a key, without copying its value; nil if the key is absent.
    package func argument(_ key: Key) -> Argument? {
        let location = places[Int(key.rawValue)]
        return location == 0 ? nil : tree.argument(at: Int(location))
    }

    /// Returns the declared type of the result, if there is one.
    package func result() throws(RouteError) -> InfoDeclaration.Parameter? {
        let type = self[.result]
        return type.isNil
            ? nil : try InfoDeclaration.Parameter("result", type, path: "result")
    }

    /// Returns the declared parameters, if there are any.
    package func info() throws(RouteError) -> InfoDeclaration? {
        guard let info = argument(.info), info.kind == .table else { return nil }
        return try InfoDeclaration(info)
    }
}
