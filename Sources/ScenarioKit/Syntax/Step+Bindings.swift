// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// Replacing the names given by `let` with their values.
extension Step {
    func binding(_ value: (String) -> Value) -> Step {
        guard usesBindings else { return self }
        return Step(
            action: action.binding(value),
            word: word,
            name: name,
            isOptional: isOptional,
            usesBindings: false,
            text: text,
            range: range
        )
    }
}

extension Step.Action {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        switch self {
        case .given(let window, let tree): .given(window: window, tree.replacingNames(value))
        case .start(let fields): .start(fields.binding(value))
        case .navigate(let step): .navigate(step.binding(value))
        case .open(let step): .open(step.binding(value))
        case .doTask(let target, let fields): .doTask(target, fields.binding(value))
        case .leave(let step): .leave(step.binding(value))
        case .stub(let pattern, let end): .stub(pattern.binding(value), end.binding(value))
        case .complete(let target, let end): .complete(target, end.binding(value))
        case .call(let name, let fields): .call(name, fields.binding(value))
        case .setState(let path, let other): .setState(path, other.replacingNames(value))
        case .user(let act): .user(act.binding(value))
        case .expect(let expectation): .expect(expectation.binding(value))
        case .bind(let name, .screen(let screen, let window)):
            .bind(name: name, .screen(screen.replacingNames(value), window: window))
        case .dispatch, .cancel, .cancelLinks, .openGate, .closeGate, .reload, .restart, .snapshot,
            .restore, .host, .advance, .settle, .moveClock, .bind, .note, .show:
            self
        }
    }
}

extension [FieldNotation] {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        map { $0.replacingNames(value) }
    }
}

extension NavigateStep {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        var step = self
        step.info = info.binding(value)
        step.from = from?.replacingNames(value)
        return step
    }
}

extension OpenStep {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        var step = self
        step.from = from?.replacingNames(value)
        return step
    }
}

extension LeaveStep {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        var step = self
        switch verb {
        case .popTo(let screen): step.verb = .popTo(screen.replacingNames(value))
        case .close(let screen, let result):
            step.verb = .close(screen.replacingNames(value), result.replacingNames(value))
        case .select(let screen): step.verb = .select(screen.replacingNames(value))
        case .replace(let screen, let tree):
            step.verb = .replace(
                screen.replacingNames(value),
                with: tree.replacingNames(value)
            )
        case .back, .popToRoot, .dismiss, .selectTab: break
        }
        return step
    }
}

extension PersonAct {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        switch self {
        case .selects(let screen): .selects(screen.replacingNames(value))
        case .makes(let tree): .makes(tree.replacingNames(value))
        case .opensWindow(let name, let tree): .opensWindow(name, tree.replacingNames(value))
        case .back, .dismisses, .selectsTab, .closesWindow: self
        }
    }
}

extension CallPattern {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        CallPattern(target: target, info: info?.binding(value), range: range)
    }
}

extension TaskEnd {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        TaskEnd(isFinished: isFinished, info: info.replacingNames(value))
    }
}

extension Expectation {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        Expectation(
            condition: condition.binding(value),
            range: range,
            wholeRange: wholeRange,
            word: word,
            name: name,
            isNegated: isNegated,
            isCheck: isCheck
        )
    }
}

extension Expectation.Condition {
    fileprivate func binding(_ value: (String) -> Value) -> Self {
        switch self {
        case .tree(let window, let tree): .tree(window: window, tree.replacingNames(value))
        case .top(let screen): .top(screen.replacingNames(value))
        case .stack(let items):
            .stack(
                items.map { item in
                    switch item {
                    case .rest: .rest
                    case .screen(let screen): .screen(screen.replacingNames(value))
                    }
                }
            )
        case .modal(let screen): .modal(screen?.replacingNames(value))
        case .operations(let operations):
            .operations(
                operations.map { operation in
                    OperationNotation(
                        name: operation.name,
                        screens: operation.screens?.map { $0.replacingNames(value) },
                        range: operation.range
                    )
                }
            )
        case .result(let other): .result(other.replacingNames(value))
        case .found(let screen): .found(screen.replacingNames(value))
        case .built(let screens): .built(screens.map { $0.replacingNames(value) })
        case .params(let fields): .params(fields.binding(value))
        case .called(let pattern, let times): .called(pattern.binding(value), times: times)
        case .state(let path, let other): .state(path, other.replacingNames(value))
        case .asked(let subject, let like): .asked(subject, like: like?.binding(value))
        case .topIs, .depth, .done, .error, .stayed, .cancelled, .pending, .route, .completions,
            .log, .trace, .services:
            self
        }
    }
}
