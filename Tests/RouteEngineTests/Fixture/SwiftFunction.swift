// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine

/// A Swift closure that replaces a script function.
final class SwiftFunction: FunctionReference {
    typealias Body = @Sendable (_ call: Call, _ stage: inout Stage) throws -> Value

    /// The name of the function in ``SwiftScripts/calls``.
    let name: String
    let body: Body

    init(_ name: String, _ body: @escaping Body) { (self.name, self.body) = (name, body) }

    func isSame(as other: any FunctionReference) -> Bool { self === other }
}

/// One call of a function.
struct Call {
    let name: String
    let arguments: [Value]
    let context: CallContext
    /// The parameters of the step to which the interceptor belongs; nil for other functions.
    let linkInfo: InfoTable?

    /// The screen that the function receives; nil if it receives none.
    var screen: ScreenID? { arguments.lazy.compactMap(\.screen).first }

    /// The parameters that the function receives.
    var info: InfoTable {
        for case .table(let table) in arguments { return table }
        return InfoTable()
    }
}

extension Value {
    /// Creates a function.
    static func closure(_ name: String = "", _ body: @escaping SwiftFunction.Body) -> Value {
        .function(SwiftFunction(name, body))
    }

    /// Creates a function that always returns the given result.
    static func returning(_ result: Value, _ name: String = "") -> Value {
        closure(name) { _, _ in result }
    }

    /// Creates a function that raises an error with the code `script`.
    static func raising(_ message: String) -> Value {
        closure("raises") { _, _ in throw RouteError(.script, message) }
    }

    /// Creates a function that builds new screens from tree notation.
    static func building(_ notation: String) -> Value {
        closure("build") { _, stage in .screen(try stage.build(notation)) }
    }
}

extension Stage {
    /// Builds detached screens from tree notation.
    mutating func build(_ notation: String) throws -> ScreenID {
        try TreeNotation(notation).build(into: &tree, classes: declarations.classes)
    }

    /// Returns the first screen of a class in the tree.
    func find(_ name: String) -> ScreenID? { tree.first(ofClass: name) }
}

extension ScreenTree {
    /// Returns the first screen of a class, in the order of the windows.
    func first(ofClass name: String) -> ScreenID? {
        alive.first { $0.class == name }?.id
    }

    /// All screens that are in a window.
    ///
    /// Each screen comes after the screen that contains or presents it.
    var alive: [Screen] {
        var screens: [Screen] = []
        for window in windows { visit(window.root) { screens.append($0) } }
        return screens
    }
}
