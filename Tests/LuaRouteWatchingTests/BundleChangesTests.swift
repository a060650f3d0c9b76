// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteWatching
import LuaRouting
import Testing

struct BundleChangesTests {
    @Test(
        "an app receives each newer version, and errors do not end the sequence",
        arguments: Backend.here
    )
    func sequence(_ backend: Backend) async throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "1")
        let bundle = try LuaRouting.ScriptBundle(path: folder.path)
        var texts: [String] = []
        try folder.write("main.lua", "2")
        for await change in bundle.changes(settings: backend.settings) {
            switch change {
            case .success(let newer):
                texts.append(String(decoding: try newer.source(of: "main.lua"), as: UTF8.self))
            case .failure(let error):
                texts.append(error.reason.rawValue)
            }
            if texts.count == 1 { try folder.run("rm main.lua") }
            if texts.count == 2 { try folder.write("main.lua", "3") }
            if texts.count == 3 { break }
        }
        #expect(texts == ["2", "missing", "3"])
    }

    @Test(
        "cancelling a task ends the sequence of bundles that the task reads",
        arguments: Backend.here
    )
    func cancel(_ backend: Backend) async throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "1")
        let bundle = try LuaRouting.ScriptBundle(path: folder.path)
        let task = Task {
            var count = 0
            for await _ in bundle.changes(settings: backend.settings) { count += 1 }
            return count
        }
        await Task.yield()
        task.cancel()
        #expect(await task.value == 0)
    }

    #if os(Linux)
    @Test("file descriptors are closed, and child processes inherit none of them")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let folder = try WatchedFolder()
            try folder.write("main.lua", "1")
            /// Returns the open file descriptors by their numbers, except timers and similar
            /// descriptors of the runtime.
            func open() -> [String: String] {
                let folder = "/proc/self/fd"
                let files = FileManager.default
                let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
                return names.reduce(into: [:]) { open, name in
                    // The descriptor of the listed folder is closed by now.
                    let target = try? files.destinationOfSymbolicLink(
                        atPath: "\(folder)/\(name)"
                    )
                    let isOurs = target?.hasPrefix("anon_inode:[") == false
                    // Another process may delete a file whose descriptor this process has inherited.
                    if isOurs { open[name] = target?.replacing(" (deleted)", with: "") }
                }
            }
            let before = open()
            for settings in Backend.here.map(\.settings) {
                let bundle = try LuaRouting.ScriptBundle(path: folder.path)
                let watcher = BundleWatcher(bundle, settings: settings)
                _ = try watcher.next(timeout: .zero)
                let inherited = open().keys.filter { name in
                    guard before[name] == nil, let number = Int32(name) else { return false }
                    let flags = fcntl(number, F_GETFD)
                    return flags >= 0 && flags & FD_CLOEXEC == 0
                }
                try #require(inherited.isEmpty)
                for number in 0..<20 {
                    let task = Task {
                        for await _ in bundle.changes(settings: settings) {}
                    }
                    if number % 2 == 0 { await Task.yield() }
                    task.cancel()
                    await task.value
                }
            }
            // The thread of a wait releases its watcher after it has reported its end.
            let end = ContinuousClock.now + .seconds(30)
            while open() != before, ContinuousClock.now < end { sched_yield() }
            try #require(open() == before, "\(open()) \(before)")
        }
    }

    @Test(
        "revoking a permission causes an error, and granting the permission again clears the error"
    )
    func permissions() async {
        // In a process of its own, which drops its privileges first if it may read everything.
        await #expect(processExitsWith: .success) {
            let folder = try WatchedFolder()
            try folder.run("chmod 777 .; mkdir app; chmod 777 app; printf 1 > app/main.lua")
            if geteuid() == 0 {
                try folder.run("chown -R 65534 app")
                try #require(seteuid(65534) == 0)
            }
            for settings in Backend.here.map(\.settings) {
                for path in [folder.file("app"), folder.file("app/main.lua")] {
                    let bundle = try LuaRouting.ScriptBundle(path: folder.file("app"))
                    let watcher = BundleWatcher(bundle, settings: settings)
                    try #require(try watcher.next(timeout: .zero) == nil)
                    try #require(chmod(path, 0) == 0)
                    #expect(throws: BundleError.self) {
                        _ = try watcher.next(timeout: .seconds(60))
                    }
                    try #require(chmod(path, 0o700) == 0)
                    let back = try watcher.next(timeout: .seconds(60))
                    try #require(back?.isSame(as: bundle) == true)
                }
            }
            _ = seteuid(0)
        }
    }
    #endif
}
