// SPDX-License-Identifier: MIT

import CBaseline

/// Work that a profiler measures, without the setup around it.
final class Profile {
    private let body: () throws -> Int64
    private var result: Result<Int64, any Error>?

    init(_ body: @escaping () throws -> Int64) {
        self.body = body
    }

    /// Does the work inside the C function to which profilers are limited.
    func collect() throws -> Int64 {
        baseline_region(Unmanaged.passUnretained(self).toOpaque()) { context in
            guard let context else { return }
            let profile = Unmanaged<Profile>.fromOpaque(context).takeUnretainedValue()
            profile.result = Result { try profile.body() }
        }
        guard let result else { preconditionFailure("the region runs its body") }
        return try result.get()
    }
}
