// SPDX-License-Identifier: MIT

/// Makes a failing case smaller as long as it fails in the same way.
struct ScheduleShrinker {
    /// Returns the violated property of a case; nil if the case passes.
    let fault: (ScheduleCase) -> String?

    func shrink(_ test: ScheduleCase) -> ScheduleCase {
        guard let fault = fault(test).map(Self.kind) else { return test }
        var test = test
        while true {
            let before = test.text
            test = shrinkDeeds(test, fault)
            test = shrinkScript(test, fault)
            if test.text == before { return test }
        }
    }

    /// Returns the fault without the numbers in its text.
    static func kind(_ fault: String) -> String {
        let text = fault.split(separator: ": ").dropFirst(fault.contains(": ") ? 1 : 0)
        return text.joined(separator: ": ").filter { !$0.isNumber }
    }

    private func fails(_ test: ScheduleCase, _ kind: String) -> Bool {
        fault(test).map(Self.kind) == kind
    }

    private func shrinkDeeds(_ test: ScheduleCase, _ kind: String) -> ScheduleCase {
        var test = test
        var size = max(1, test.deeds.count / 2)
        while size > 0 {
            var index = 0
            while index < test.deeds.count {
                var next = test
                next.deeds.removeSubrange(index..<min(index + size, test.deeds.count))
                if fails(next, kind) { test = next } else { index += size }
            }
            size /= 2
        }
        for index in test.deeds.indices {
            var isSmaller = true
            while isSmaller {
                isSmaller = false
                for deed in test.deeds[index].smaller {
                    var next = test
                    next.deeds[index] = deed
                    guard fails(next, kind) else { continue }
                    test = next
                    isSmaller = true
                    break
                }
            }
        }
        return test
    }

    private func shrinkScript(_ test: ScheduleCase, _ kind: String) -> ScheduleCase {
        var test = test
        var index = 0
        while true {
            let paths = test.script.paths
            guard index < paths.count else { return test }
            var next = test
            next.script = test.script.without(paths[index])
            if fails(next, kind) { test = next } else { index += 1 }
        }
    }
}
