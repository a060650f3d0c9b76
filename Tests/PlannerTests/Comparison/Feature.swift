// SPDX-License-Identifier: MIT

/// A part of the language that the generator can leave out.
enum Feature: String, Sendable, CaseIterable {
    case find, from, links, switches, intercept, prepare, adapt
    /// Actions other than the four that a caller can name as a word.
    case actions
    case declaredActions
    /// Containers of a kind that a script declares.
    case containers
    case dismissible
    case routeTrees
    /// A modal over a new screen has an operation of its own.
    case presentsOverNew

    /// What the engine knows.
    static let standing: Set<Feature> = []
}
