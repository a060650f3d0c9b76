// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteWatching
import Testing

/// Tests of the ways in which programs save files.
///
/// Each way changes the text of a file from `one` to `two`.
struct SavingTests {
    struct Way: CustomTestStringConvertible, Sendable {
        let name: String
        /// The path of the watched file.
        var file = "main.lua"
        /// The commands that create the folder, with a file that contains `one`.
        var before = "printf one > main.lua"
        /// The commands that save `two`.
        let save: String
        /// The path at which the file is written after the save, to check that it is still watched.
        var writable: String?
        /// The program that the commands need; nil if they need none.
        var program: String?

        var testDescription: String { name }

        var isPossible: Bool {
            guard let program else { return true }
            return ["/usr/bin", "/bin", "/usr/local/bin"].contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }
    }

    private static let git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=x"
    private static let vim = "vim -es -u NONE -i NONE"

    static let ways = [
        Way(name: "echo into the file", save: "printf two > main.lua"),
        Way(
            name: "cp over the file",
            before: "printf one > main.lua; printf two > new",
            save: "cp new main.lua"
        ),
        Way(name: "sed -i", save: "sed -i.bak s/one/two/ main.lua"),
        Way(name: "mv over the file", save: "printf two > .main.tmp; mv .main.tmp main.lua"),
        Way(
            name: "a save through a file in another folder",
            before: "printf one > main.lua; mkdir tmp",
            save: "printf two > tmp/new; sync tmp/new || true; mv tmp/new main.lua"
        ),
        Way(
            name: "vim by its own choice of backup",
            save: "\(vim) -c 'set bk' -c '%s/one/two/' -c 'set noeol nofixeol' -c wq main.lua",
            program: "vim"
        ),
        Way(
            name: "vim that renames the file to its backup",
            save: "\(vim) -c 'set backupcopy=no' -c '%s/one/two/' -c 'set noeol nofixeol' "
                + "-c wq main.lua",
            program: "vim"
        ),
        Way(
            name: "vim that writes into the file",
            save: "\(vim) -c 'set backupcopy=yes' -c '%s/one/two/' -c 'set noeol nofixeol' "
                + "-c wq main.lua",
            program: "vim"
        ),
        Way(
            name: "the steps of an editor that renames",
            save: """
                : > 4913; rm 4913; mv main.lua main.lua~; printf two > main.lua; rm main.lua~
                """
        ),
        Way(
            name: "git checkout",
            before: """
                git init -q . ; printf two > main.lua; \(git) add -A; \(git) commit -qm two
                printf one > main.lua; \(git) commit -qam one
                """,
            save: "\(git) checkout -q HEAD~1",
            program: "git"
        ),
        Way(
            name: "a swap of ..data in a mounted volume",
            before: """
                mkdir ..1 ..2; printf one > ..1/main.lua; printf two > ..2/main.lua
                ln -s ..1 ..data; ln -s ..data/main.lua main.lua
                """,
            save: "ln -s ..2 ..tmp; mv -T ..tmp ..data; rm -r ..1",
            writable: "..2/main.lua"
        ),
        Way(
            name: "a swap of a link to the whole folder",
            file: "current/main.lua",
            before: """
                mkdir v1 v2; printf one > v1/main.lua; printf two > v2/main.lua; ln -s v1 current
                """,
            save: "ln -s v2 next; mv -T next current",
            writable: "v2/main.lua"
        ),
        Way(
            name: "a write to what three links lead to",
            before: """
                mkdir a b; printf one > b/real; ln -s ../b/real a/third; ln -s a/third second
                ln -s second main.lua
                """,
            save: "printf two > b/real"
        ),
        Way(
            name: "a swap of the last of three links",
            before: """
                mkdir a b; printf one > b/real; printf two > b/other; ln -s ../b/real a/third
                ln -s a/third second; ln -s second main.lua
                """,
            save: "ln -s ../b/other a/new; mv -T a/new a/third",
            writable: "b/other"
        ),
        Way(
            name: "a write in a folder behind a link",
            file: "link/deep/main.lua",
            before: "mkdir -p real/deep; printf one > real/deep/main.lua; ln -s real link",
            save: "printf two > real/deep/main.lua"
        ),
        Way(name: "delete and create again", save: "rm main.lua; printf two > main.lua"),
        Way(
            name: "the whole folder renamed away and a new one put there",
            file: "app/main.lua",
            before: "mkdir app new; printf one > app/main.lua; printf two > new/main.lua",
            save: "mv app old; mv new app"
        ),
        Way(
            name: "the folder above renamed away and a new one put there",
            file: "a/b/c/main.lua",
            before: """
                mkdir -p a/b/c n/b/c; printf one > a/b/c/main.lua; printf two > n/b/c/main.lua
                """,
            save: "mv a old; mv n a"
        ),
        Way(
            name: "the folder deleted and made again",
            file: "app/main.lua",
            before: "mkdir app; printf one > app/main.lua",
            save: "rm -r app; mkdir app; printf two > app/main.lua"
        ),
        Way(name: "a missing file comes", before: ":", save: "printf two > main.lua"),
        Way(
            name: "a missing file comes with its folders",
            file: "a/b/main.lua",
            before: ":",
            save: "mkdir -p a/b; printf two > a/b/main.lua"
        ),
        Way(
            name: "the target of a broken link comes",
            before: "ln -s later/main.lua main.lua",
            save: "mkdir later; printf two > later/main.lua"
        ),
        Way(
            name: "a folder in the place of the file goes",
            before: "mkdir main.lua",
            save: "rmdir main.lua; printf two > main.lua"
        ),
        Way(
            name: "a slow writer of five pieces",
            save: "{ printf t; printf w; printf o; printf ''; } > main.lua"
        ),
    ]

