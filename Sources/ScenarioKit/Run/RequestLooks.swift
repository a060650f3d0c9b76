// SPDX-License-Identifier: MIT

/// Which steps look at the end of which requests.
///
/// Names and order decide, not the run: so a request that fails, and that no later step looks
/// at, is known at once.
struct RequestLooks {
    /// For each step that is a request, the last step that is about it.
    private var last: [Int: Int] = [:]

    init(in steps: [Step]) {
        var request: Int?
        var named: [String: Int] = [:]
        for (index, step) in steps.enumerated() {
            if step.action.isRequest {
                request = index
                if let name = step.name { named[name] = index }
            } else if case .expect(let expectation) = step.action, expectation.isAboutRequest,
                let request = expectation.name.map({ named[$0] }) ?? request
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
