// SPDX-License-Identifier: MIT

import LuaRouteObservation
import LuaRouting
import ScenarioTesting
import Testing

/// Tests of the model with the suite for all hosts.
@MainActor
struct ConformanceTests {
    private func account(of id: ScreenID, in model: RouterModel) -> ShownScreen {
        let screen = model[screen: id]
        let fields = screen?.fields ?? Fields()
        let modal = model[sheet: id] ?? model[cover: id] ?? model[contextual: id]
        return ShownScreen(
            screen?.class ?? "none",
            fields: Dictionary(uniqueKeysWithValues: fields.names.map { ($0, fields[$0]) }),
            children: screen?.children.map { account(of: $0, in: model) } ?? [],
            selection: model[selection: id].flatMap { screen?.children.firstIndex(of: $0) },
            modal: modal.map { account(of: $0.id, in: model) }
        )
    }

    /// Sets a binding as the view of an app does after an action of the user.
    private func act(_ model: RouterModel, _ report: Report) {
        switch report {
        case .children(let children, let container):
            if model[detail: container] == nil {
                model[path: container] = Array(children.dropFirst())
            } else {
                model[detail: container] = nil
            }
        case .reselected(let tabs): model[selection: tabs] = model[selection: tabs]
        case .selected(let tab): model[selection: model[screen: tab]?.parent ?? tab] = tab
        case .dismissed(let presenter):
            model[sheet: presenter] = nil
            model[cover: presenter] = nil
            model[contextual: presenter] = nil
        default: model.report(report)
        }
    }

    private func makeModel(_ router: Router) -> RouterModel {
        let model = RouterModel()
        model.connect(to: router)
        model.onIgnoredSet = { reason in
            // A guarded screen stays.
            if reason == "the screen cannot be dismissed" { return }
            Issue.record("a set is ignored: \(reason)")
        }
        return model
    }

    private func windows(of model: RouterModel) -> [ShownWindow] {
        model.windows.map { ShownWindow($0.name, root: account(of: $0.root, in: model)) }
    }

    @Test("the model passes the host conformance test, even when the user sets its bindings")
    func conforms() async {
        var acts: Set<String> = []
        for seed in 1...3 as ClosedRange<UInt64> {
            await HostConformance.run(seed: seed, host: makeModel) { model, report in
                acts.insert(String("\(report)".prefix { $0 != "(" }))
                act(model, report)
            } shown: { model in
                windows(of: model)
            }
        }
        #expect(
            acts.sorted() == [
                "children", "closed", "dismissed", "pushed", "reselected", "selected",
            ]
        )
    }

    @Test("the conformance test finds a user action that is not reported")
    func unreported() async {
        let excluded: Set<HostConformance.Kind> = [.guards, .reselect]
        let message = await HostConformance.failure(without: excluded, host: makeModel) { _, _ in
        } shown: { model in
            windows(of: model)
        }
        #expect(message?.hasPrefix("the user's action did not change the tree: report '") == true)
    }
}
