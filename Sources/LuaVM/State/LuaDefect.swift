// SPDX-License-Identifier: MIT

internal import CLuaRoute

/// A defect of some releases of Lua 5.4.
///
/// If the linked Lua has the defect, a script that would trigger the defect gets an error instead.
/// ``LuaState/defects`` lists the defects of the linked Lua.
///
/// ```swift
/// for defect in Router.luaDefects { print(defect) }
/// ```
public enum LuaDefect: Int, CaseIterable, Sendable, CustomStringConvertible {
    /// A `__concat` metamethod that makes the stack grow crashes the process.
    ///
    /// Lua 5.4.4 with Debian's patches has this defect. With such a Lua, every call to a `__concat`
    /// metamethod is an error.
    case concatenation = 1
    /// A comparison as an index key, `t[a < b]`, reads a value that an earlier call left on the
    /// stack.
    ///
    /// With such a Lua, a source that contains this expression does not load.
    case comparedKey = 2
    /// A global after `local _ENV <const> = 1` reads a value that an earlier call left on the
    /// stack.
    ///
    /// With such a Lua, a source that contains this declaration does not load.
    case constantEnvironment = 4
    /// `1 | (a or b)`, in a function with more than 255 constants, reads a value that an earlier
    /// call left on the stack.
    ///
    /// With such a Lua, a source that contains such an expression does not load.
    case lateOperand = 8

    /// The first release without the defect, such as `5.4.8`.
    public var fixedIn: String { self == .comparedKey ? "5.4.8" : "5.4.5" }

    /// A description of the effect, with the release that fixes the defect.
    public var description: String { "\(effect) (fixed in Lua \(fixedIn))" }

    private var effect: String {
        switch self {
        case .concatenation: "a '__concat' metamethod that needs more stack crashes the process"
        case .comparedKey: "a comparison that is used as an index key is compiled incorrectly"
        case .constantEnvironment: "'local _ENV <const>' is compiled incorrectly"
        case .lateOperand:
            "in a function with more than 255 constants, 'and', 'or' or a comparison to the right of '&', '|' or '~' is compiled incorrectly"
        }
    }

    /// A hint about how to avoid the construct.
    package var remedy: String {
        switch self {
        case .concatenation: "concatenate the values in a function, and call this function instead"
        case .comparedKey, .lateOperand: "assign the comparison to a local variable first"
        case .constantEnvironment: "remove '<const>'"
        }
    }
}

extension LuaState {
    /// The defects of the linked Lua.
    ///
    /// The defects are detected once in a process, by short test scripts, when the first state is
    /// opened or this property is first read.
    public static var defects: [LuaDefect] {
        let found = Int(luaroute_defects())
        return LuaDefect.allCases.filter { found & $0.rawValue != 0 }
    }
}

/// A construct in a source that some releases of Lua 5.4 execute wrongly.
package struct LuaConstruct: Sendable, Equatable {
    /// The defect that the construct triggers.
    package let defect: LuaDefect
    /// The line on which the construct ends.
    package let line: Int

    /// Returns the first hundred constructs in a source that some release of Lua executes wrongly,
    /// even if the linked Lua executes them correctly.
    ///
    /// - Complexity: O(*n*) in the length of the source.
    package static func all(in source: [UInt8]) -> [LuaConstruct] {
        let room = 100
        return withUnsafeTemporaryAllocation(of: LuaRouteConstruct.self, capacity: room) { found in
            let count = luaroute_find_constructs(source, source.count, found.baseAddress, room)
            return found.prefix(count).compactMap { construct in
                LuaDefect(rawValue: Int(construct.defect)).map {
                    LuaConstruct(defect: $0, line: Int(construct.line))
                }
            }
        }
    }
}
