// SPDX-License-Identifier: MIT

/// Which steps look at the end of which requests.
///
/// Names and order decide, not the run: so a request that fails, and that no later step looks
/// at, is known at once.
struct RequestLooks {
    /// For each step that is a request, the last step that is about it.
    private var last: [Int: Int] = [:]

    init(in steps: [Step]) {
        var isCallLast = false
        var lastRequest = LastRequest()
        var named: [String: Int] = [:]
        for (index, step) in steps.enumerated() {
            lastRequest.note(step.action, index)
            if step.action.isRequest {
                if !step.action.isStart { isCallLast = false }
                if let name = step.name { named[name] = index }
            } else if case .call = step.action {
                isCallLast = true
            } else if case .expect(let expectation) = step.action, expectation.isAboutRequest,
                !(isCallLast && expectation.isAboutCall),
                let request = expectation.name.map({ named[$0] }) ?? lastRequest.index
            {
                last[request] = index
            }
        }
    }

    /// Whether a step behind another one looks at a request.
    func isLooked(at request: Int, after step: Int) -> Bool {
        last[request].map { $0 > step } ?? false
    }
}

/// The step that a request without a name is about.
struct LastRequest {
    /// The number of the step, nil where there is none.
    private(set) var index: Int?
    /// Whether a step other than `start` has asked for something since the app began.
    private var hasAsked = false

    /// Goes past a step.
    mutating func note(_ action: Step.Action, _ index: Int) {
        switch action {
        case .start where hasAsked: break
        case .start: self.index = index
        case .restart: hasAsked = false
        case _ where action.isRequest: (self.index, hasAsked) = (index, true)
        default: break
        }
    }
}

extension Expectation {
    /// Whether it would be about a step `call`, if that is the last one to give something.
    var isAboutCall: Bool {
        guard name == nil, case .result = condition else { return false }
        return true
    }
}
