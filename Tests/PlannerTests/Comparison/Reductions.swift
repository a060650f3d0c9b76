// SPDX-License-Identifier: MIT

// Each property lists versions with one part removed, the largest parts first.

extension PlannerCase {
    var reductions: [PlannerCase] {
        var result: [PlannerCase] = []
        for list in courses.reductions({ $0.reductions }) where !list.isEmpty {
            result.append(changed { $0.courses = list })
        }
        result += world.reductions(keeping: courses).map { world in changed { $0.world = world } }
        return result + shortcuts
    }

    /// Versions without a route to which deeds navigate.
    ///
    /// The deeds navigate to one of the route's successors instead.
    ///
    /// The number of routes decreases with each version, so the reduction ends even if routes form
    /// a cycle.
    private var shortcuts: [PlannerCase] {
        let targets = Set(courses.flatMap(\.targets))
        let others = world.routes.map { ($0.name, world.leads($0)) }
        return world.routes.indices.reversed().flatMap { index -> [PlannerCase] in
            let name = world.routes[index].name
            guard targets.contains(name),
                !others.contains(where: { $0.0 != name && $0.1.contains(name) })
            else { return [] }
            return world.leads(world.routes[index]).filter { $0 != name }.map { next in
                changed {
                    $0.world.routes.remove(at: index)
                    for course in $0.courses.indices { $0.courses[course].lead(name, to: next) }
                }
            }
        }
    }
}

extension PlannerCase.Course {
    /// The routes to which deeds navigate.
    fileprivate var targets: [RouteName] {
        deeds.compactMap { deed in
            if case .navigate(let navigating) = deed { navigating.target } else { nil }
        }
    }

    /// Replaces a target of deeds with another one.
    fileprivate mutating func lead(_ name: RouteName, to other: RouteName) {
        deeds = deeds.map { deed in
            guard case .navigate(let navigating) = deed, navigating.target == name else {
                return deed
            }
            return .navigate(navigating.changed { $0.target = other })
        }
    }
}

extension PlannerCase.Course {
    fileprivate var reductions: [Self] {
        deeds.reductions { $0.reductions }.map { list in changed { $0.deeds = list } }
            + given.reductions.map { tree in changed { $0.given = tree } }
    }
}

extension Deed {
    fileprivate var reductions: [Deed] {
        guard case .navigate(let navigating) = self else { return [] }
        var result: [Deed.Navigating] = []
        if navigating.via != nil { result.append(navigating.changed { $0.via = nil }) }
        if navigating.from != nil { result.append(navigating.changed { $0.from = nil }) }
        result += navigating.info.less.map { info in navigating.changed { $0.info = info } }
        return result.map { .navigate($0) }
    }
}

extension Template {
    fileprivate var reductions: [Template] {
        var result = modals + children
        if !modals.isEmpty { result.append(changed { $0.modals = [] }) }
        for (index, child) in children.enumerated() {
            result.append(
                changed {
                    $0.children.remove(at: index)
                    if $0.selected > index || $0.selected == $0.children.count {
                        $0.selected = max(0, $0.selected - 1)
                    }
                }
            )
            for smaller in child.reductions {
                result.append(changed { $0.children[index] = smaller })
            }
        }
        for modal in modals {
            for smaller in modal.reductions { result.append(changed { $0.modals = [smaller] }) }
        }
        return result + fields.less.map { fields in changed { $0.fields = fields } }
    }
}

extension World {
    fileprivate func reductions(keeping courses: [PlannerCase.Course]) -> [World] {
        var result: [World] = []
        var called = Set(courses.flatMap(\.targets))
        for route in routes { called.formUnion(route.step.routes) }
        for case .redirects(let target, _) in interceptors.map(\.outcome) { called.insert(target) }
        for index in routes.indices where !called.contains(routes[index].name) {
            result.append(changed { $0.routes.remove(at: index) })
        }
        let used = Set(routes.flatMap(\.step.interceptors))
        for (index, interceptor) in interceptors.enumerated() {
            if interceptor.everywhere != nil {
                result.append(changed { $0.interceptors[index].everywhere = nil })
                if interceptor.everywhere?.services != .all {
                    result.append(changed { $0.interceptors[index].everywhere?.services = .all })
                }
            } else if !used.contains(interceptor.name) {
                result.append(changed { $0.interceptors.remove(at: index) })
            }
            if interceptor.prepare != nil {
                result.append(changed { $0.interceptors[index].prepare = nil })
            }
            if interceptor.outcome != .passes {
                result.append(changed { $0.interceptors[index].outcome = .passes })
            }
            if interceptor.condition != .always {
                result.append(changed { $0.interceptors[index].condition = .always })
            }
        }
        if updateAll != nil { result.append(changed { $0.updateAll = nil }) }
        if hasAfterAll { result.append(changed { $0.hasAfterAll = false }) }
        let asked = courses.flatMap(\.deeds).compactMap { deed in
            if case .navigate(let navigating) = deed { navigating.via } else { nil }
        }
        let actions = Set((routes.flatMap(\.step.actions) + asked).map(\.word))
        for (index, action) in self.actions.enumerated() where !actions.contains(action.name) {
            result.append(changed { $0.actions.remove(at: index) })
        }
        for index in routes.indices {
            for step in routes[index].step.reductions {
                result.append(changed { $0.routes[index].step = step })
            }
        }
        for index in classes.indices {
            if classes[index].dismissible != .always {
                result.append(changed { $0.classes[index].dismissible = .always })
            }
            for fields in classes[index].fields.reductions({ _ in [] }) {
                result.append(changed { $0.classes[index].fields = fields })
            }
            // A class without a declaration is a leaf too.
            if classes[index] == ClassDeclaration(name: classes[index].name, kind: .leaf) {
                result.append(changed { $0.classes.remove(at: index) })
            }
        }
        let text = LuaWriter.script(self) + courses.map { "\($0)" }.joined()
        for index in classes.indices where classes[index].kind.shows != nil {
            let name = classes[index].name
            if text.components(of: "\"\(name)\"") == 1 {
                result.append(changed { $0.classes.remove(at: index) })
            }
        }
        return result
    }
}

