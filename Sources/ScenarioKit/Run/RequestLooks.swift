// SPDX-License-Identifier: MIT

/// The steps that check how each request ended.
///
/// These steps are determined before the run from the names and the order of the steps. A failed
/// request that no later step checks can therefore be reported immediately.
struct RequestLooks {
    /// For each request step, the last step that checks how the request ended.
    private var last: [Int: Int] = [:]
    /// The requests to which the condition of any `expect` or `check` step refers.
    private(set) var mentioned: Set<Int> = []

    /// Collects the steps that check a request.
    ///
    /// If `updates` is true, a step that the update would replace counts as a check.
    init(in steps: [ScenarioStep], updates: Bool) {
        var lastRequest = LastRequest()
        var named: [String: Int] = [:]
        for (index, step) in steps.enumerated() {
            lastRequest.note(step.action, index)
            if let name = step.name { named[name] = index }
            guard case .expect(let expectation) = step.action, expectation.isAboutRequest else {
                continue
            }
            let request =
                expectation.name.map { named[$0] } ?? lastRequest.index(for: expectation)
            guard let request else { continue }
            if expectation.name == nil, steps[request].action.isMeantByNameOnly { continue }
            mentioned.insert(request)
            if expectation.checksEnd || updates && expectation.isAboutResult {
                last[request] = index
            }
        }
    }

    /// Returns whether a step after the given step checks how a request ended.
    func isLooked(at request: Int, after step: Int) -> Bool {
        last[request].map { $0 > step } ?? false
    }
}

extension Expectation {
    /// Whether the step checks how its request ended.
    ///
    /// If so, a failure of the request is expected.
    ///
    /// A condition with `?` instead of a value counts as a check, because a step with `?` always
    /// fails.
    fileprivate var checksEnd: Bool {
        switch condition {
        case .done, .asked(.outcome, _), .asked(.result, _): true
        case .error, .stayed, .cancelled, .pending(_?): !isNegated
        default: false
        }
    }

    fileprivate var isAboutResult: Bool { condition.subject == .result && !isNegated }
}

/// The request to which an expectation without a name refers.
struct LastRequest {
    /// The index of the step that made the last request; `nil` if there is none.
    private(set) var index: Int?
    /// The index of the step to which `result` refers; `nil` if there is none.
    ///
    /// Unlike the last request, this step may be a `call`.
    private(set) var resultIndex: Int?
    /// Whether a step other than `start` has made a request since the app started.
    private var hasAsked = false

    /// Records a step.
    mutating func note(_ action: ScenarioStep.Action, _ index: Int) {
        switch action {
        case _ where action.isStart && hasAsked: break
        case _ where action.isStart: (self.index, resultIndex) = (index, resultIndex ?? index)
        case .restart: hasAsked = false
        case .call: resultIndex = index
        case _ where action.isRequest && !action.isMeantByNameOnly:
            (self.index, resultIndex, hasAsked) = (index, index, true)
        default: break
        }
    }

    /// Returns the index of the step to which an expectation without a name refers.
    func index(for expectation: Expectation) -> Int? {
        expectation.condition.subject == .result ? resultIndex : index
    }
}
