// SPDX-License-Identifier: MIT

#if Bundles
import Foundation
import LuaRouteBundles
import LuaRouting
import RandomNumbers
import TestSupport
import Testing

/// Tests of stores in the file system that other processes use.
@Suite(.timeLimit(.minutes(10))) struct StoreProcessTests {
    private let key = BundlePrivateKey()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ path: String) throws -> BundleStore {
        try BundleStore(
            folder: path,
            name: "podcast",
            keys: [key.publicKey],
            embedded: ScriptBundle(files: ["main.lua": ""])
        )
    }

    /// Begins a process that stages and starts bundles.
    private func begin(_ program: String, _ arguments: [String]) throws -> (Process, FileHandle) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    /// Shell commands that create a pipe, a link, a file or a folder at the path of a store's file.
    private static let occupants = ["state.json.new", "state.json", "BUNDLE.new", "BUNDLE", "lock"]
        .flatMap { name in
            [
                "rm -f NAME; mkfifo", "ln -sf ../outside", "ln -sf nothing", "printf x >",
                "rm -f NAME; mkdir",
            ].map { "\($0) \(name)".replacing("NAME", with: name) }
        }

    @Test(
        "anything at the path of a store's file is replaced without being opened",
        arguments: occupants
    )
    func occupied(_ line: String) throws {
        let path = folder.path + "/store"
        try folder.write("outside", "kept")
        let bytes = try StoreSample(key: key).bundle(1)
        let name = try VerifiedBundle(bytes, keys: [key.publicKey]).digest + ".lrb"
        _ = try store(path)
        let line = "cd '\(path)'; \(line.replacing("BUNDLE", with: name))"
        let (process, _) = try begin("/bin/sh", ["-ec", line])
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        #expect(throws: Never.self) { try store(path).stage(bytes) }
        #expect(try store(path).start { $0.bundle?.manifest.version } == 1)
        #expect(try folder.read("outside") == "kept")
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let type = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.type]
            #expect(type as? FileAttributeType == .typeRegular, "\(name)")
        }
    }

    @Test(
        "a folder in place of a store's file causes an error that names the folder",
        arguments: ["state.json.new", "state.json", "lock"]
    )
    func occupiedByFolder(_ name: String) throws {
        let path = folder.path + "/store"
        try folder.write("store/\(name)/file", "kept")
        let bytes = try StoreSample(key: key).bundle(1)
        let refusal = #expect(throws: BundleRefusal.self) { try store(path).stage(bytes) }
        #expect(refusal?.reason == .storage)
        #expect(
            refusal?.description.hasPrefix(
                "the store cannot write '\(name)' (a file or nothing at '\(path)/\(name)' expected, got 'a folder that cannot be removed: "
            ) == true
        )
        #expect(try store(path).start { $0.bundle?.manifest.version } == nil)
        #expect(try folder.read("store/\(name)/file") == "kept")
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        #expect(throws: Never.self) { try store(path).stage(bytes) }
    }

    @Test(
        "the record says why a bundle was removed whose file is a pipe, too large or empty",
        arguments: ["rm NAME; mkfifo NAME", "truncate -s 20G NAME", ": > NAME"]
    )
    func removedFile(_ line: String) throws {
        let path = folder.path + "/store"
        let bytes = try StoreSample(key: key).bundle(1)
        let name = try VerifiedBundle(bytes, keys: [key.publicKey]).digest + ".lrb"
        _ = try store(path).stage(bytes)
        let line = "cd '\(path)'; \(line.replacing("NAME", with: name))"
        let (process, _) = try begin("/bin/sh", ["-ec", line])
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        #expect(try store(path).start { $0.bundle?.manifest.version } == nil)
        #expect(
            try store(path).changes.last?.reason
                == "the file of the bundle is empty, larger than 67108864 bytes, or no regular file"
        )
    }

    @Test(
        "the refusal of a store whose folder is read-only gives the reason of the system",
        .enabled(if: geteuid() != 0, "the superuser can write to every folder")
    )
    func readOnlyFolder() throws {
        let path = folder.path + "/store"
        _ = try store(path)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
        let bytes = try StoreSample(key: key).bundle(1)
        let refusal = #expect(throws: BundleRefusal.self) { try store(path).stage(bytes) }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        #expect(refusal?.description.contains("Permission denied") == true)
        #expect(refusal?.description.contains("a folder that cannot be removed") == false)
    }

    @Test("only one store in one process can open a folder at a time")
    func secondStore() throws {
        let path = folder.path + "/store"
        let first = try store(path)
        let refusal = #expect(throws: BundleRefusal.self) { try store(path) }
        #expect(
            refusal?.description
                == "the store cannot open '\(path)' (only one open store for a folder "
                + "expected, got 'another store, in this or another process, has locked "
                + "'\(path)/lock'')"
        )
        let (process, output) = try begin(
            builtProduct("StoreRun").path,
            [path, key.secretText, "1"]
        )
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.hasPrefix("failed the store cannot open '\(path)' "))
        _ = try first.stage(StoreSample(key: key).bundle(1))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 3)
    }

    @Test("a folder can be opened again after its store was released or its process was killed")
    func released() throws {
        let path = folder.path + "/store"
        do { _ = try store(path).stage(StoreSample(key: key).bundle(1)) }
        let (process, output) = try begin(
            builtProduct("StoreRun").path,
            [path, key.secretText, "2"]
        )
        #expect(!output.availableData.isEmpty)
        #expect(throws: BundleRefusal.self) { try store(path) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(throws: Never.self) { try store(path) }
    }

    /// Returns copies of all descriptors that refer to a file, as a process that is being spawned
    /// has until it executes its program.
    private func descriptorCopies(of path: String) -> [Int32] {
        var file = stat()
        guard stat(path, &file) == 0 else { return [] }
        return (0..<Int32(4096)).filter { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0
                && (status.st_dev, status.st_ino) == (file.st_dev, file.st_ino)
        }.map { dup($0) }
    }

    @Test("a released store leaves its folder unlocked while another process is being spawned")
    func releasedDuringSpawn() throws {
        let path = folder.path + "/store"
        var copies: [Int32] = []
        do {
            let first = try store(path)
            copies = descriptorCopies(of: path + "/lock")
            _ = try first.stage(StoreSample(key: key).bundle(1))
        }
        defer { for copy in copies { close(copy) } }
        #expect(!copies.isEmpty)
        #expect(throws: Never.self) { try store(path) }
    }

    @Test("a process killed at any time leaves a store from which the next process starts")
    func kills() throws {
        var random = RandomNumbers(seed: UInt64.random(in: 0...UInt64.max))
        var last = 0
        for round in 0..<60 {
            let (process, output) = try begin(
                builtProduct("StoreRun").path,
                [folder.path + "/store", key.secretText, "\(last + 1)"]
            )
            // It is killed some bytes after one of its steps.
            var heard = 0
            let limit = random.below(160)
            while heard <= limit {
                let data = output.availableData
                if data.isEmpty { break }
                heard += data.count
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let rest = output.readDataToEndOfFile()
            #expect(!String(decoding: rest, as: UTF8.self).contains("failed"))

            let store = try store(folder.path + "/store")
            let version = store.start { $0.bundle?.manifest.version ?? 0 }
            #expect(version >= (store.lastGood?.version ?? 0), "round \(round)")
            #expect(version >= last - 1)
            #expect(store.changes.allSatisfy { $0.kind != .reset && $0.kind != .removed })
            try store.confirm()
            last = max(last, version, store.changes.compactMap(\.version).max() ?? 0)
        }
        #expect(last > 10)
        #expect(try store(folder.path + "/store").quarantined == [])
    }

    @Test(
        "if the disk is full, a new bundle is rejected, and the next process uses the last bundle",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"),
            "no unshare is here"
        )
    )
    func fullDisk() throws {
        let path = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // The file system is mounted for these processes alone.
        let script = """
            mount -t tmpfs -o size=160k tmpfs "$1" || exit 77
            "$2" "$1/store" "$3" 1
            "$2" "$1/store" "$3" 1000
            """
        let (process, output) = try begin(
            "/usr/bin/unshare",
            [
                "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", path,
                builtProduct("StoreRun").path, key.secretText,
            ]
        )
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 77 || process.terminationStatus == 1, text.isEmpty {
            print("skipped: no file system of its own can be mounted")
            return
        }
        let lines = text.split(separator: "\n").map(String.init)
        let failures = lines.indices.filter { lines[$0].hasPrefix("failed") }
        #expect(failures.count == 2, "\(text)")
        #expect(lines.filter { $0.contains("No space left on device") }.count == 2)
        let first = try #require(failures.first)
        #expect(first > 3)
        // The second process starts with the last bundle that the first one has staged.
        let staged = lines[..<first].last { $0.hasPrefix("staged") }
        #expect(lines[first + 1] == staged?.replacing("staged", with: "started"))
    }
}
#endif