extension World {
    /// Returns the routes to which a route leads, by its steps or by its interceptors.
    fileprivate func leads(_ route: Route) -> [RouteName] {
        let names = route.step.interceptors
        let redirects = interceptors.compactMap { interceptor -> RouteName? in
            guard names.contains(interceptor.name) || interceptor.everywhere != nil,
                case .redirects(let target, _) = interceptor.outcome
            else { return nil }
            return target
        }
        return route.step.routes + redirects
    }
}

extension Step {
    fileprivate var reductions: [Step] {
        var result: [Step] = []
        func without(_ isSet: Bool, _ change: (inout Step) -> Void) {
            if isSet { result.append(changed(change)) }
        }
        without(find != nil) { $0.find = nil }
        without(reuse != nil) { $0.reuse = nil }
        without(prepare != nil) { $0.prepare = nil }
        without(adapt != nil) { $0.adapt = nil }
        without(update != nil) { $0.update = nil }
        without(hasAfter) { $0.hasAfter = false }
        without(from != nil) { $0.from = nil }
        without(via != nil) { $0.via = nil }
        without(info != nil) { $0.info = nil }
        without(!intercept.isEmpty) { $0.intercept = [] }
        without(build != nil && form != .container) { $0.build = nil }
        without(reuse?.moves == true) { $0.reuse?.moves = false }
        without(reuse?.search != nil) { $0.reuse?.search = nil }
        without(reuse?.start != nil) { $0.reuse?.start = nil }
        for list in (info ?? []).reductions({ _ in [] }) {
            result.append(changed { $0.info = list })
        }
        for smaller in from?.reductions ?? [] { result.append(changed { $0.from = smaller }) }
        for smaller in find?.reductions ?? [] { result.append(changed { $0.find = smaller }) }
        for smaller in build?.reductions ?? [] { result.append(changed { $0.build = smaller }) }
        for smaller in via?.reductions ?? [] { result.append(changed { $0.via = smaller }) }
        for smaller in adapt?.less ?? [] { result.append(changed { $0.adapt = smaller }) }
        return result
    }

    /// The routes that the value names.
    fileprivate var routes: [RouteName] {
        (from?.routes ?? []) + (build?.routes ?? [])
    }

    fileprivate var interceptors: [String] {
        intercept + (from?.steps ?? []).flatMap(\.interceptors)
    }

    fileprivate var actions: [Action] {
        (via.map { [$0] } ?? []) + (build?.actions ?? [])
            + (from?.steps ?? []).flatMap(\.actions)
    }
}

extension Build {
    fileprivate var reductions: [Build] {
        switch self {
        case .screen(let name, let sources, let condition):
            (condition == .always ? [] : [.screen(name, sources, when: .always)])
                + sources.less.map { .screen(name, $0, when: condition) }
        case .recycling(let name, let match, let sources):
            [.screen(name, sources, when: .always)]
                + (match.field == nil
                    ? [] : [.recycling(name, Match(name: match.name, field: nil), sources)])
                + sources.less.map { .recycling(name, match, $0) }
        case .template(let template): template.reductions.map { .template($0) }
        case .routes(let tree): tree.reductions.map { .routes($0) }
        case .empty: []
        }
    }

    fileprivate var routes: [RouteName] {
        if case .routes(let tree) = self { tree.routes } else { [] }
    }

    fileprivate var actions: [Action] {
        if case .routes(let tree) = self { tree.actions } else { [] }
    }
}

