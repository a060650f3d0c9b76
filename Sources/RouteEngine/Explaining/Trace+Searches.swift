// SPDX-License-Identifier: MIT

package import RouteCore

/// Records why finders found a screen, or did not find one.
extension Trace {
    /// Records a finder's search.
    ///
    /// - Parameters:
    ///   - finder: The finder.
    ///   - info: The parameters with which the finder compares fields.
    ///   - purpose: The purpose of the search.
    ///   - step: The step for which the finder searches.
    ///   - start: The screen at which the search starts; nil if nothing is searched.
    ///   - found: The screen that was found, if any.
    ///   - stage: The stage of the navigation.
    package func notes(
        _ finder: Finder,
        with info: InfoTable,
        purpose: Purpose,
        of step: Step?,
        from start: ScreenID?,
        found: ScreenID?,
        in stage: borrowing Stage
    ) {
        var search = Explanation.Search(purpose: purpose.title, finder: finder.title)
        search.found = found.map { stage.notation(of: $0) }
        if let start {
            // There may be thousands of screens, so only the first screens are listed, and the
            // others are counted.
            var screens: [Screen] = []
            _ = stage.tree.first(from: start, finder.scope, topDown: finder.isTopDown) { screen in
                screens.append(screen)
                return screen.id == found
            }
            for screen in screens {
                visit(screen, finder: finder, with: info, found: found, search: &search, in: stage)
            }
        } else if found == nil {
            search.note =
                finder.isNever
                ? "the finder 'never' finds no screen"
                : finder.screen == nil && !finder.isPresenter
                    ? "'start' returns no screen of the tree" : "there is no such screen"
        }
        add(search, to: step)
    }

    /// Records a reuse policy's search in a stack.
    package func notes(
        _ step: Step,
        with info: InfoTable,
        in stack: ScreenID?,
        found: ScreenID?,
        stage: borrowing Stage
    ) {
        let policy = step.reuse
        guard let finder = policy.finder(among: stage.world.learnedClasses.classes(of: step)) else {
            return
        }
        // If the policy has a function, only the function decides which screen of a stack is
        // reused.
        let rule = finder.match == nil ? finder : nil
        var search = Explanation.Search(purpose: "reuse", finder: policy.title)
        search.found = found.map { stage.notation(of: $0) }
        if let stack, let screens = stage.tree.screen(stack)?.children {
            let isTop = if case .top = policy.kind { true } else { false }
            for id in screens.reversed().prefix(isTop ? 1 : screens.count) {
                visit(
                    stage.tree[id],
                    finder: rule,
                    with: info,
                    found: found,
                    search: &search,
                    in: stage
                )
                if id == found { break }
            }
        } else {
            search.note = "there is no existing stack to search"
        }
        add(search, to: step)
    }

    /// Records the search that a script makes with `router.reuse`.
    package func notesReuse(
        among screens: some Sequence<ScreenID>,
        _ found: ScreenID?,
        at location: RouteError.Location?,
        of step: Step?,
        in stage: borrowing Stage
    ) {
        var search = Explanation.Search(
            purpose: Purpose.provider.title,
            finder: "router.reuse" + (location.map { " at \($0)" } ?? "")
        )
        search.found = found.map { stage.notation(of: $0) }
        for id in screens {
            visit(
                stage.tree[id],
                finder: nil,
                with: InfoTable(),
                found: found,
                search: &search,
                in: stage
            )
            if id == found { break }
        }
        add(search, to: step)
    }

    private func visit(
        _ screen: Screen,
        finder: Finder?,
        with info: InfoTable,
        found: ScreenID?,
        search: inout Explanation.Search,
        in stage: borrowing Stage
    ) {
        guard search.visits.count < Explanation.visitLimit else {
            search.more += 1
            return
        }
        search.visits.append(
            Explanation.Visit(
                screen: stage.notation(of: screen.id),
                reason: screen.id == found
                    ? nil
                    : finder?.objection(to: screen, info, stage.declarations.classes)
                        ?? "the function rejects the screen"
            )
        )
    }

    private func add(_ search: Explanation.Search, to step: Step?) {
        edit(step) { $0.searches.append(search) }
    }
}

extension ReusePolicy {
    /// The description of the policy, for messages.
    fileprivate var title: String {
        switch kind {
        case .never: "'never'"
        case .sameClass: "'class'"
        case .top: "'top'"
        case .fields(let fields): "by \(fields.joined(separator: ", "))"
        case .function: "the screen that a function accepts"
        }
    }
}

extension Finder {
    /// Returns the reason why a screen does not match; nil if the screen meets all conditions
    /// except ``match``, which is not called.
    fileprivate func objection(
        to candidate: Screen,
        _ info: InfoTable,
        _ declared: ScreenClasses
    ) -> String? {
        switch mismatch(candidate, info) {
        case nil: return nil
        case .class:
            let names = `class`.map { [$0] } ?? classes ?? []
            return "its class is not \(names.joined(separator: " or "))"
        case .foreign: return "foreign screens are found only by their class"
        case .kind: return "its kind is \(candidate.kind.rawValue), not \(kind?.rawValue ?? "")"
        case .field(let index):
            let name = fields[index]
            let (has, asked) = (candidate.fields[name], info[name])
            if has.isNil { return "the screen has no '\(name)'" }
            if asked.isNil { return "the parameters have no '\(name)'" }
            if declared.privateNames.contains(name) { return "'\(name)' differs" }
            let printer = NotationPrinter()
            let texts = [has, asked].map { printer.value($0).shortened(to: 60) }
            return "'\(name)' is \(texts[0]), not \(texts[1])"
        }
    }
}
