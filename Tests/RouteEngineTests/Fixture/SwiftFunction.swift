// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine

/// A Swift closure in the place of a script function.
final class SwiftFunction: FunctionReference {
    typealias Body = @Sendable (_ call: Call, _ stage: inout Stage) throws -> Value

    /// The name under which ``SwiftScripts/calls`` has it.
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
    /// The parameters of the step whose interceptor it is.
    let linkInfo: InfoTable?

    /// The screen that the function gets, if any.
    var screen: ScreenID? { arguments.lazy.compactMap(\.screen).first }

    /// The parameters that the function gets.
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

    /// Creates a function that always gives the same result.
    static func returning(_ result: Value, _ name: String = "") -> Value {
        closure(name) { _, _ in result }
    }

    /// Creates a function that raises an error of the code `script`.
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

    /// The first screen of a class in the tree.
    func find(_ name: String) -> ScreenID? { tree.first(ofClass: name) }
}

extension ScreenTree {
    /// The first screen of a class, in the order of windows.
    func first(ofClass name: String) -> ScreenID? {
        alive.first { $0.class == name }?.id
    }

    /// All screens that are in a window, holders first.
    var alive: [Screen] {
        var screens: [Screen] = []
        for window in windows { visit(window.root) { screens.append($0) } }
        return screens
    }
}