    static let possibleWays = ways.filter(\.isPossible)

    @Test("each of two consecutive saves is noticed", arguments: possibleWays, Backend.here)
    func save(_ way: Way, _ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run(way.before)
        let file = folder.file(way.file)
        let watcher = FileWatcher(WatchedFiles(files: [file]), settings: backend.settings)
        if backend == .events { #expect(watcher.mode == .events) }
        try folder.run(way.save)
        #expect(watcher.changes(timeout: .seconds(60)) == [file])
        #expect(folder.text(way.file) == "two")

        try folder.write(way.writable ?? way.file, "three")
        #expect(watcher.changes(timeout: .seconds(60)) == [file])
        try folder.run("mv \(way.writable ?? way.file) gone")
        #expect(watcher.changes(timeout: .seconds(60)) == [file])
        if backend == .events { #expect(watcher.mode == .events) }
    }

    /// Commands that leave the bytes of the file unchanged.
    static let idleWays = [
        Way(name: "touch", save: "touch main.lua"),
        Way(name: "chmod", save: "chmod 600 main.lua"),
        Way(name: "the same bytes written again", save: "printf one > main.lua"),
        Way(name: "the same bytes by mv", save: "printf one > new; mv new main.lua"),
        Way(
            name: "a link swapped to the same bytes",
            before: "mkdir a b; printf one > a/x; printf one > b/x; ln -s a/x main.lua",
            save: "ln -s b/x new; mv -T new main.lua"
        ),
    ]

    @Test(
        "an operation that does not change the contents is a hint, but not a change",
        arguments: idleWays,
        Backend.here
    )
    func idle(_ way: Way, _ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.run(way.before)
        let watched = WatchedFiles(files: [folder.file("main.lua"), folder.file("other.lua")])
        if backend == .events {
            let watcher = FileWatcher(watched, settings: backend.settings)
            try folder.run(way.save)
            #expect(watcher.wait(timeout: .seconds(60)) == .hint)
        }
        let watcher = FileWatcher(watched, settings: backend.settings)
        try folder.run(way.save + "; printf x > other.lua")
        #expect(watcher.changes(timeout: .seconds(60)) == [folder.file("other.lua")])
    }

    @Test(
        "a file that is deleted temporarily is reported when it exists again",
        arguments: Backend.here
    )
    func gap(_ backend: Backend) throws {
        let folder = try WatchedFolder()
        try folder.write("main.lua", "one")
        let file = folder.file("main.lua")
        let watcher = FileWatcher(WatchedFiles(files: [file]), settings: backend.settings)
        try folder.run("rm main.lua")
        #expect(watcher.changes(timeout: .seconds(60)) == [file])
        try folder.write("main.lua", "two")
        #expect(watcher.changes(timeout: .seconds(60)) == [file])
    }
}
