// SPDX-License-Identifier: MIT

extension NaiveNavigation {
    mutating func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    /// Performs one step on the stage.
    ///
    /// - Returns: The reached screen, or nil if the step neither finds nor builds one.
    mutating func perform(_ planned: Planned, at place: Int, on stage: inout NaiveScreen)
        throws(Failure) -> Int?
    {
        let step = planned.step
        guard let build = step.build else {
            guard let finder = step.find else { return nil }
            guard let found = stage.find(finder, planned.view) else {
                throw Failure("composition")
            }
            features.insert("found on stage")
            try stage.reveal(found.serial)
            try fill(&stage, found.serial, planned)
            visit(found, step)
            return found.serial
        }
        let action = action(of: planned)
        features.formUnion(["action \(action.word)", "build \(build.word)"])
        if let standing = try recycled(build, planned, at: place, on: &stage) { return standing }
        var new = try made(build, planned.view)
        try learn(new, planned, at: place, on: stage)
        try fill(&new, new.serial, planned)
        try integrate(&new, by: action, at: place, planned.view, on: &stage)
        visit(new, step, isDetached: action == .nowhere)
        // A screen that is placed below the top of a stack remains there.
        if stage.holds(new.serial) { try stage.uncoverAndSelect(new.serial) }
        return new.serial
    }

    /// Sets the parameters of the step as fields, then runs the updates.
    ///
    /// A screen of a declared class gets only the declared fields. A leaf of an undeclared class
    /// that was built from a template gets all parameters. If the target's screen existed before,
    /// an absent parameter clears the field of the screen.
    mutating func fill(_ tree: inout NaiveScreen, _ serial: Int, _ planned: Planned)
        throws(Failure)
    {
        let world = world
        let step = planned.step
        let isNew = !self.tree.holds(serial)
        try tree.edit(serial) { screen in
            let declaration = world.classes.first { $0.name == screen.name }
            var isOpen = false
            if case .template? = step.build { isOpen = declaration == nil && screen.kind == .leaf }
            for parameter in step.info ?? []
            where isOpen || declaration?.fields.contains(parameter.name) == true {
                let datum = planned.view[parameter.name]
                if datum != nil || (!isNew && planned.isTarget) {
                    screen.fields[parameter.name] = datum
                }
            }
        }
        try updateForAll(&tree, serial, planned.view)
        if let update = step.update {
            if step.form == .container { features.insert("container update") }
            trace.append("update:\(step.label)")
            features.insert("update")
            try tree.set(update, on: serial, planned.view)
        }
        written[serial] = tree.screen(serial)?.fields
    }

    /// Runs the update that applies to the screens of all steps.
    mutating func updateForAll(_ tree: inout NaiveScreen, _ serial: Int, _ view: Info)
        throws(Failure)
    {
        guard let update = world.updateAll else { return }
        trace.append("updateAll:\(tree.screen(serial)?.name ?? "")")
        try tree.set(update, on: serial, view)
    }

    // MARK: Building

    /// Returns the existing screen of the stack that a provider reuses.
    ///
    /// If the step pushes, the stack is popped to this screen.
    private mutating func recycled(
        _ build: Build,
        _ planned: Planned,
        at place: Int,
        on stage: inout NaiveScreen
    ) throws(Failure) -> Int? {
        let action = action(of: planned)
        guard case .recycling(_, let match, let sources) = build,
            [.push, .pushAsRoot, .pushReplacingLast].contains(action),
            let nav = stage.container(from: place, { $0.kind == .nav }),
            let found = nav.children.last(where: { match.accepts($0, planned.view) })
        else { return nil }
        for (name, source) in sources {
            let datum = try source.read(planned.view)
            try stage.edit(found.serial) { $0.fields[name] = datum }
        }
        try fill(&stage, found.serial, planned)
        // A screen has one position: only a push can use an existing one.
        guard action == .push else { throw Failure("composition") }
        features.insert("recycled")
        visit(found, planned.step)
        try stage.reveal(found.serial)
        return found.serial
    }

