// SPDX-License-Identifier: MIT

/// Which steps look at the end of which requests.
///
/// Names and order decide, not the run: so a request that fails, and that no later step looks
/// at, is known at once.
struct RequestLooks {
    /// For each step that is a request, the last step that is about it.
    private var last: [Int: Int] = [:]

    init(in steps: [Step]) {
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
            last[request] = index
        }
    }

    /// Whether a step behind another one looks at a request.
    func isLooked(at request: Int, after step: Int) -> Bool {
        last[request].map { $0 > step } ?? false
    }
}

/// The request that an expectation without a name is about.
struct LastRequest {
    /// The number of the step, nil if there is none.
    private(set) var index: Int?
    /// The number of the step that `result` is about, which may be a `call`; nil if there is none.
    private(set) var resultIndex: Int?
    /// Whether a step other than `start` has asked for something since the app began.
    private var hasAsked = false

    /// Goes past a step.
    mutating func note(_ action: Step.Action, _ index: Int) {
        switch action {
        case .start where hasAsked: break
        case .start: (self.index, resultIndex) = (index, resultIndex ?? index)
        case .restart: hasAsked = false
        case .call: resultIndex = index
        case _ where action.isRequest && !action.isMeantByNameOnly:
            (self.index, resultIndex, hasAsked) = (index, index, true)
        default: break
        }
    }

    /// The number of the step that an expectation is about, if it names none.
    func index(for expectation: Expectation) -> Int? {
        if case .result = expectation.condition { resultIndex } else { index }
    }
}
