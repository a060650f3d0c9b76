// SPDX-License-Identifier: MIT

#if Bundles
import Foundation
import LuaRouteBundles
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the code of the article against a web server.
@Suite(
    .enabled(if: Nginx.program != nil, "no nginx is in PATH or in .build/nginx"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct DownloadTests {
    private let sample = StoreSample()
    private let store: BundleStore
    private let server: Nginx
    private let updates: BundleUpdates

    init() throws {
        store = sample.open()
        server = try Nginx()
        updates = Self.updates(sample, store, server)
    }

    /// Returns the updates of a new process.
    private static func updates(
        _ sample: StoreSample,
        _ store: BundleStore,
        _ server: Nginx,
        app: String = "1"
    ) -> BundleUpdates {
        BundleUpdates(
            of: store,
            from: server.url,
            device: "device 7",
            app: app,
            file: URL(filePath: server.folder.path + "/updates.json")
        ) {
            Date(timeIntervalSince1970: Double(sample.time.now))
        }
    }

    /// Publishes a bundle.
    private func publish(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: server.folder.path + "/files/app.lrb"))
    }

    private func setMode(_ mode: String?) throws {
        for other in Nginx.modes {
            try? FileManager.default.removeItem(atPath: "\(server.folder.path)/files/\(other)")
        }
        if let mode { try server.folder.write("files/\(mode)", "") }
    }

    /// Polls once, and returns the kind of the result, or the error.
    private func poll(
        _ next: BundleUpdates? = nil,
        limit: Int = 1 << 20,
        seconds: Double = 60
    ) async -> String {
        do {
            switch try await (next ?? updates).poll(limit: limit, seconds: seconds) {
            case .staged(let bundle): return "staged \(bundle.manifest.version)"
            case .notSelected: return "notSelected"
            case .unchanged: return "unchanged"
            }
        } catch let refusal as BundleRefusal {
            return "\(refusal.reason)"
        } catch let error as URLError {
            return "\(error.code.rawValue)"
        } catch {
            return "\(error)"
        }
    }

    @Test("the server does not send an unchanged bundle again")
    func tag() async throws {
        try publish(sample.bundle(1))
        try server.start()
        #expect(await poll() == "staged 1")
        #expect(await poll() == "unchanged")
        try publish(sample.bundle(22))
        #expect(await poll() == "staged 22")
        #expect(server.statuses == [200, 304, 200])
    }

    @Test("the next process does not download a bundle again that the store has")
    func nextProcess() async throws {
        try publish(sample.bundle(1))
        try server.start()
        #expect(await poll() == "staged 1")
        #expect(await poll(Self.updates(sample, sample.open(), server)) == "unchanged")
        // Another app may accept what this one refuses.
        let other = Self.updates(sample, sample.open(), server, app: "2")
        #expect(await poll(other) == "unchanged")
        #expect(server.statuses == [200, 304, 200])
        // A store that has lost the bundle gets it again.
        let empty = StoreSample(key: sample.key)
        #expect(await poll(Self.updates(empty, empty.open(), server, app: "2")) == "staged 1")
        #expect(server.statuses == [200, 304, 200, 200])
    }

    @Test("a response 304 without the header of the share keeps the tag")
    func shareOfUnchanged() async throws {
        try publish(sample.bundle(1))
        try server.start()
        #expect(await poll() == "staged 1")
        try setMode("raw")
        server.raw.set(["HTTP/1.1 304 Not Modified"], [])
        for _ in 1...2 { #expect(await poll() == "unchanged") }
        try setMode(nil)
        #expect(await poll() == "unchanged")
        #expect(server.statuses == [200, 304, 304, 304])
    }

    @Test("a raised share does not make devices download a bundle again that they have")
    func raisedShare() async throws {
        try publish(sample.bundle(1))
        let share = Int(BundleRollout.share(of: "device 7", name: "podcast", version: 1)) + 1
        try server.folder.write("files/share-\(share)", "")
        try server.start(shares: ["\(share)", "100"])
        #expect(await poll() == "staged 1")
        try FileManager.default.removeItem(
            atPath: server.folder.path + "/files/share-\(share)"
        )
        try server.folder.write("files/share-100", "")
        for _ in 1...2 { #expect(await poll() == "unchanged") }
        #expect(server.statuses == [200, 304, 304])
    }

    /// A problem that makes one poll fail.
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var mode: String? = "raw"
        /// Returns the head and the body with which the server behind nginx answers, given a
        /// bundle.
        var answer: @Sendable ([UInt8]) -> (head: [String], body: [UInt8])? = { _ in nil }
        var limit = 1 << 20
        var seconds = 60.0
        let result: String

        private static let ok = "HTTP/1.1 200 OK"
        private static let tooLong = "\(URLError.Code.dataLengthExceedsMaximum.rawValue)"
        #if canImport(FoundationNetworking)
        private static let lost = "\(URLError.Code.unknown.rawValue)"
        #else
        private static let lost = "\(URLError.Code.networkConnectionLost.rawValue)"
        #endif
        private static let timedOut = "\(URLError.Code.timedOut.rawValue)"
        private static let status = "\(URLError.Code.badServerResponse.rawValue)"
        private static let chunked = "Transfer-Encoding: chunked"

        private static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
            Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
        }

        static let all = [
            Failure(testDescription: "the status 404", mode: "404", result: status),
            Failure(testDescription: "the status 500", mode: "500", result: status),
            Failure(testDescription: "the status 503", mode: "503", result: status),
            Failure(testDescription: "a redirect", mode: "elsewhere", result: status),
            Failure(
                testDescription: "a slow server, beyond the time limit",
                mode: "slow",
                seconds: 2,
                result: timedOut
            ),
            Failure(testDescription: "no answer", seconds: 1, result: timedOut),
            Failure(
                testDescription: "a connection that is cut",
                answer: { ([ok, "Content-Length: \($0.count)"], Array($0.prefix($0.count / 2))) },
                result: lost
            ),
            Failure(
                testDescription: "a length that is too long",
                answer: { ([ok, "Content-Length: \($0.count + 1)"], $0) },
                result: lost
            ),
            Failure(
                testDescription: "a length that is too short",
                answer: { ([ok, "Content-Length: \($0.count - 1)", "ETag: \"1\""], $0) },
                result: "truncated"
            ),
            Failure(
                testDescription: "chunks without an end",
                answer: { ([ok, chunked], chunk($0)) },
                result: lost
            ),
            Failure(
                testDescription: "chunks above the limit",
                answer: { ([ok, chunked], chunk($0) + chunk([])) },
                limit: 1_000,
                result: tooLong
            ),
            Failure(
                testDescription: "bytes that are not a bundle",
                answer: { _ in ([ok, "ETag: \"1\"", "Content-Length: 5"], Array("login".utf8)) },
                result: "notABundle"
            ),
        ]
    }

    @Test(
        "a failed download leaves the store unchanged, and the next poll succeeds",
        arguments: Failure.all
    )
    func failures(_ failure: Failure) async throws {
        let text = StoreSample.scripts("V2") + String(repeating: "-- filler\n", count: 4_000)
        let bytes = try sample.bundle(2, scripts: text)
        try publish(sample.bundle(1))
        try server.start()
        #expect(await poll() == "staged 1")
        try publish(bytes)
        try setMode(failure.mode)
        if let answer = failure.answer(bytes) { server.raw.set(answer.head, answer.body) }
        let changes = store.changes
        for count in 1...2 {
            let result = await poll(limit: failure.limit, seconds: failure.seconds)
            #expect(result == failure.result)
            #expect(await updates.pause == 30 << count)
        }
        #expect(store.changes == changes)
        #expect(store.candidate?.version == 1)
        try setMode(nil)
        #expect(await poll() == "staged 2")
        #expect(await updates.pause == 900)
    }

    @Test("a slow download within the time limit is staged")
    func slow() async throws {
        try publish(sample.bundle(1, scripts: String(repeating: "-- filler\n", count: 1_000)))
        try setMode("slow")
        try server.start()
        let start = ContinuousClock.now
        #expect(await poll() == "staged 1")
        #expect(ContinuousClock.now - start > .milliseconds(500))
    }

    @Test("a bundle in a chunked response is staged")
    func chunked() async throws {
        let bytes = try sample.bundle(1)
        try setMode("raw")
        server.raw.set(["HTTP/1.1 200 OK"], bytes)
        try server.start()
        #expect(await poll() == "staged 1")
    }

    @Test(
        "the delay between polls doubles with each failure, up to an hour, and a success resets it"
    )
    func pauses() async throws {
        #expect(await updates.pause == 900)
        var pauses: [Int] = []
        for _ in 0..<9 {
            #expect(await poll() == "\(URLError.Code.cannotConnectToHost.rawValue)")
            pauses.append(await updates.pause)
        }
        #expect(pauses == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
        try publish(sample.bundle(1))
        try server.start()
        #expect(await poll() == "staged 1")
        #expect(await updates.pause == 900)
    }

    @Test("a permanently rejected bundle is not downloaded again")
    func stale() async throws {
        _ = try store.stage(sample.bundle(5))
        try publish(sample.bundle(4))
        try server.start()
        #expect(await poll() == "stale")
        #expect(await updates.pause == 900)
        #expect(await poll() == "unchanged")
        #expect(store.candidate?.version == 5)
        #expect(server.statuses == [200, 304])
    }

    @Test("a bundle signed with another key, as after a rotation, is not downloaded again")
    func otherKey() async throws {
        try publish(StoreSample().bundle(1))
        try server.start()
        #expect(await poll() == "unknownKey")
        #expect(await updates.pause == 900)
        #expect(await poll() == "unchanged")
        try publish(sample.bundle(22))
        #expect(await poll() == "staged 22")
        #expect(server.statuses == [200, 304, 200])
    }

    @Test("a bundle above the limit is not downloaded again")
    func tooLarge() async throws {
        try publish(sample.bundle(1, scripts: String(repeating: "-- filler\n", count: 10_000)))
        try server.start()
        #expect(await poll(limit: 1_000) == "\(URLError.Code.dataLengthExceedsMaximum.rawValue)")
        #expect(await updates.pause == 900)
        #expect(await poll(limit: 1_000) == "unchanged")
        try publish(sample.bundle(1))
        #expect(await poll() == "staged 1")
        #expect(server.statuses == [200, 304, 200])
    }

    @Test(
        "a bundle that seemed expired because the clock was ahead is downloaded after the clock is corrected"
    )
    func clock() async throws {
        try publish(sample.bundle(1, notAfter: sample.time.now + 1_000))
        try server.start()
        sample.time.now += 31_536_000
        #expect(await poll() == "expired")
        #expect(await poll() == "unchanged")
        sample.time.now -= 31_536_000
        #expect(await poll() == "staged 1")
        #expect(await poll() == "unchanged")
        #expect(server.statuses == [200, 304, 200, 304])
    }

    @Test("a rollout share that is not a percentage is an error, and the next response is accepted")
    func share() async throws {
        try publish(sample.bundle(1))
        try server.folder.write("files/share-nan", "")
        try server.start(shares: ["nan", "100"])
        #expect(await poll() == "percent")
        #expect(await updates.pause == 60)
        try FileManager.default.removeItem(atPath: server.folder.path + "/files/share-nan")
        try server.folder.write("files/share-100", "")
        #expect(await poll() == "staged 1")
    }

    @Test("a bundle that did not fit on a full disk is downloaded again")
    func fullDisk() async throws {
        try publish(sample.bundle(1))
        try server.start()
        sample.folder.setFull(true)
        #expect(await poll() == "storage")
        #expect(await updates.pause == 60)
        sample.folder.setFull(false)
        #expect(await poll() == "staged 1")
    }

    @Test("a device installs a bundle once the rollout reaches its share")
    func rollout() async throws {
        let share = Int(BundleRollout.share(of: "device 7", name: "podcast", version: 1))
        try publish(sample.bundle(1))
        try server.folder.write("files/share-\(share)", "")
        try server.start(shares: ["\(share)", "\(share + 1)"])
        #expect(await poll() == "notSelected")
        #expect(await poll() == "unchanged")
        // The answer without the bundle has the larger share.
        try server.folder.write("files/share-\(share + 1)", "")
        #expect(await poll() == "unchanged")
        #expect(await poll() == "staged 1")
        #expect(server.statuses == [200, 304, 304, 200])
    }
}
#endif
