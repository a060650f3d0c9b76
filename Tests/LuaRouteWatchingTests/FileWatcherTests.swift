// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteWatching
import LuaRouting
import SystemGaps
import Testing

struct FileWatcherTests {
    @Test(
        "files of a folder and its subfolders are watched by file name extension",
        arguments: Backend.here
    )
    func folders(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run("mkdir -p a/.git; printf one > a/x.scenario; printf one > a/x.txt")
        let watched = WatchedFiles(folders: [.init(folder.file("a"), ending: ".scenario")])
        let watcher = FileWatcher(watched, settings: backend.settings)
        try folder.run(
            "printf two > a/x.txt; printf two > a/.git/y.scenario; printf 2 > a/x.scenario"
        )
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("a/x.scenario")])
        try folder.run("mkdir -p a/b/c; printf one > a/b/c/y.scenario")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("a/b/c/y.scenario")])
        try folder.run("printf two > a/b/c/y.scenario")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("a/b/c/y.scenario")])
        try folder.run("rm a/x.scenario; mv a/b a/d")
        #expect(
            watcher.changes(timeout: .seconds(60)) == [
                folder.file("a/x.scenario"), folder.file("a/b/c/y.scenario"),
                folder.file("a/d/c/y.scenario"),
            ]
        )
        try folder.run("rm -r a")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("a/d/c/y.scenario")])
        try folder.run("mkdir a; printf one > a/z.scenario")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("a/z.scenario")])
    }

    @Test(
        "folders that contain each other through symbolic links cause no endless loop",
        arguments: Backend.here
    )
    func circle(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run("mkdir a; ln -s .. a/up; ln -s loop loop; printf one > a/x.lua")
        let watched = WatchedFiles(
            files: [folder.file("loop")],
            folders: [.init(folder.path, ending: ".lua")]
        )
        let watcher = FileWatcher(watched, settings: backend.settings)
        try folder.write("a/x.lua", "two")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("a/x.lua")])
    }

    @Test("symbolic links that lead out of a folder are not followed", arguments: Backend.here)
    func outside(_ backend: Backend) throws {
        let (folder, outside) = (try WatchedFolder(), try WatchedFolder())
        try outside.run("mkdir a; printf one > a/x.lua; printf one > y.lua; printf one > z.txt")
        try folder.run(
            """
            ln -s '\(outside.path)' out; ln -s '\(outside.file("y.lua"))' y.lua; printf one > real.txt
            ln -s real.txt z.lua; mkfifo pipe.lua
            """
        )
        let watched = WatchedFiles(folders: [.init(folder.path, ending: ".lua")])
        let watcher = FileWatcher(watched, settings: backend.settings)
        try outside.run("printf two > a/x.lua; printf two! > y.lua")
        try folder.write("real.txt", "two")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("z.lua")])
    }

    @Test(
        "a symbolic link from a script to a file outside of its bundle is not followed",
        arguments: Backend.here
    )
    func bundle(_ backend: Backend) throws {
        let (folder, outside) = (try WatchedFolder(), try WatchedFolder())
        try outside.run("mkdir a; printf 'return 1' > x.lua")
        try folder.run(
            """
            mkdir b; printf 'return 1' > b/y.lua; ln -s '\(outside.file("x.lua"))' x.lua
            ln -s '\(outside.path)/a' a; ln -s '\(folder.path)/b/y.lua' y.lua; printf '' > main.lua
            """
        )
        let bundle = try ScriptBundle(path: folder.path)
        for file in ["main.lua", "x.lua", "y.lua", "a/z.lua"] { _ = try? bundle.source(of: file) }
        let watcher = FileWatcher(WatchedFiles(of: bundle), settings: backend.settings)
        try outside.run("printf 'return 2' > x.lua; printf 'return 2' > a/z.lua")
        #expect(watcher.wait(timeout: .zero) == .timedOut)
        try folder.run("printf 'return 2' > b/y.lua")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("y.lua")])
        try folder.run("rm x.lua; printf 'return 3' > x.lua")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("x.lua")])
    }

    @Test("removing a folder that contains no files ends a wait", arguments: Backend.here)
    func removed(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run("mkdir a")
        let watched = WatchedFiles(folders: [.init(folder.file("a"), ending: ".scenario")])
        let watcher = FileWatcher(watched, settings: backend.settings)
        try folder.run("rmdir a")
        #expect(watcher.wait(timeout: .seconds(60)) == .hint)
    }

    #if os(Linux)
    @Test(
        "names that differ only in Unicode normalization are two different files",
        arguments: Backend.here
    )
    func unicodeForms(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run("mkdir a")
        for name in ["\u{E9}", "e\u{301}"] {
            try folder.run("mkdir 'a/\(name)'; printf 1 > 'a/\(name)/x.lua'")
        }
        let watched = WatchedFiles(folders: [.init(folder.file("a"), ending: ".lua")])
        let watcher = FileWatcher(watched, settings: backend.settings)
        for name in ["\u{E9}", "e\u{301}"] {
            try folder.run("printf 2 > 'a/\(name)/x.lua'")
            let changed = watcher.changes(timeout: .seconds(60)) ?? []
            #expect(changed.map { Array($0.utf8) } == [Array(folder.file("a/\(name)/x.lua").utf8)])
        }
    }
    #endif

    @Test("an interrupted watcher checks no more files")
    func interrupted() throws {
        let folder = try WatchedFolder()
        try folder.write("x.lua", "one")
        var settings = WatchSettings()
        settings.usesEvents = false
        settings.isInterrupted = { true }
        let watched = WatchedFiles(folders: [.init(folder.path, ending: ".lua")])
        let watcher = FileWatcher(watched, settings: settings)
        try folder.write("x.lua", "two")
        #expect(watcher.changes(timeout: .zero) == nil)
    }

    @Test("writes to unrelated files in the folder do not end a wait")
    func outputs() throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        for backend in Backend.here {
            let watcher = FileWatcher(watched, settings: backend.settings)
            for number in 1...20 { try folder.write("report.json", "\(number)") }
            #expect(watcher.wait(timeout: .milliseconds(60)) == .timedOut)
        }
    }

    @Test("a change between two waits is remembered, and reported once", arguments: Backend.here)
    func kept(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        let files = ["a.lua", "b.lua", "c.lua"].map(folder.file)
        for name in ["a.lua", "b.lua", "c.lua"] { try folder.write(name, "one") }
        let watcher = FileWatcher(WatchedFiles(files: [files[0]]), settings: backend.settings)
        try folder.write("a.lua", "two")
        try folder.write("b.lua", "two")
        // Newly watched files are taken as they are; changes of files watched before are kept.
        watcher.watch(WatchedFiles(files: [files[0], files[1]]))
        #expect(watcher.changes(timeout: .seconds(60)) == [files[0]])
        watcher.watch(WatchedFiles(files: [files[1], files[2]]))
        try folder.write("a.lua", "three")
        try folder.write("c.lua", "two")
        #expect(watcher.changes(timeout: .seconds(60)) == [files[2]])
        #expect(watcher.changes(timeout: .milliseconds(50)) == nil)
    }

    @Test("a file written in twenty pieces is reported as one change", arguments: Backend.here)
    func slowWriter(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        var settings = backend.settings
        settings.quiet = .seconds(1)
        settings.longest = .seconds(30)
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings)
        Thread {
            guard let handle = FileHandle(forWritingAtPath: folder.file("main.lua")) else { return }
            try? handle.truncate(atOffset: 0)
            for piece in 0..<20 {
                try? handle.write(contentsOf: Data("\(piece),".utf8))
                // This test is about time.
                Thread.sleep(forTimeInterval: 0.005)
            }
            try? handle.close()
        }.start()
        let whole = (0..<20).map { "\($0)," }.joined()
        #expect(watcher.changes(until: { folder.text("main.lua") == whole }) == 1)
    }

    @Test(
        "waiting for a process that never stops writing ends after the maximum time",
        arguments: Backend.here
    )
    func endlessWriter(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        var settings = backend.settings
        settings.quiet = .milliseconds(200)
        settings.longest = .milliseconds(400)
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings)
        let isDone = Flag()
        Thread {
            var number = 0
            while !isDone.isSet {
                number += 1
                try? folder.write("main.lua", "\(number)")
            }
        }.start()
        #expect(watcher.changes(timeout: .seconds(60)) != nil)
        isDone.set()
    }

    @Test(
        "1,000 fast writes are reported as a few changes, and the last write is included",
        arguments: Backend.here
    )
    func storm(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        var settings = backend.settings
        settings.quiet = .milliseconds(100)
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: settings)
        Thread { for number in 1...1000 { try? folder.write("main.lua", "\(number)") } }.start()
        let count = watcher.changes(until: { folder.text("main.lua") == "1000" })
        #expect(try #require(count) <= 10)
    }

    @Test("another thread can end the current wait or, without a current wait, the next wait")
    func wake() throws {
        for backend in Backend.here {
            let watcher = FileWatcher(settings: backend.settings)
            watcher.wake()
            #expect(watcher.wait() == .woken)
            #expect(watcher.wait(timeout: .zero) == .timedOut)
            watcher.wake()
            #expect(watcher.changes() == nil)
            Thread { watcher.wake() }.start()
            #expect(watcher.wait() == .woken)
        }
    }

    @Test(
        "a wait that is ended before files settle keeps the pending hint",
        arguments: Backend.here
    )
    func wakeWhileSettling(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: backend.settings)
        try folder.write("main.lua", "two")
        #expect(watcher.wait(timeout: .seconds(60)) == .hint)
        watcher.wake()
        #expect(!watcher.settle())
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("main.lua")])
    }

    #if os(Linux)
    @Test("lost events are treated as a change to any file")
    func overflow() throws {
        let text = try String(
            contentsOfFile: "/proc/sys/fs/inotify/max_queued_events",
            encoding: .utf8
        )
        let limit = try #require(Int(text.split(separator: "\n").first ?? ""))
        try #require(limit <= 1 << 20, "the queue is too long to fill it here")
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        let watched = WatchedFiles(files: [folder.file("main.lua")])
        let watcher = FileWatcher(watched, settings: Backend.events.settings)
        // Consecutive events must differ, or the kernel merges them.
        let noise = folder.file("noise")
        for _ in 0...(limit / 2) {
            close(open(noise, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            unlink(noise)
        }
        try folder.write("main.lua", "two")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("main.lua")])
        try folder.write("main.lua", "three")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("main.lua")])
    }

    @Test("a file system that does not report changes is polled, and the watcher gives the reason")
    func silent() {
        let watcher = FileWatcher(WatchedFiles(files: ["/proc/self/status"]))
        #expect(
            watcher.mode
                == .polling(
                    why:
                        "the folder '/proc/\(getpid())' is on a file system of type 'proc', which does not report changes"
                )
        )
    }
    #endif

    @Test("a watcher that polls gives the reason why it receives no events")
    func polling() {
        let watcher = FileWatcher(settings: Backend.polling.settings)
        #expect(watcher.mode == .polling(why: "as requested"))
    }
}

/// A flag that one thread sets once and another thread reads.
final class Flag: Sendable {
    private let value = Atomic()

    var isSet: Bool { value.isSet }

    func set() { value.set() }
}
