// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteWatching
import LuaRouting
import TestSupport
import Testing

struct BundleWatcherTests {
    typealias ScriptBundle = LuaRouting.ScriptBundle

    /// Requests files from a bundle as scripts do while they load.
    private func load(_ bundle: ScriptBundle, _ files: String...) {
        for file in [bundle.entry] + files { _ = try? bundle.source(of: file) }
    }

    private func text(_ bundle: ScriptBundle?, _ file: String = "main.lua") throws -> String {
        String(decoding: try #require(bundle).source(of: file), as: UTF8.self)
    }

    private func next(_ watcher: BundleWatcher) throws -> ScriptBundle? {
        try watcher.next(timeout: .seconds(60))
    }

    @Test("a bundle is returned again after one of its files has changed", arguments: Backend.here)
    func changes(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run("mkdir a; printf 'return 1' > main.lua; printf 'return 2' > a/b.lua")
        let watcher = BundleWatcher(path: folder.path, settings: backend.settings)
        let first = try #require(try next(watcher))
        load(first, "a/b.lua", "vendor/x.lua")
        #expect(try watcher.next(timeout: .zero) == nil)

        try folder.write("a/b.lua", "return 3")
        let second = try next(watcher)
        #expect(try text(second, "a/b.lua") == "return 3")
        // The old snapshot keeps the content that it has read.
        #expect(try text(first, "a/b.lua") == "return 2")
        load(try #require(second), "a/b.lua", "vendor/x.lua")

        try folder.run("mkdir vendor; printf 'return 4' > vendor/x.lua")
        #expect(try text(try next(watcher), "vendor/x.lua") == "return 4")
    }

    @Test("a change while a bundle is loaded is not lost", arguments: Backend.here)
    func during(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run("printf 1 > main.lua; printf 1 > a.lua")
        let bundle = try ScriptBundle(path: folder.path)
        load(bundle, "a.lua")
        // Before any file is watched.
        try folder.write("a.lua", "2")
        let watcher = BundleWatcher(bundle, settings: backend.settings)
        let second = try #require(try next(watcher))
        // Before the load that requests the file, and right after.
        try folder.write("a.lua", "3")
        load(second, "a.lua")
        #expect(try text(second, "a.lua") == "2")
        let third = try #require(try next(watcher))
        load(third, "a.lua", "b.lua")
        try folder.write("b.lua", "1")
        #expect(try text(try next(watcher), "b.lua") == "1")
    }

    @Test("a rejected bundle is returned again after a file that it requested has changed")
    func rejected() throws {
        let folder = try WatchedFolder()
        try folder.run("printf 1 > main.lua")
        let watcher = BundleWatcher(path: folder.path, settings: Backend.here[0].settings)
        load(try #require(try next(watcher)))
        // A save of a script that requires a module with an error in it.
        try folder.run("printf 'e' > new.lua; printf 2 > main.lua")
        let bad = try #require(try next(watcher))
        load(bad, "new.lua")
        #expect(try watcher.next(timeout: .milliseconds(100)) == nil)
        try folder.write("new.lua", "fine")
        #expect(try text(try next(watcher), "new.lua") == "fine")
    }

    @Test("a file that scripts no longer request is not watched")
    func unused() throws {
        let folder = try WatchedFolder()
        try folder.run("printf 1 > main.lua; printf 1 > a.lua")
        let watcher = BundleWatcher(path: folder.path, settings: Backend.here[0].settings)
        load(try #require(try next(watcher)), "a.lua")
        try folder.write("main.lua", "2")
        load(try #require(try next(watcher)))
        try folder.run("rm a.lua")
        #expect(try watcher.next(timeout: .milliseconds(100)) == nil)
    }

    struct Trouble: CustomTestStringConvertible, Sendable {
        let name: String
        let commands: String
        let reason: BundleError.Reason

        var testDescription: String { name }
    }

    static let troubles = [
        Trouble(name: "deleted for good", commands: "rm main.lua", reason: .missing),
        Trouble(name: "its folder renamed", commands: "mv ../app ../gone", reason: .missing),
        Trouble(
            name: "replaced by a folder",
            commands: "rm main.lua; mkdir main.lua",
            reason: .unreadable
        ),
        Trouble(
            name: "replaced by a pipe",
            commands: "rm main.lua; mkfifo main.lua",
            reason: .unreadable
        ),
        Trouble(
            name: "replaced by a link that leads out",
            commands: "ln -sf /etc/hostname main.lua",
            reason: .unreadable
        ),
        Trouble(
            name: "larger than the limit",
            commands: "head -c 300000 /dev/zero > main.lua",
            reason: .tooLarge
        ),
        Trouble(name: "not UTF-8", commands: #"printf '\377' > main.lua"#, reason: .notUTF8),
    ]

    @Test(
        "an unusable entry file is reported once, and the repaired bundle is returned",
        arguments: troubles,
        Backend.here
    )
    func trouble(_ trouble: Trouble, _ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run("mkdir app; printf 1 > app/main.lua")
        let bundle = try ScriptBundle(path: folder.file("app"))
        let watcher = BundleWatcher(bundle, settings: backend.settings)
        try folder.run("cd app; " + trouble.commands)
        let error = try #require(throws: BundleError.self) { _ = try next(watcher) }
        #expect(error.reason == trouble.reason)
        #expect(try watcher.next(timeout: .milliseconds(50)) == nil)
        try folder.run("rm -rf app; mkdir app; printf 2 > app/main.lua")
        #expect(try text(try next(watcher)) == "2")
    }

    @Test(
        "a missing bundle is reported once, and the watcher waits until it exists",
        arguments: Backend.here
    )
    func later(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        for (path, commands) in [
            ("a/b", "mkdir -p a/b; printf 1 > a/b/main.lua"),
            ("x/y.lua", "mkdir x; printf 1 > x/y.lua"),
        ] {
            let watcher = BundleWatcher(path: folder.file(path), settings: backend.settings)
            let error = try #require(throws: BundleError.self) { _ = try watcher.next() }
            #expect(error.reason == .missing)
            #expect(try watcher.next(timeout: .milliseconds(50)) == nil)
            try folder.run(commands)
            let bundle = try #require(try next(watcher))
            #expect(try text(bundle, bundle.entry) == "1")
        }
    }

    @Test("undoing a change is reported only if the change itself was reported")
    func takenBack() throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "1")
        let live = try ScriptBundle(path: folder.path)
        let watcher = BundleWatcher(live, settings: Backend.here[0].settings)
        try folder.write("main.lua", "2")
        let other = try #require(try next(watcher))
        #expect(!other.isSame(as: live))
        try folder.write("main.lua", "1")
        let back = try #require(try next(watcher))
        #expect(back.isSame(as: live))
        // Both changes happened before the watcher looked.
        try folder.run("printf 2 > main.lua; printf 1 > main.lua; touch main.lua")
        #expect(try watcher.next(timeout: .milliseconds(100)) == nil)
    }

    @Test("another thread can end a wait for a bundle in memory, which never changes")
    func wake() throws {
        let bundle = ScriptBundle(files: ["main.lua": "1"])
        let watcher = BundleWatcher(bundle)
        #expect(try watcher.next(timeout: .milliseconds(10)) == nil)
        Thread { watcher.wake() }.start()
        #expect(try watcher.next() == nil)
    }

    @Test("replacing a whole folder is never observed half done")
    func swaps() throws {
        let folder = try WatchedFolder()
        try folder.run(
            """
            for n in 1 2; do mkdir v$n; for f in main a b c; do printf $n > v$n/$f.lua; done; done
            ln -s v1 current
            """
        )
        let bundle = try ScriptBundle(path: folder.file("current"))
        load(bundle, "a.lua", "b.lua", "c.lua")
        let isDone = Flag()
        let stopped = DispatchSemaphore(value: 0)
        Thread {
            var version = 1
            while !isDone.isSet {
                version = 3 - version
                unlink(folder.file("next"))
                symlink("v\(version)", folder.file("next"))
                rename(folder.file("next"), folder.file("current"))
            }
            stopped.signal()
        }.start()
        for _ in 0..<200 {
            // If files change too fast there is no snapshot, but never a mixed one.
            guard let newer = try? bundle.reread() else { continue }
            let texts = try ["main.lua", "a.lua", "b.lua", "c.lua"].map { try text(newer, $0) }
            #expect(Set(texts).count == 1)
        }
        isDone.set()
        try onThread { stopped.wait() }
        _ = try bundle.reread()
    }
}
