// SPDX-License-Identifier: MIT

// The code of the article on bundles, word for word. `DocumentationTests` looks for it here.

#if Bundles
import Foundation
import LuaRouteBundles

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

actor BundleUpdates {
    private let store: BundleStore
    private let url: URL
    private let device: String
    private let now: @Sendable () -> Date
    private let file: URL
    private var last: Last
    private var failures = 0

    /// The record of the last response.
    private struct Last: Codable {
        /// The version of the app, because another app may accept what this app refuses.
        let app: String
        var tag: String?
        /// The share for which the device was not selected; otherwise 100.
        var share = 100.0
        /// The bundle in the store; nil if the bundle was refused.
        var digest: String?
        /// The time at which the bundle was refused as expired.
        var expiry = Date.distantPast
    }

    init(
        of store: BundleStore,
        from url: URL,
        device: String,
        app: String,
        file: URL,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        (self.store, self.url, self.device, self.now) = (store, url, device, now)
        (self.file, last) = (file, Last(app: app))
        guard let data = try? Data(contentsOf: file),
            let earlier = try? JSONDecoder().decode(Last.self, from: data), earlier.app == app
        else { return }
        last = earlier
    }

    /// The seconds to wait before the next poll.
    var pause: Int { failures == 0 ? 900 : min(3_600, 30 << min(failures, 7)) }

    func poll(limit: Int = 4 << 20, seconds: Double = 60) async throws -> BundleStore.Staging {
        failures += 1
        // The clock that refused the bundle was ahead, or the store has lost the bundle.
        if now() < last.expiry || last.digest.map(isKnown) == false { last.tag = nil }
        var request = URLRequest(url: url)
        request.setValue(last.tag, forHTTPHeaderField: "If-None-Match")
        let (bytes, response) = try await Download().run(request, limit, seconds)
        let header = response.value(forHTTPHeaderField: "Rollout-Percent")
        if response.statusCode == 304 {
            // For more devices than before: the next poll downloads the bundle again.
            if let header, try BundleRollout.percent(header) > last.share { last.tag = nil }
            failures = 0
            return .unchanged
        }
        guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
        let percent = try BundleRollout.percent(header ?? "100")
        let staging = Result {
            if bytes.count > limit { throw URLError(.dataLengthExceedsMaximum) }
            return try store.stage(bytes, percent: percent, key: device)
        }
        var refusal: BundleRefusal.Reason?
        if case .failure(let error as BundleRefusal) = staging { refusal = error.reason }
        // The next download of the same bundle may be whole, and the disk have space.
        let passing: [BundleRefusal.Reason] = [
            .storage, .notABundle, .truncated, .excess, .signature, .digest,
        ]
        if let refusal, passing.contains(refusal) { return try staging.get() }
        last = Last(app: last.app, tag: response.value(forHTTPHeaderField: "ETag"))
        switch staging {
        case .success(.staged(let bundle)): last.digest = bundle.digest
        case .success(.unchanged): last.digest = (store.candidate ?? store.current)?.digest
        case .success(.notSelected): last.share = percent
        case .failure: if refusal == .expired { last.expiry = now() }
        }
        try? JSONEncoder().encode(last).write(to: file, options: .atomic)
        if last.tag != nil || (try? staging.get()) != nil { failures = 0 }
        return try staging.get()
    }

    private func isKnown(_ digest: String) -> Bool {
        let bundles = [store.candidate, store.current, store.lastGood].compactMap(\.?.digest)
        return (bundles + store.quarantined).contains(digest)
    }
}

/// One download: its session calls the methods of the delegate one after the other.
final class Download: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private var (bytes, limit): ([UInt8], Int) = ([], 0)
    private var deadline = ContinuousClock.now
    private var ending: CheckedContinuation<([UInt8], HTTPURLResponse), any Error>?

    func run(
        _ request: URLRequest,
        _ limit: Int,
        _ seconds: Double
    ) async throws -> ([UInt8], HTTPURLResponse) {
        (self.limit, deadline) = (limit, .now + .seconds(seconds))
        let configuration = URLSessionConfiguration.ephemeral
        // Of the time without a byte.
        configuration.timeoutIntervalForRequest = min(15, seconds)
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await withCheckedThrowingContinuation {
            ending = $0
            session.dataTask(with: request).resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bytes += data
        if bytes.count > limit || .now > deadline { dataTask.cancel() }
    }

    // A redirect is not followed: it may lead to the login page of a network.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        if .now > deadline {
            ending?.resume(throwing: URLError(.timedOut))
        } else if error == nil || bytes.count > limit,
            let response = task.response as? HTTPURLResponse
        {
            ending?.resume(returning: (bytes, response))
        } else {
            ending?.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }
}
#endif
