// SPDX-License-Identifier: MIT

package import RouteCore

/// The notes of one explanation, which the phases of a navigation write.
package final class Trace {
    /// The first serial of the screens of explanations, so that those of the tree are the same with
    /// explanations and without.
    package static let firstSerial: Int32 = 1 << 30

    package var explanation: Explanation
    /// The steps of ``Explanation/steps``.
    package private(set) var steps: [Step] = []
    /// The interceptors that are noted.
    package var asked: Set<Interception> = []
    /// The part of the navigation that is under way.
    package var phase = Explanation.Phase.match
    /// The dependencies that somebody held before.
    package let living: Set<String>
    /// Whether a script was denied a value that it would have had.
    package var hasDenied = false

    /// The number of the last navigation or task that it made up: they count down.
    package var lastNumber: Int

    /// The purpose of a search.
    package enum Purpose {
        case find, reuse, from, again, present, provider
        case `case`(Int)

        package var title: String {
            switch self {
            case .find: "find"
            case .reuse: "reuse"
            case .from: "from"
            case .again: "again"
            case .present: "present"
            case .provider: "provider"
            case .case(let number): "case \(number)"
            }
        }
    }

    package init(_ explanation: Explanation, living: Set<String>, lastNumber: Int) {
        self.explanation = explanation
        self.living = living
        self.lastNumber = lastNumber
    }

    // MARK: The way

    /// Begins again with the next match of the URL.
    ///
    /// - Parameters:
    ///   - passed: The route of the match before.
    ///   - target: The target of the next match.
    ///   - location: The line of the script that asks for it.
    package func goesOn(from passed: Step?, to target: Target, at location: RouteError.Location?) {
        steps = []
        explanation.steps = []
        explanation.gates = []
        explanation.interceptors = []
        asked = []
        explanation.built = []
        explanation.updated = []
        (explanation.start, explanation.startedBy) = (nil, nil)
        explanation.target = target
        guard let passed else { return }
        explanation.detours.append(
            Explanation.Detour(
                reason: .next,
                route: passed.title,
                location: location ?? passed.location,
                taken: target
            )
        )
    }

    /// Notes a step of the way.
    package func visits(_ link: Plan.Link) {
        steps.append(link.step)
        explanation.steps.append(
            Explanation.Step(
                route: link.step.title,
                location: link.step.location,
                info: link.info,
                action: link.via.name
            )
        )
    }

    /// Notes what a switch chose.
    package func chooses(_ number: Int?, _ location: RouteError.Location?, of step: Step?) {
        guard !explanation.steps.isEmpty else { return }
        // The steps behind it have been added by now, so it need not be the last one.
        let choice = Explanation.Choice(number: number, location: location)
        edit(step) { $0.choices.append(choice) }
    }

    /// Notes what became of a step on the stage.
    package func performs(
        _ link: Plan.Link,
        _ screen: ScreenID,
        at container: ScreenID,
        exists: Bool,
        in stage: borrowing Stage
    ) {
        let (screen, container) = (stage.notation(of: screen), stage.notation(of: container))
        edit(link.step) { step in
            step.outcome = exists ? .reused : .built
            step.screen = screen
            step.container = container
        }
    }

    /// Changes what is noted of a step; of the last one where it is none of the way.
    package func edit(_ step: Step?, _ change: (inout Explanation.Step) -> Void) {
        let index = steps.lastIndex { $0 === step } ?? steps.count - 1
        guard index >= 0 else { return }
        change(&explanation.steps[index])
    }

    // MARK: Events and failures

    /// Takes an event that the navigation would have told.
    package func hear(_ event: Event) {
        func made() -> Explanation.Made {
            Explanation.Made(screen: event["screen"].text ?? "", location: event.location)
        }
        switch event.kind {
        case .build: explanation.built.append(made())
        case .update: explanation.updated.append(made())
        case .fallback:
            let target = Target(event["service"].text ?? "", event["task"].text ?? "")
            explanation.detours.append(
                Explanation.Detour(
                    reason: .disabled,
                    route: event["route"].text ?? "",
                    location: event.location,
                    taken: target
                )
            )
        case .log:
            explanation.log.append(
                Explanation.Line(
                    level: event["level"].text ?? "",
                    message: event["message"].text ?? "",
                    location: event.location
                )
            )
        default: break
        }
    }

    /// Notes why it would fail.
    package func fails(_ error: RouteError) {
        let phase = error.code == .notDismissible ? .dismissible : phase
        explanation.failure = Explanation.Failure(
            phase: phase,
            error: error,
            isCertain: !hasDenied
        )
        explanation.dropChanges()
    }

    // MARK: Calls left out

    /// Notes a call that a script makes and that an explanation leaves out.
    package func notes(
        call name: String,
        of kind: Explanation.Call.Kind,
        at location: RouteError.Location?
    ) {
        explanation.calls.append(
            Explanation.Call(kind: kind, text: "\(name)(…)", location: location)
        )
    }
}

extension String {
    /// The text, or the beginning of one that is longer than so many characters.
    package func shortened(to count: Int) -> String {
        self.count <= count ? self : String(prefix(count)) + "…"
    }
}
