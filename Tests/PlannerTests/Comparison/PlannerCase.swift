// SPDX-License-Identifier: MIT

/// A script and the calls to make with it.
struct PlannerCase: Sendable {
    /// A series of calls that begins with a given tree.
    ///
    /// Each call continues with the tree that the previous call left.
    struct Course: Sendable {
        var given: Template
        var deeds: [Deed]
    }

    var seed: UInt64
    var world: World
    var courses: [Course]
}

/// One call of the router.
enum Deed: Sendable {
    /// A reference to a screen.
    enum Reference: Sendable, Hashable {
        /// The topmost screen of a class.
        case topmost(String)
        /// The last screen that was removed from the tree.
        case gone
    }

    /// A navigation.
    struct Navigating: Sendable {
        var target: RouteName
        var info: Info = [:]
        var via: Action?
        var from: Reference?
    }

    case navigate(Navigating)
    case back(Int)
    case popTo(String)
    case popToRoot
    case dismiss
    case dismissAll
    case close(String)
    case select(String)
}

extension Deed {
    /// The word for the verb in scenario files.
    var word: String {
        switch self {
        case .navigate: "navigate"
        case .back: "back"
        case .popTo: "popTo"
        case .popToRoot: "popToRoot"
        case .dismiss: "dismiss"
        case .dismissAll: "dismissAll"
        case .close: "close"
        case .select: "select"
        }
    }

    /// The referenced screen.
    var reference: Reference? {
        switch self {
        case .navigate(let navigating): navigating.from
        case .popTo(let name), .close(let name), .select(let name): .topmost(name)
        case .back, .popToRoot, .dismiss, .dismissAll: nil
        }
    }
}

extension NaiveScreen {
    /// Returns the topmost screen of a class in the sense of leaving verbs.
    ///
    /// Visible screens are above hidden ones, and a screen is below the screens inside it and over
    /// it.
    func topmost(of name: String) -> NaiveScreen? {
        visibleWay(from: topmost.serial).last { $0.name == name } ?? all.last { $0.name == name }
    }
}

/// The state of the naive side in a course: the current tree, and the screens that were removed
/// from it.
struct NaiveRun {
    let world: World
    var planner: NaivePlanner
    private(set) var tree: NaiveScreen
    private var gone: Int?

    /// Begins a course, with a given planner or a new one.
    init(_ course: PlannerCase.Course, _ world: World, _ planner: NaivePlanner? = nil) {
        self.world = world
        self.planner = planner ?? NaivePlanner(world: world)
        tree = self.planner.make(course.given)
    }

    var text: String { tree.notation(world) }

    /// Returns the screen that a deed refers to, or nil if there is none.
    func target(of deed: Deed) -> Int? {
        switch deed.reference {
        case .topmost(let name): tree.topmost(of: name)?.serial
        case .gone: gone
        case nil: nil
        }
    }

    /// Whether the screen that a deed refers to exists.
    func canPerform(_ deed: Deed) -> Bool { deed.reference == nil || target(of: deed) != nil }

    /// Returns the outcome of a deed.
    mutating func outcome(of deed: Deed) -> NaiveOutcome {
        let target = target(of: deed) ?? 0
        switch deed {
        case .navigate(let navigating):
            let request = NaiveRequest(
                target: navigating.target,
                info: navigating.info,
                via: navigating.via,
                from: navigating.from.map { _ in target }
            )
            return planner.navigate(request, in: tree)
        case .back(let count): return planner.leave(.back(count), in: tree)
        case .popTo: return planner.leave(.popTo(target), in: tree)
        case .popToRoot: return planner.leave(.popToRoot, in: tree)
        case .dismiss: return planner.leave(.dismiss, in: tree)
        case .dismissAll: return planner.leave(.dismissAll, in: tree)
        case .close: return planner.leave(.close(target), in: tree)
        case .select: return planner.leave(.select(target), in: tree)
        }
    }

    /// Continues with the tree after a deed.
    mutating func advance(to next: NaiveScreen) {
        let kept = Set(next.all.map(\.serial))
        gone = tree.all.last { !kept.contains($0.serial) }?.serial ?? gone
        tree = next
    }
}

/// The counts of covered features.
struct Coverage: Sendable {
    private(set) var counts: [String: Int] = [:]

    subscript(word: String) -> Int { counts[word] ?? 0 }

    mutating func count(_ word: String) { counts[word, default: 0] += 1 }

    /// Counts the features that took part in a deed.
    ///
    /// If the deed succeeded, they are also counted as successful.
    mutating func count(_ outcome: NaiveOutcome, of deed: Deed) {
        count("deed \(deed.word)")
        if case .navigate = deed { count("end \(outcome.end)") }
        for feature in outcome.features {
            count(feature)
            if outcome.end == "done" { count("\(feature), done") }
        }
    }

    /// The counts, one line for each word.
    var table: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value)\t\($0.key)" }.joined(separator: "\n")
    }
}
