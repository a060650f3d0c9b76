// SPDX-License-Identifier: MIT

package import RouteCore

/// The record of a dry run.
///
/// The phases of the navigation write to this record.
package final class Trace {
    /// The serial after which the serials of new screens in a dry run begin.
    ///
    /// The serial is so high that no real screen has one of these serials.
    package static let firstSerial: Int32 = 1 << 30
    /// The number of the navigation in a dry run.
    package static let firstNumber = -1

    package var explanation: Explanation
    /// The steps whose records are in ``Explanation/steps``, in the same order.
    package private(set) var steps: [Step] = []
    /// The interceptors that were already recorded.
    package var asked: Set<Interception> = []
    /// The URL to match, after rewriting; nil before it is rewritten, and for a route string.
    package var url: ByteString?
    /// The current phase.
    package var phase = Explanation.Phase.match
    /// The names of the dependencies that existed before the dry run.
    package let living: Set<String>
    /// Whether a call that the dry run did not execute would have returned a value.
    package var hasDenied = false

    /// The number of the last navigation or task in the dry run.
    ///
    /// These numbers count down from -1.
    package var lastNumber = Trace.firstNumber

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

    package init(_ explanation: Explanation, living: Set<String>) {
        self.explanation = explanation
        self.living = living
    }

    // MARK: Steps

    /// Restarts the record for the next match of the URL.
    ///
    /// - Parameters:
    ///   - passed: The route of the previous match.
    ///   - target: The target of the next match.
    ///   - location: The source location that requested the next match.
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

    /// Records a step of the plan.
    package func visits(_ link: Plan.Link, _ classes: ScreenClasses) {
        steps.append(link.step)
        explanation.steps.append(
            Explanation.Step(
                route: link.step.title,
                location: link.step.location,
                info: link.info,
                action: link.via.notation(classes)
            )
        )
    }

    /// Records the case that a switch chose.
    package func chooses(_ number: Int?, _ location: RouteError.Location?, of step: Step?) {
        guard !explanation.steps.isEmpty else { return }
        // The step is not always the last one, because the steps of its parents may already be
        // recorded.
        let choice = Explanation.Choice(number: number, location: location)
        edit(step) { $0.choices.append(choice) }
    }

    /// Records the outcome of a step during staging.
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

    /// Edits the record of a step, or the last record if the step is not recorded.
    package func edit(_ step: Step?, _ change: (inout Explanation.Step) -> Void) {
        let index = steps.lastIndex { $0 === step } ?? steps.count - 1
        guard index >= 0 else { return }
        change(&explanation.steps[index])
    }

    // MARK: Events and failures

    /// Records an event of the navigation.
    package func hear(_ event: Event) {
        func made() -> Explanation.Made {
            Explanation.Made(screen: event["screen"].text ?? "", location: event.location)
        }
        switch event.kind {
        case .build: explanation.built.append(made())
        case .update: explanation.updated.append(made())
        case .fallback, .redirect:
            // An event without a route belongs to the next match of a URL, which is recorded
            // elsewhere.
            guard let route = event["route"].text else { break }
            let target = Target(event["service"].text ?? "", event["task"].text ?? "")
            explanation.detours.append(
                Explanation.Detour(
                    reason: event.kind == .redirect ? .redirect : .disabled,
                    route: route,
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

    /// Records the error with which the navigation would fail.
    package func fails(_ error: RouteError) {
        let phase = error.code == .notDismissible ? .dismissible : phase
        explanation.failure = Explanation.Failure(
            phase: phase,
            error: error,
            isCertain: !hasDenied
        )
        explanation.dropChanges()
    }

    // MARK: Omitted calls

    /// Records a call by a script that the dry run does not execute.
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
    /// Returns the text, cut after the given number of characters.
    package func shortened(to count: Int) -> String {
        self.count <= count ? self : String(prefix(count)) + "…"
    }
}