extension RouteTree {
    fileprivate var reductions: [RouteTree] {
        switch self {
        case .screen(let name, let fields): fields.less.map { .screen(name, $0) }
        case .container(let name, let children, let selected):
            (selected == 0 ? [] : [.container(name, children, selected: 0)])
                + children.reductions { $0.reductions }.map {
                    .container(name, $0, selected: min(selected, max(0, $0.count - 1)))
                }
        case .route(let name, let adapt, let via):
            (adapt == nil ? [] : [.route(name, adapt: nil, via: via)])
                + (via == nil ? [] : [.route(name, adapt: adapt, via: nil)])
        }
    }

    fileprivate var routes: [RouteName] {
        switch self {
        case .screen: []
        case .container(_, let children, _): children.flatMap(\.routes)
        case .route(let name, _, _): [name]
        }
    }

    fileprivate var actions: [Action] {
        switch self {
        case .screen: []
        case .container(_, let children, _): children.flatMap(\.actions)
        case .route(_, _, let via): via.map { [$0] } ?? []
        }
    }
}

extension Action {
    fileprivate var reductions: [Action] {
        switch self {
        case .present(let start, let isContextual):
            (start == .current ? [] : [.present(start: .current, contextual: isContextual)])
                + (isContextual ? [.present(start: start, contextual: false)] : [])
        case .addTab(let at?, let replacing):
            [.addTab(at: nil, replacing: false)]
                + (replacing ? [.addTab(at: at, replacing: false)] : [])
        default: []
        }
    }
}

extension Start {
    fileprivate var reductions: [Start] {
        switch self {
        case .current, .root, .route: return []
        case .finder(let finder): return finder.reductions.map { .finder($0) }
        case .function(let condition, let start):
            return [start]
                + (condition == .always ? [] : [.function(.always, start)])
                + start.reductions.map { .function(condition, $0) }
        case .step(let step):
            return [.current] + (step.from.map { [$0] } ?? []) + step.reductions.map { .step($0) }
        case .choice(let cases, let other):
            var result = cases.map(\.from).filter { if case .function = $0 { false } else { true } }
            if let other {
                result += [other, .choice(cases, default: nil)]
                result += other.reductions.map { .choice(cases, default: $0) }
            }
            let lists = cases.reductions { choice in
                choice.from.reductions.map { Case(when: choice.when, from: $0) }
            }
            return result + lists.filter { !$0.isEmpty }.map { .choice($0, default: other) }
        }
    }

    fileprivate var routes: [RouteName] {
        switch self {
        case .current, .root, .finder: []
        case .route(let name): [name]
        case .function(_, let start): start.routes
        case .step(let step): step.routes
        case .choice(let cases, let other): cases.flatMap(\.from.routes) + (other?.routes ?? [])
        }
    }
}

extension Finder {
    fileprivate var reductions: [Finder] {
        switch self {
        case .never, .name, .presenting: return []
        case .function(let match):
            guard let name = match.name else { return [] }
            return [.name(name)]
        case .table(let table):
            var result: [TableFinder] = []
            if table.match != nil { result.append(table.changed { $0.match = nil }) }
            if !table.by.isEmpty { result.append(table.changed { $0.by = [] }) }
            if table.search != nil { result.append(table.changed { $0.search = nil }) }
            if table.start != nil { result.append(table.changed { $0.start = nil }) }
            if table.isTopDown { result.append(table.changed { $0.isTopDown = false }) }
            if table.kind != nil { result.append(table.changed { $0.kind = nil }) }
            return (table.name.map { [.name($0)] } ?? []) + result.map { .table($0) }
        }
    }
}

// MARK: Tools

/// A value that can be changed in a copy.
private protocol Changeable {}

extension Changeable {
    fileprivate func changed(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension PlannerCase: Changeable {}
extension PlannerCase.Course: Changeable {}
extension Deed.Navigating: Changeable {}
extension Template: Changeable {}
extension World: Changeable {}
extension Step: Changeable {}
extension TableFinder: Changeable {}

extension Array {
    /// Returns versions of the list in which one element is removed, and then versions in which one
    /// element is smaller.
    fileprivate func reductions(_ smaller: (Element) -> [Element]) -> [[Element]] {
        var result: [[Element]] = []
        for index in indices.reversed() {
            var copy = self
            copy.remove(at: index)
            result.append(copy)
        }
        for index in indices {
            for element in smaller(self[index]) {
                var copy = self
                copy[index] = element
                result.append(copy)
            }
        }
        return result
    }
}

extension Dictionary where Key == String {
    /// Versions without one entry.
    fileprivate var less: [Self] {
        keys.sorted().map { key in
            var copy = self
            copy[key] = nil
            return copy
        }
    }
}

extension String {
    /// Returns the number of occurrences of a text.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
