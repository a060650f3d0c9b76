// SPDX-License-Identifier: MIT

package import RouteCore
package import RouteEngine

/// A name in a step that refers to an entity in the scripts or in other steps.
///
/// The entries of ``Vocabulary`` record names while they parse a step.
package struct NameReference {
    /// The meaning of a name in a step.
    package enum Meaning {
        /// A route to which the step navigates.
        case route(Target)
        /// A task that the step runs.
        case task(Target)
        /// A host task that the step ends.
        case hostTask(Target)
        /// A host task that the step itself introduces.
        case stub(Target)
        /// A route or a task that is registered.
        case registration(Target)
        /// A service.
        case service(String)
        /// A screen that the step searches for.
        case screen(ScreenNotation)
        /// A screen that the step itself introduces.
        case givenScreen(ScreenNotation)
        /// The class of a screen that the step searches for.
        case screenClass(String)
        case gate(String)
        case interceptor(String)
        case action(String)
        case export(String)
        /// The name of an interceptor, a gate or a task for which a request waits.
        case wait(String)
        /// A parameter of a request or a call.
        case parameter(String)
        /// Text that is passed to the scripts, where it may be used as a name.
        case text(String)
    }

    package let meaning: Meaning
    /// The range of the name in the text of the step.
    package let range: Range<Int>
}

extension StepParser {
    /// Records a name in the step.
    mutating func note(
        _ meaning: @autoclosure () -> NameReference.Meaning,
        _ range: Range<Int>
    ) {
        references?.append(NameReference(meaning: meaning(), range: range))
    }

    /// Records the screens of a tree or a pattern.
    mutating func note(_ screens: [ScreenNotation], areGiven: Bool) {
        guard references != nil else { return }
        for screen in screens.flatMap(\.all) {
            note(areGiven ? .givenScreen(screen) : .screen(screen), screen.nameRange)
            note(screen.fields ?? [])
        }
    }

    /// Records the names of fields and the texts in their values.
    mutating func note(_ fields: [FieldNotation]) {
        guard references != nil else { return }
        for field in fields {
            note(.text(field.name), field.range)
            note(field.notation.value { _ in .nil }, field.range)
        }
    }

    /// Records the parameters that a condition contains.
    mutating func note(parameters: [FieldNotation]) {
        for field in parameters {
            let start = field.range.lowerBound
            note(.parameter(field.name), start..<start + field.name.utf8.count)
        }
    }

    mutating func note(_ value: Value, _ range: Range<Int>) {
        guard references != nil else { return }
        for text in value.texts { note(.text(text), range) }
    }
}

extension ScenarioStep {
    /// The names in the step.
    ///
    /// The step is parsed again whenever this property is read, because only checks need the names.
    package var references: [NameReference] {
        var parser = StepParser(text.bytes, at: range, names: .unknown)
        parser.references = []
        _ = parser.take("maybe")
        guard let index = parser.takeStep(),
            (try? Vocabulary.steps[index].parse(&parser)) != nil
        else { return [] }
        return parser.references ?? []
    }
}

extension TreeNotation {
    /// All screens of the tree, each before its descendants.
    package var allScreens: [ScreenNotation] { levels.flatMap(\.all) }
}

extension ScreenNotation {
    /// The screen and all of its descendants.
    fileprivate var all: [ScreenNotation] {
        (children ?? []).reduce(into: [self]) { screens, child in
            if case .child(let tree, _) = child { screens += tree.allScreens }
        }
    }
}

extension Value {
    /// The texts in the value, at any depth.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): text.text.map { [$0] } ?? []
        case .table(let table):
            table.list.flatMap(\.texts)
                + table.entries.flatMap { entry -> [String] in
                    guard case .string(let key) = entry.key, let text = key.text else {
                        return entry.value.texts
                    }
                    return [text] + entry.value.texts
                }
        default: []
        }
    }
}