    private mutating func made(_ build: Build, _ view: Info) throws(Failure) -> NaiveScreen {
        switch build {
        case .screen(let name, let sources, let condition):
            guard condition.holds(view) else {
                features.insert("build nil")
                throw Failure("badInfo")
            }
            return make(name, try sources.read(view))
        case .recycling(let name, _, let sources):
            return make(name, try sources.read(view))
        case .template(let template):
            var planner = NaivePlanner(world: world, lastSerial: lastSerial)
            defer { lastSerial = planner.lastSerial }
            return planner.make(template)
        case .empty(let name):
            return make(name, [:])
        case .routes(let tree):
            return try made(tree, view)
        }
    }

    private mutating func make(_ name: String, _ fields: Info) -> NaiveScreen {
        NaiveScreen(
            serial: nextSerial(),
            name: name,
            kind: world.declaration(of: name).kind,
            fields: fields
        )
    }

    private mutating func made(_ tree: RouteTree, _ view: Info) throws(Failure) -> NaiveScreen {
        switch tree {
        case .screen(let name, let fields):
            return make(name, fields)
        case .container(let name, let children, let selected):
            var container = make(name, [:])
            for child in children {
                var screen = try made(child, view)
                if case .route(_, _, let via?) = child {
                    guard let needed = world.container(for: via), needed(container) else {
                        throw Failure("typeMismatch")
                    }
                    features.insert("leaf via")
                    let place = container.serial
                    try integrate(&screen, by: via, at: place, view, on: &container)
                } else {
                    try container.setChildren(container.children + [screen])
                }
            }
            if selected < container.children.count { container.selected = selected }
            return container
        case .route(let name, let adapt, _):
            let planned = try leaf(name, adapt, view)
            guard let build = planned.step.build else { throw Failure("composition") }
            var screen = try made(build, planned.view)
            try fill(&screen, screen.serial, planned)
            visit(screen, planned.step)
            return screen
        }
    }

    // MARK: Integrating

    private mutating func integrate(
        _ new: inout NaiveScreen,
        by action: Action,
        at place: Int,
        _ view: Info,
        on stage: inout NaiveScreen
    ) throws(Failure) {
        let screen = new
        switch action {
        case .push:
            try stage.change(place, { $0.kind == .nav }) { $0 + [screen] }
        case .pushAsRoot:
            try stage.change(place, { $0.kind == .nav }) { _ in [screen] }
        case .pushReplacingLast:
            try stage.change(place, { $0.kind == .nav }) { $0.dropLast() + [screen] }
        case .replaceLast:
            try stage.change(place, { $0.kind.word == "container" }) { $0.dropLast() + [screen] }
        case .addTab(let at, let replacing):
            try stage.change(place, { $0.kind == .tabs }) { list in
                guard let at, at >= 1, at <= list.count else { return list + [screen] }
                var list = list
                if replacing { list.remove(at: at - 1) }
                list.insert(screen, at: at - 1)
                return list
            }
        case .setAsPrimary:
            try stage.change(place, { $0.kind == .split }) { [screen] + $0.dropFirst() }
        case .pushToDetails:
            try stage.change(place, { $0.kind == .split }) { list throws(Failure) in
                guard let primary = list.first else { throw Failure("composition") }
                return [primary, screen]
            }
        case .pushOnToDetails:
            try pushOnToDetails(screen, at: place, on: &stage)
        case .present(let start, let isContextual):
            let presenter =
                switch start {
                case .current: place
                case .topmostParent: stage.wayInLevel(to: place).first?.screen.serial ?? place
                case .finder(let finder): try stage.find(finder, view).orComposition.serial
                }
            try stage.present(screen, from: presenter, isContextual: isContextual)
        case .presentWithNav:
            var nav = make("nav", [:])
            nav.children = [screen]
            try stage.present(nav, from: place, isContextual: false)
        case .replaceRoot:
            guard place == stage.serial else { throw Failure("composition") }
            stage = screen
        case .declared(let name):
            try perform(name, screen, at: place, view, on: &stage)
        case .nowhere:
            break
        }
    }

    private func pushOnToDetails(
        _ screen: NaiveScreen,
        at place: Int,
        on stage: inout NaiveScreen
    ) throws(Failure) {
        try stage.change(place, { $0.kind == .split }) { list throws(Failure) in
            guard let primary = list.first else { throw Failure("composition") }
            guard list.count > 1 else {
                guard screen.kind == .nav else { throw Failure("composition") }
                return [primary, screen]
            }
            var detail = list[1]
            guard detail.kind == .nav, screen.kind != .nav else { throw Failure("composition") }
            detail.children.append(screen)
            return [primary, detail]
        }
    }

