// SPDX-License-Identifier: MIT

import Foundation
import SystemGaps
import Testing

@testable import LuaRouteWatching

/// Tests of events of the system that tests cannot provoke with files.
struct FileWatcherInternalsTests {
    /// A source of events that a test controls.
    final class Script: FolderEvents {
        struct State {
            var refusal: WatchRefusal?
            var events: [FolderEvent] = []
            var folders: [String] = []
        }

        let state: Lock<State>

        init(refusal: WatchRefusal? = nil) { state = Lock(State(refusal: refusal)) }

        var descriptor: Int32 { -1 }

        func add(_ folder: String, writes isWhole: Bool) throws(WatchRefusal) -> Int32 {
            if let refusal = state.withLock(\.refusal) { throw refusal }
            return state.withLock { state in
                if let index = state.folders.firstIndex(of: folder) { return Int32(index) }
                state.folders.append(folder)
                return Int32(state.folders.count - 1)
            }
        }

        func remove(_ watch: Int32) {}

        func take() -> [FolderEvent] {
            state.withLock { state in
                defer { state.events = [] }
                return state.events
            }
        }

        func close() {}

        func post(_ folder: String, _ name: String?, isUnfinished: Bool = false) {
            state.withLock { state in
                let watch = state.folders.firstIndex(of: folder).map(Int32.init)
                state.events.append(
                    FolderEvent(watch: watch ?? 1000, name: name, isUnfinished: isUnfinished)
                )
            }
        }
    }

    private var settings: WatchSettings { Backend.events.settings }

    @Test("files are polled while the system's limit of watches is reached")
    func limit() throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        let events = Script(refusal: .failed(why: "the limit of watches is reached"))
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings, events: events)
        #expect(watcher.mode == .polling(why: "the limit of watches is reached"))
        try folder.write("main.lua", "two")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("main.lua")])
        events.state.withLock { $0.refusal = nil }
        try folder.write("main.lua", "three")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("main.lua")])
        #expect(watcher.mode == .events)
    }

    @Test("after lost events, the contents of the watched files are compared")
    func lost() throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        let events = Script()
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings, events: events)
        try folder.write("main.lua", "two")
        #expect(watcher.wait(timeout: .zero) == .timedOut)
        events.state.withLock { $0.events = [.lost] }
        #expect(watcher.changes(timeout: .zero) == [folder.file("main.lua")])
        events.state.withLock { $0.events = [.lost] }
        #expect(watcher.wait(timeout: .zero) == .hint)
    }

    @Test("a changed name is a hint only if it is on the path to a watched file, ignoring case")
    func names() throws {
        let folder = try WatchedFolder()
        try folder.run(
            "mkdir ..1; printf one > ..1/main.lua; ln -s ..1 ..data; ln -s ..data/main.lua main.lua"
        )
        let events = Script()
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings, events: events)
        for (place, name, isHint) in [
            (folder.path, "main.lua", true), (folder.path, "Main.LUA", true),
            (folder.path, "..data", true), (folder.path, "..1", true), (folder.path, nil, true),
            (folder.file("..1"), "main.lua", true), (folder.path, "main.lua~", false),
            (folder.path, "..tmp", false), (folder.file("..1"), "x", false),
            ("/nowhere", "main.lua", false),
        ] {
            events.post(place, name)
            #expect(
                watcher.wait(timeout: .zero) == (isHint ? .hint : .timedOut),
                "\(place) \(name ?? "")"
            )
        }
    }

    /// Names of files that are closed, or still being written to if marked by `*`, each with the
    /// expectation whether all files are closed.
    static let writes: [(names: [String], isClosed: Bool)] = [
        (["a.lua"], true), (["*a.lua"], false), (["*a.lua", "a.lua"], true),
        (["a.lua", "*a.lua"], false), (["*a.lua", "*b.lua", "a.lua"], false),
        (["*a.lua", "*b.lua", "b.lua", "a.lua"], true), (["*other"], true),
    ]

    @Test("files settle sooner if all changed files have been closed", arguments: writes)
    func closed(names: [String], isClosed: Bool) throws {
        let folder = try WatchedFolder()
        let events = Script()
        var settings = settings
        (settings.quiet, settings.quietOnceClosed) = (.seconds(60), .zero)
        settings.longest = .seconds(60)
        let watched = WatchedFiles(files: [folder.file("a.lua"), folder.file("b.lua")])
        let watcher = FileWatcher(watched, settings: settings, events: events)
        for name in names {
            let file = name.drop { $0 == "*" }
            events.post(folder.path, String(file), isUnfinished: file != name[...])
        }
        #expect(watcher.wait(timeout: .zero) == (names == ["*other"] ? .timedOut : .hint))
        // It ends a wait that is not over.
        watcher.wake()
        #expect(watcher.settle() == isClosed)
    }

    @Test(
        "an unreadable parent folder does not cause polling, but an unreadable innermost folder does"
    )
    func forbidden() throws {
        let folder = try WatchedFolder()
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings, events: Script(refusal: .forbidden))
        #expect(watcher.mode == .polling(why: "the folder '\(folder.path)' cannot be read"))
    }

    @Test("a path that changes each time it is watched is reported as a hint")
    func restless() throws {
        let folder = try WatchedFolder()
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings, events: Script(refusal: .gone))
        #expect(watcher.wait(timeout: .zero) == .hint)
    }

    private static let mounts = """
        20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
        21 20 0:20 / /proc rw - proc proc rw
        22 20 0:50 / /mnt/share rw shared:2 master:1 - nfs4 server:/x rw
        23 22 8:2 / /mnt/share/local rw - ext4 /dev/sdb rw
        24 20 0:51 / /mnt/my\\040home rw - fuse.sshfs me@host: rw
        25 20 0:52 / /over rw - 9p host rw
        26 20 0:53 / /over rw - tmpfs tmpfs rw
        """

    static let types: [(folder: String, type: String?)] = [
        ("/", nil), ("/home/me", nil), ("/proc/1", "proc"), ("/process", nil),
        ("/mnt/share", "nfs4"), ("/mnt/share/a/b", "nfs4"), ("/mnt/share/local/a", nil),
        ("/mnt/shared", nil), ("/mnt/my home/a", "fuse.sshfs"), ("/over/a", nil),
    ]

    @Test("file systems that do not report changes are recognized", arguments: types)
    func silent(_ row: (folder: String, type: String?)) {
        #expect(SilentFileSystems.type(of: row.folder, mounts: Self.mounts) == row.type)
        #expect(SilentFileSystems.type(of: row.folder, mounts: "broken\n\n - ") == nil)
    }
}
