// SPDX-License-Identifier: MIT

/// What is registered under a target, for people: lists, documentation, editors.
public struct RouteDescription: Sendable {
    /// The service and the task.
    public let target: Target
    /// The line that registers it.
    public let place: RouteError.Location?
    /// Whether it is a piece of work without a screen.
    public let isTask: Bool
    /// The patterns of its URLs, as the script writes them.
    public let urls: [String]
    /// The classes of its screens, as far as they are known before it has run.
    public let screens: [String]
    /// Which screen it goes back to instead of building one, in the words of a definition:
    /// `class`, `top`, `by showId`, `function`; nil where it always builds one, or its provider decides.
    public let reuse: String?
    /// The names of its interceptors; one that stands in the definition is called `intercept`.
    public let interceptors: [String]
    /// Who may ask; nil for everybody.
    public let origins: [Origin]?
}

extension RouteDescription {
    init(_ target: Target, _ registration: Registration) {
        self.target = target
        place = registration.place
        switch registration {
        case .screen(let step):
            isTask = false
            urls = step.urls
            screens = step.screenClasses
            reuse = step.reuse.words
            interceptors = step.intercept.map { interceptor in
                if case .named(let name) = interceptor { name } else { "intercept" }
            }
            origins = step.origins.map { origins in Origin.allCases.filter(origins.contains) }
        case .task:
            isTask = true
            (urls, screens, reuse, interceptors, origins) = ([], [], nil, [], nil)
        }
    }
}

extension ReusePolicy {
    /// The policy in the words of a definition; nil for the one that recycles nothing.
    fileprivate var words: String? {
        let words: String
        switch kind {
        case .never: return nil
        case .sameClass: words = "class"
        case .top: words = "top"
        case .fields(let names): words = "by \(names.joined(separator: ", "))"
        case .function: words = "function"
        }
        return moves ? "\(words), move" : words
    }
}