    private mutating func perform(
        _ name: String,
        _ screen: NaiveScreen,
        at place: Int,
        _ view: Info,
        on stage: inout NaiveScreen
    ) throws(Failure) {
        guard let declared = world.actions.first(where: { $0.name == name }) else {
            throw Failure("script")
        }
        var place = place
        if let needs = declared.needs {
            guard let container = stage.container(from: place, { $0.satisfies(needs) }) else {
                throw Failure("typeMismatch")
            }
            place = container.serial
        }
        switch declared.body {
        case .act(let action):
            var screen = screen
            try integrate(&screen, by: action, at: place, view, on: &stage)
        case .prepend:
            try stage.edit(place) { container throws(Failure) in
                try container.setChildren([screen] + container.children)
            }
        case .below:
            features.insert("action below")
            try stage.edit(place) { container throws(Failure) in
                var list = container.children
                list.insert(screen, at: max(0, list.count - 1))
                try container.setChildren(list)
            }
        case .replace:
            try stage.edit(place) { container throws(Failure) in
                try container.setChildren([screen])
            }
        }
    }
}

extension Optional {
    /// The wrapped value.
    ///
    /// - Throws: `composition` if it is nil.
    fileprivate var orComposition: Wrapped {
        get throws(Failure) {
            guard let self else { throw Failure("composition") }
            return self
        }
    }
}

extension World {
    /// Returns the condition for the container that an action needs; nil if the action needs no
    /// container.
    func container(for action: Action) -> ((NaiveScreen) -> Bool)? {
        switch action {
        case .push, .pushAsRoot, .pushReplacingLast: return { $0.kind == .nav }
        case .addTab: return { $0.kind == .tabs }
        case .setAsPrimary, .pushToDetails, .pushOnToDetails: return { $0.kind == .split }
        case .replaceLast: return { $0.kind.word == "container" }
        case .present, .presentWithNav, .nowhere, .replaceRoot: return nil
        case .declared(let name):
            guard let needs = actions.first(where: { $0.name == name })?.needs else { return nil }
            return { $0.satisfies(needs) }
        }
    }
}

extension NaiveScreen {
    /// Returns whether the screen has the kind that a declared action needs, or otherwise the
    /// class.
    func satisfies(_ needs: String) -> Bool {
        ["leaf", "nav", "tabs", "split", "container", "foreign"].contains(needs)
            ? kind.word == needs : name == needs
    }

    /// Sets the field of an update on a screen.
    fileprivate mutating func set(_ update: Update, on serial: Int, _ view: Info)
        throws(Failure)
    {
        let datum = try update.source.read(view)
        try edit(serial) { $0.fields[update.field] = datum }
    }

    /// Changes the children of the container that an action needs, starting at a place.
    fileprivate mutating func change(
        _ place: Int,
        _ fits: (NaiveScreen) -> Bool,
        _ change: ([NaiveScreen]) throws(Failure) -> [NaiveScreen]
    ) throws(Failure) {
        guard let container = container(from: place, fits) else { throw Failure("typeMismatch") }
        let list = try change(container.children)
        try edit(container.serial) { container throws(Failure) in
            try container.setChildren(list)
        }
    }

    /// Presents a screen from another one, or from the root of its level.
    fileprivate mutating func present(_ new: NaiveScreen, from serial: Int, isContextual: Bool)
        throws(Failure)
    {
        guard let levelRoot = wayInLevel(to: serial).first?.screen.serial else {
            throw Failure("composition")
        }
        let presenter = isContextual ? serial : levelRoot
        try edit(presenter) { screen throws(Failure) in
            guard screen.modals.isEmpty else { throw Failure("composition") }
            screen.modals = [new]
        }
    }
}

extension Build {
    /// The word for the form of the value.
    var word: String {
        switch self {
        case .screen: "function"
        case .recycling: "recycling"
        case .template: "template"
        case .routes: "routes"
        case .empty: "empty"
        }
    }
}
