// SPDX-License-Identifier: MIT

#if Bundles
import BundleKit
import Foundation
import LuaRouteBundles
import LuaRouting
import ScenarioKit
import TestSupport
import Testing

/// Tests of the commands that make, sign, verify and compare bundles.
struct BundleCommandTests {
    /// The texts that a command has printed, and the pieces of input that it has not read yet.
    private final class Printed {
        var output = ""
        var errors = ""
        var input: [[UInt8]] = []
    }

    private static let main = """
        router.api(1)
        require "pages.show"
        router.start(function() return router.nav { router.screen "Main" } end)
        """
    private static let show = """
        router.register("Show", "open", {
          url = "/shows/:id",
          info = { id = "integer" },
          examples = { { id = 7 } },
          build = function(info) return router.screen("ShowPage", { id = info.id }) end,
        })
        router.register("Help", "open", { url = "/help", build = router.screen "HelpPage" })
        """
    private static let smoke = """
        include "common.scenario"

        scenario "a show opens"
          start
          navigate Show/open(id=7)
          expect top ShowPage(id=7)
        """

    private let folder: TemporaryFolder
    private let printed = Printed()
    private var path: String { folder.path }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("app/main.lua", Self.main)
        try folder.write("app/pages/show.lua", Self.show)
        try folder.write("app/.hidden.lua", "no Lua")
        try folder.write("app/notes.txt", "no script")
        try folder.write("app/smoke.scenario", Self.smoke)
        try folder.write("app/common.scenario", "macro unused\n  advance 1s\n")
    }

    private var streams: BundleOutput {
        BundleOutput(
            Console(
                output: { [printed] in printed.output += $0 },
                errors: { [printed] in printed.errors += $0 }
            ),
            input: { [printed] in printed.input.isEmpty ? nil : printed.input.removeFirst() },
            save: { bytes, path, isSecret in
                let made = FileManager.default.createFile(
                    atPath: path,
                    contents: Data(bytes),
                    attributes: isSecret ? [.posixPermissions: 0o600] : nil
                )
                return made ? nil : "no"
            }
        )
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }

    private func make(
        _ name: String = "app.lrb",
        version: Int = 1,
        _ change: (inout MakeCommand) -> Void = { _ in }
    ) -> ExitCode {
        var command = MakeCommand(path: "\(path)/app", target: "\(path)/\(name)", version: version)
        command.canary = ["smoke.scenario"]
        change(&command)
        return command.run(streams)
    }

    /// Makes keys, and a signed bundle.
    private func makeSigned(_ name: String = "app.lrb", version: Int = 1) {
        if !FileManager.default.fileExists(atPath: "\(path)/key") {
            #expect(KeyCommand(path: "\(path)/key").run(streams) == .success)
        }
        #expect(make(name, version: version) == .success)
        let command = SignCommand(path: "\(path)/\(name)", key: "\(path)/key")
        #expect(command.run(streams) == .success)
    }

    private func verify(
        _ name: String = "app.lrb",
        _ change: (inout VerifyCommand) -> Void = { _ in }
    ) -> ExitCode {
        var command = VerifyCommand(path: "\(path)/\(name)", keys: ["\(path)/key.pub"])
        change(&command)
        return command.run(streams)
    }

    @Test(
        "a bundle contains the scripts of a folder, their canary, and the files that the canary includes"
    )
    func made() throws {
        #expect(make() == .success, "\(printed.errors)")
        let (manifest, _) = try BundleArchive(bytes("app.lrb")).unverified()
        #expect(
            manifest.files.map(\.path) == [
                "common.scenario", "main.lua", "pages/show.lua", "smoke.scenario",
            ]
        )
        #expect(manifest.name == "app")
        #expect(manifest.api == 1)
        #expect(manifest.canary == ["smoke.scenario"])
        #expect(
            manifest.capabilities.words
                == ["push", "screens:HelpPage", "screens:Main", "screens:ShowPage", "urls:any"]
        )
        let first = try bytes("app.lrb")
        #expect(make() == .success)
        #expect(try bytes("app.lrb") == first)
    }

    @Test(
        "a signed bundle can be verified, and its scenarios run with the scripts inside the bundle"
    )
    func verified() throws {
        makeSigned()
        #expect(verify() == .success, "\(printed.errors)")
        #expect(printed.output.contains("/app.lrb: app 1, 4 files, "))
        try FileManager.default.removeItem(atPath: "\(path)/app")
        let command = RunBundleCommand(path: "\(path)/app.lrb", keys: ["\(path)/key.pub"])
        let code = command.run(streams) { files, body in
            do {
                for (name, text) in files { try folder.write("unpacked/\(name)", text) }
            } catch {
                return "\(error)"
            }
            body("\(path)/unpacked")
            return nil
        }
        #expect(code == .success, "\(printed.errors)\(printed.output)")
        #expect(printed.output.contains("1 passed"))
    }

    @Test("the errors of a run name the files by their paths in the bundle")
    func pathsOfRun() throws {
        let text = Self.smoke.replacing("top ShowPage(id=7)", with: "top Other")
        try folder.write("app/smoke.scenario", text)
        try folder.write(
            "app/pages/show.lua",
            Self.show.replacing("build = function(info)", with: "build = function(info) error 'no'")
        )
        makeSigned()
        let command = RunBundleCommand(path: "\(path)/app.lrb", keys: ["\(path)/key.pub"])
        printed.errors = ""
        let code = command.run(streams) { files, body in
            for (name, text) in files { try? folder.write("unpacked/\(name)", text) }
            body("\(path)/unpacked")
            return nil
        }
        #expect(code == .failed)
        let printed = printed.output + printed.errors
        #expect(printed.contains("smoke.scenario:5"))
        #expect(printed.contains("pages/show.lua:"))
        #expect(!printed.contains("unpacked"), "\(printed)")
    }

    @Test("a private key is read from standard input, and from no other pipe")
    func keyFromInput() throws {
        makeSigned()
        let key = try bytes("key")
        let signed = try bytes("app.lrb")
        printed.input = [Array(key.prefix(30)), Array(key.dropFirst(30))]
        #expect(make() == .success)
        #expect(SignCommand(path: "\(path)/app.lrb", key: "-").run(streams) == .success)
        #expect(try bytes("app.lrb") == signed)
        #expect(!printed.errors.contains("can be read by other users"))
        printed.input = [Array("no key".utf8)]
        #expect(SignCommand(path: "\(path)/app.lrb", key: "-").run(streams) == .inputMissing)
        #expect(printed.errors.contains("the standard input is not a private key (one line "))
        #expect(
            SignCommand(path: "\(path)/app.lrb", key: "/dev/null").run(streams) == .inputMissing
        )
        #expect(
            printed.errors.contains(
                "to read the key from a pipe, use '--key -' and the standard input"
            )
        )
        #expect(try bytes("app.lrb") == signed)
    }

    @Test(
        "a changed, an unsigned and a wrongly signed bundle are rejected with a code and a location"
    )
    func refused() throws {
        makeSigned()
        var changed = try bytes("app.lrb")
        changed[changed.count - 1] ^= 1
        try Data(changed).write(to: URL(filePath: "\(path)/changed.lrb"))
        #expect(verify("changed.lrb") == .failed)
        #expect(printed.errors.contains("error[B0109]: "))
        #expect(
            printed.errors.contains(
                "the file 'smoke.scenario' does not match its digest in the manifest"
            )
        )
        #expect(printed.errors.contains(" = byte    "))
        printed.errors = ""
        #expect(make("unsigned.lrb") == .success)
        #expect(verify("unsigned.lrb") == .failed)
        #expect(printed.errors.contains("error[B0104]: "))
        #expect(KeyCommand(path: "\(path)/other").run(streams) == .success)
        let command = SignCommand(path: "\(path)/app.lrb", key: "\(path)/other")
        #expect(command.run(streams) == .success)
        #expect(verify() == .failed)
        #expect(printed.errors.contains("error[B0105]: "))
        #expect(verify { $0.keys.append("\(path)/other.pub") } == .success)
    }

    @Test("an update needs a higher version, and a grant for each new capability")
    func update() throws {
        makeSigned("old.lrb", version: 1)
        makeSigned("same.lrb", version: 1)
        #expect(verify("same.lrb") { $0.previous = "\(path)/old.lrb" } == .failed)
        #expect(printed.errors.contains("error[B0111]: "))
        #expect(make("other.lrb", version: 2) { $0.name = "other" } == .success)
        let signing = SignCommand(path: "\(path)/other.lrb", key: "\(path)/key")
        #expect(signing.run(streams) == .success)
        printed.errors = ""
        #expect(verify("other.lrb") { $0.previous = "\(path)/old.lrb" } == .failed)
        #expect(printed.errors.contains("error[B0114]: "))
        #expect(verify("old.lrb") { $0.name = "other" } == .failed)
        #expect(verify("other.lrb") { $0.name = "other" } == .success)
        try folder.write(
            "app/main.lua",
            Self.main + """

                router.register("Web", "open", {
                  via = "present",
                  build = function()
                    router.delay(1, function() end)
                    return router.screen "Web"
                  end,
                })
                """
        )
        makeSigned("new.lrb", version: 2)
        #expect(verify("new.lrb") { $0.previous = "\(path)/old.lrb" } == .failed)
        #expect(printed.errors.contains("error[B0113]: "))
        #expect(printed.errors.contains("got present, screens:Web, timers)"))
        let grants = ["present", "screens", "timers"]
        let code = verify("new.lrb") { command in
            command.previous = "\(path)/old.lrb"
            command.grants = grants
        }
        #expect(code == .success, "\(printed.errors)")
        // Without a previous bundle, the grants are all that it may ask for.
        #expect(verify("new.lrb") { $0.grants = grants } == .failed)
        #expect(verify("new.lrb") { $0.grants = grants + ["push", "urls"] } == .success)
    }

    @Test("a bundle is rejected only after its last valid second")
    func expired() throws {
        #expect(KeyCommand(path: "\(path)/key").run(streams) == .success)
        #expect(make { $0.notAfter = MakeCommand.seconds("2026-12-31", endsDay: true) } == .success)
        let command = SignCommand(path: "\(path)/app.lrb", key: "\(path)/key")
        #expect(command.run(streams) == .success)
        let last = try #require(MakeCommand.seconds("2026-12-31T23:59:59Z"))
        #expect(verify { $0.time = last } == .success)
        #expect(verify { $0.time = last + 1 } == .failed)
        #expect(printed.errors.contains("error[B0112]: "))
        printed.errors = ""
        var run = RunBundleCommand(path: "\(path)/app.lrb", keys: ["\(path)/key.pub"])
        run.time = last + 1
        #expect(run.run(streams) { _, _ in "not unpacked" } == .failed)
        #expect(printed.errors.contains("error[B0112]: "))
    }

    @Test(
        "a signed bundle is replaced by a newer version, but not by another bundle of the same or a lower version"
    )
    func replacing() throws {
        makeSigned(version: 2)
        let first = try bytes("app.lrb")
        for version in 1...2 {
            printed.errors = ""
            #expect(make(version: version) { $0.created = 1 } == .outputFailed)
            #expect(
                printed.errors.contains(
                    "app.lrb' is a signed bundle of version 2, and "
                        + "a different bundle of version \(version) cannot replace it"
                )
            )
            #expect(try bytes("app.lrb") == first)
        }
        #expect(make(version: 3) == .success)
    }

    @Test("a signed bundle with the same contents is kept, with its signature")
    func unchanged() throws {
        makeSigned()
        let first = try bytes("app.lrb")
        let key = try folder.read("key.pub").dropFirst("ed25519-public ".count).prefix(16)
        printed.errors = ""
        #expect(make() == .success)
        #expect(
            printed.errors
                == "\(path)/app.lrb: app 1, unchanged, signed by \(key) (not verified)\n"
        )
        #expect(try bytes("app.lrb") == first)
        // Another key replaces the signature.
        #expect(KeyCommand(path: "\(path)/other").run(streams) == .success)
        let command = SignCommand(path: "\(path)/app.lrb", key: "\(path)/other")
        #expect(command.run(streams) == .success)
        #expect(try bytes("app.lrb") != first)
    }

    @Test(
        "a file that is not a bundle is never replaced, whichever command would write it",
        arguments: [
            "key", "key.pub", "app/main.lua", "app/smoke.scenario", "app/notes.txt", "link",
        ]
    )
    func inputs(_ name: String) throws {
        makeSigned()
        try FileManager.default.createSymbolicLink(
            atPath: "\(path)/link",
            withDestinationPath: "app/main.lua"
        )
        let before = try bytes(name)
        var sign = SignCommand(path: "\(path)/app.lrb", key: "\(path)/key")
        sign.target = "\(path)/\(name)"
        for run in [{ make(name) }, { sign.run(streams) }] {
            printed.errors = ""
            #expect(run() == .outputFailed)
            #expect(
                printed.errors.contains(
                    "/\(name)' is not a bundle, and only a bundle is replaced"
                )
            )
            #expect(printed.errors.contains("name another output file with '-o'"))
            #expect(try bytes(name) == before)
        }
    }

    @Test("an empty file and a damaged bundle are replaced", arguments: [0, 4, 100])
    func damagedTarget(_ count: Int) throws {
        makeSigned()
        let whole = try bytes("app.lrb")
        try Data(whole.prefix(count)).write(to: URL(filePath: "\(path)/app.lrb"))
        makeSigned()
        #expect(try bytes("app.lrb") == whole)
    }

    @Test("definitions for editors are neither in a bundle nor a reason to request a capability")
    func definitions() throws {
        #expect(make() == .success)
        let first = try bytes("app.lrb")
        try folder.write("app/routes.d.lua", "---@meta\nrouter.screen('Drawn')\n")
        try folder.write("app/pages/broken.d.lua", "no Lua")
        #expect(make() == .success, "\(printed.errors)")
        #expect(try bytes("app.lrb") == first)
    }

    @Test("a bundle is made again from a bundle, with another version and without its signature")
    func fromBundle() throws {
        #expect(KeyCommand(path: "\(path)/key").run(streams) == .success)
        let day = try #require(MakeCommand.seconds("2026-12-31", endsDay: true))
        let made = make("old.lrb", version: 7) {
            ($0.notAfter, $0.created, $0.capabilities) = (day, 1, ["timeout:60"])
        }
        #expect(made == .success)
        let sign = SignCommand(path: "\(path)/old.lrb", key: "\(path)/key")
        #expect(sign.run(streams) == .success)
        let (old, contents) = try BundleArchive(bytes("old.lrb")).unverified()
        try FileManager.default.removeItem(atPath: "\(path)/app")
        printed.errors = ""
        let code = make("new.lrb", version: 9) { command in
            command.path = "\(path)/old.lrb"
            command.canary = []
        }
        #expect(code == .success, "\(printed.errors)")
        #expect(printed.errors.contains("/old.lrb: app 7, signed by "))
        let archive = try BundleArchive(bytes("new.lrb"))
        let (new, same) = try archive.unverified()
        var expected = old
        (expected.notAfter, expected.created) = (nil, nil)
        #expect(archive.signer == nil)
        #expect(same == contents)
        #expect(new.version == 9)
        #expect(
            new.json.replacing("\"version\":9", with: "\"version\":7") == expected.json
        )
        // The last good bundle is not replaced by itself.
        let kept = make("old.lrb", version: 9) { command in
            command.path = "\(path)/old.lrb"
            command.canary = []
        }
        #expect(kept == .outputFailed)
        #expect(printed.errors.contains("is both the bundle to read and the file to write"))
        #expect(try BundleArchive(bytes("old.lrb")).unverified().0 == old)
    }

    @Test("'verify' checks the size, the API level and the version step that an app accepts")
    func appLimits() throws {
        makeSigned("old.lrb", version: 1)
        makeSigned("new.lrb", version: 6)
        let size = try bytes("new.lrb").count
        let previous = "\(path)/old.lrb"
        func expect(
            _ code: String?,
            _ change: (inout VerifyCommand) -> Void,
            _ location: SourceLocation = #_sourceLocation
        ) {
            printed.errors = ""
            #expect(verify("new.lrb", change) == (code == nil ? .success : .failed))
            #expect(
                code.map { printed.errors.contains("error[\($0)]: ") } ?? true,
                "\(printed.errors)",
                sourceLocation: location
            )
        }
        expect(nil) { $0.sizeLimit = size }
        expect("B0103") { $0.sizeLimit = size - 1 }
        expect(nil) { $0.api = 1 }
        expect("B0110") { $0.api = 0 }
        expect(nil) { ($0.previous, $0.versionStep) = (previous, 5) }
        expect("B0117") { ($0.previous, $0.versionStep) = (previous, 4) }
    }

    @Test("signing with a private key that other users can read prints a warning")
    func openKey() throws {
        makeSigned()
        #expect(!printed.errors.contains("can be read by other users"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640],
            ofItemAtPath: "\(path)/key"
        )
        makeSigned(version: 2)
        #expect(
            printed.errors.contains(
                "key can be read by other users; to prevent this, run: chmod 600 "
            )
        )
    }

    @Test("the difference between two bundles lists routes, link destinations and capabilities")
    func difference() throws {
        makeSigned("old.lrb", version: 1)
        try folder.write(
            "app/pages/show.lua",
            Self.show.replacing("screen \"HelpPage\"", with: "screen \"Manual\"")
                + "\nrouter.register('Web', 'open', { build = router.screen 'Web' })\n"
        )
        makeSigned("new.lrb", version: 2)
        var command = DiffCommand(old: "\(path)/old.lrb", new: "\(path)/new.lrb")
        command.keys = ["\(path)/key.pub"]
        printed.output = ""
        printed.errors = ""
        #expect(command.run(streams) == .success, "\(printed.errors)")
        #expect(printed.errors == "")
        let lines = printed.output.split(separator: "\n")
        for start in [
            "+  Web/open", "~  Help/open", "~  link /help", "+  capability screens:Manual",
            "+  capability screens:Web", "-  capability screens:HelpPage",
            "~  file pages/show.lua",
        ] {
            #expect(lines.contains { $0.hasPrefix(start) }, "\(start)\n\(printed.output)")
        }
        #expect(!printed.output.contains("link /shows/7"))
        command.isJSON = true
        printed.output = ""
        #expect(command.run(streams) == .success)
        #expect(printed.output.hasPrefix("{\"schema\":\"luaroute.bundle-diff/1\""))
        #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
        }
        command.keys = []
        #expect(command.run(streams) == .success)
        #expect(printed.errors.contains("the signatures were not verified"))
    }

    @Test("bundles that differ only in code differ in one file")
    func differenceOfCode() throws {
        makeSigned("old.lrb", version: 1)
        try folder.write("app/pages/show.lua", Self.show + "\n-- It does the same.\n")
        makeSigned("new.lrb", version: 2)
        printed.output = ""
        #expect(
            DiffCommand(old: "\(path)/old.lrb", new: "\(path)/new.lrb").run(streams) == .success
        )
        #expect(printed.output == "~  version 1 → 2\n~  file pages/show.lua\n")
    }

    @Test("the difference between two bundles lists the fields of the manifests and the signers")
    func differenceOfFields() throws {
        makeSigned("old.lrb", version: 1)
        try folder.write("app/more.scenario", Self.smoke)
        let made = make("new.lrb", version: 2) { command in
            command.name = "other"
            command.created = 0
            command.notAfter = 86_399
            command.canary = ["smoke.scenario", "more.scenario"]
        }
        #expect(made == .success)
        let signer = try folder.read("key.pub").dropFirst("ed25519-public ".count).prefix(16)
        var command = DiffCommand(old: "\(path)/old.lrb", new: "\(path)/new.lrb")
        printed.output = ""
        #expect(command.run(streams) == .success)
        #expect(
            printed.output == """
                ~  name app → other
                ~  version 1 → 2
                ~  signer \(signer) → none
                ~  created none → 1970-01-01T00:00:00Z
                ~  not after none → 1970-01-01T23:59:59Z
                ~  canary smoke.scenario → smoke.scenario, more.scenario
                ~  file more.scenario

                """
        )
        command.isJSON = true
        printed.output = ""
        #expect(command.run(streams) == .success)
        #expect(
            printed.output.contains(
                "\"fields\":[{\"name\":\"name\",\"old\":\"app\",\"new\":\"other\"},"
            )
        )
        #expect(
            printed.output.contains("{\"name\":\"signer\",\"old\":\"\(signer)\"}")
        )
    }

    @Test("'diff --exit-code' ends with 1 only if the bundles differ")
    func codeOfDifference() {
        makeSigned("old.lrb", version: 1)
        makeSigned("new.lrb", version: 2)
        for (name, code) in [("old", ExitCode.success), ("new", .failed)] {
            var command = DiffCommand(old: "\(path)/old.lrb", new: "\(path)/\(name).lrb")
            #expect(command.run(streams) == .success)
            command.setsCode = true
            #expect(command.run(streams) == code)
            command.isJSON = true
            printed.output = ""
            #expect(command.run(streams) == code)
            #expect(printed.output.contains("\"exitCode\":\(code.rawValue)}"))
        }
    }

    @Test("an error in the scripts of two bundles that are compared names the bundle")
    func failedDifference() throws {
        makeSigned("old.lrb", version: 1)
        let manifest = try BundleManifest(name: "app", version: 2)
        let files = ["main.lua": Array("error 'no'".utf8)]
        try Data(BundleArchive(manifest, files: files).bytes)
            .write(to: URL(filePath: "\(path)/new.lrb"))
        printed.errors = ""
        let command = DiffCommand(old: "\(path)/old.lrb", new: "\(path)/new.lrb")
        #expect(command.run(streams) == .scriptFailed)
        #expect(printed.errors.contains("bundle  \(path)/new.lrb"), "\(printed.errors)")
    }

    @Test(
        "the printed manifest of a bundle, as text and as JSON, never says that the bundle is verified"
    )
    func inspect() throws {
        makeSigned()
        printed.output = ""
        var command = InspectCommand(path: "\(path)/app.lrb")
        #expect(command.run(streams) == .success)
        #expect(printed.output.contains("bundle        app 1\n"))
        #expect(printed.output.contains("(not verified)"))
        #expect(printed.output.contains("requests      push, screens:HelpPage, "))
        command.isJSON = true
        printed.output = ""
        #expect(command.run(streams) == .success)
        let json = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
        let fields = try #require(json as? [String: Any])
        #expect(fields["schema"] as? String == "luaroute.bundle-inspect/1")
        #expect(fields["verified"] as? Bool == false)
        #expect((fields["manifest"] as? [String: Any])?["version"] as? Int == 1)
    }

    @Test("the record of a store is printed as text and as JSON, even while an app uses the store")
    func inspectStore() throws {
        let sample = StoreSample()
        let store = try BundleStore(
            folder: "\(path)/store",
            name: "podcast",
            keys: [sample.key.publicKey],
            embedded: StoreSample.embedded,
            configuration: sample.configuration
        )
        _ = try store.stage(sample.bundle(1))
        store.start { _ in }
        try store.confirm()
        _ = try store.stage(sample.bundle(2))
        var command = InspectCommand(path: "\(path)/store")
        #expect(command.run(streams) == .success, "\(printed.errors)")
        let signer = sample.key.publicKey.fingerprint
        let digests = try [store.candidate, store.current].map {
            try #require($0).digest.prefix(16)
        }
        #expect(
            printed.output == """
                staged        podcast 2, \(digests[0]), signed by \(signer), never confirmed, 0 unconfirmed starts, 0 of 0 navigations failed in 0 s
                current       podcast 1, \(digests[1]), signed by \(signer), confirmed, 0 unconfirmed starts, 0 of 0 navigations failed in 0 s
                last good     none
                previous      none
                next start    podcast 2, unless the app is as new
                changes
                  2023-11-14T22:13:20Z  staged, version 1, \(digests[1]), signed by \(signer)
                  2023-11-14T22:13:20Z  activated, version 1, \(digests[1]), signed by \(signer)
                  2023-11-14T22:13:20Z  staged, version 2, \(digests[0]), signed by \(signer)

                """
        )
        command.isJSON = true
        printed.output = ""
        #expect(command.run(streams) == .success)
        let json = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
        let record = (json as? [String: Any])?["store"] as? [String: Any]
        #expect(record?["schema"] as? String == "luaroute.store/1")
        #expect((record?["bundles"] as? [Any])?.count == 2)
        command.isJSON = false
        try folder.write("store/state.json", "{}")
        #expect(command.run(streams) == .inputMissing)
        #expect(printed.errors.contains("/store/state.json' is damaged"))
    }

    @Test("'inspect' prints the same digest of the scripts as the event 'reload'")
    func digestOfScripts() async throws {
        try folder.write("app/unused.lua", "return 1")
        makeSigned()
        printed.output = ""
        var command = InspectCommand(path: "\(path)/app.lrb")
        #expect(command.run(streams) == .success)
        let key = try #require(BundlePublicKey(String(decoding: bytes("key.pub"), as: UTF8.self)))
        let bundle = try VerifiedBundle(bytes("app.lrb"), keys: [key])
        let router = try Router(scripts: StoreSample.embedded, host: HeadlessHost())
        var digests: [String] = []
        router.onEvent = { event in
            if event.kind == .reload, let digest = event["digest"].text { digests.append(digest) }
        }
        try await router.reload(bundle.scripts)
        let digest = try #require(digests.last)
        #expect(printed.output.contains("\nscripts       \(digest)\n"), "\(printed.output)")
        command.isJSON = true
        printed.output = ""
        #expect(command.run(streams) == .success)
        #expect(printed.output.contains("\"scripts\":\"\(digest)\""))
    }

    @Test(
        "a failed command also prints a JSON document, with the reason and the exit code",
        arguments: ["verify", "inspect", "diff"]
    )
    func failedJSON(_ name: String) throws {
        #expect(KeyCommand(path: "\(path)/key").run(streams) == .success)
        try folder.write("bad.lrb", "no bundle")
        printed.output = ""
        var code: ExitCode
        switch name {
        case "verify": code = verify("bad.lrb") { $0.isJSON = true }
        case "inspect":
            var command = InspectCommand(path: "\(path)/bad.lrb")
            command.isJSON = true
            code = command.run(streams)
        default:
            var command = DiffCommand(old: "\(path)/bad.lrb", new: "\(path)/bad.lrb")
            command.isJSON = true
            code = command.run(streams)
        }
        #expect(code == .failed)
        let json = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
        let fields = try #require(json as? [String: Any])
        #expect(fields["schema"] as? String == "luaroute.bundle-\(name)/1")
        #expect(fields["exitCode"] as? Int == 1)
        let diagnostics = fields["diagnostics"] as? [[String: Any]]
        #expect(diagnostics?.map { $0["code"] as? String } == ["B0101"])
    }

    @Test("key files are never overwritten, and only the owner can read the private key")
    func keys() throws {
        #expect(KeyCommand(path: "\(path)/key").run(streams) == .success)
        let secret = try folder.read("key")
        #expect(try folder.read("key.pub") == printed.output)
        #expect(printed.output.hasPrefix("ed25519-public "))
        #expect(!printed.output.contains(secret) && !printed.errors.contains(secret))
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/key")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(KeyCommand(path: "\(path)/key").run(streams) == .outputFailed)
        #expect(try folder.read("key") == secret)
    }

    @Test("invalid input causes a clear error and an exit code, and no file is written")
    func badInput() throws {
        try folder.write("empty", "")
        try folder.write("text.lrb", "router.start()\r\n")
        try folder.write("broken/main.lua", "router.start(")
        try folder.write("level/main.lua", "router.api(99)")
        try folder.write("bare/main.lua", "router.start(function() end)")
        try folder.write("app/broken.scenario", "scenario \"a\"\n  navigat Show/open\n")
        #expect(KeyCommand(path: "\(path)/key").run(streams) == .success)
        func expect(_ code: ExitCode, _ text: String, _ run: () -> ExitCode) {
            printed.errors = ""
            #expect(run() == code)
            #expect(printed.errors.contains(text), "\(printed.errors)")
        }
        func inspect(_ name: String) -> () -> ExitCode {
            { InspectCommand(path: "\(path)/\(name)").run(streams) }
        }
        expect(.inputMissing, "no such file", inspect("app.lr"))
        expect(.inputMissing, "is not the folder of a store", inspect("app"))
        expect(.failed, "(24 bytes expected, got 0)", inspect("empty"))
        expect(.failed, "the file is not a bundle", inspect("text.lrb"))
        func make(_ name: String) -> () -> ExitCode {
            {
                self.make {
                    $0.path = "\(path)/\(name)"; $0.canary = []
                }
            }
        }
        expect(.inputMissing, "no such file", make("ap"))
        expect(
            .inputMissing,
            "has no 'main.lua'",
            {
                try? folder.write("none/a", ""); return make("none")()
            }
        )
        expect(.scriptFailed, "L0301", make("broken"))
        expect(.scriptFailed, "API level 99, but this host supports level 1", make("level"))
        expect(
            .failed,
            "'luaroute check --fix' adds it ('router.api(1)' in the entry",
            make("bare")
        )
        expect(.inputMissing, "no such file", { self.make { $0.canary = ["smok.scenario"] } })
        expect(.scenarioInvalid, "S0107", { self.make { $0.canary = ["broken.scenario"] } })
        expect(.failed, "B0108", { self.make { $0.canary = ["../app/smoke.scenario"] } })
        expect(.failed, "B0107", { self.make { $0.name = "my app" } })
        try Data([0xFF]).write(to: URL(filePath: "\(path)/app/bytes.lua"))
        expect(.scriptFailed, "is not UTF-8") { self.make() }
        try FileManager.default.removeItem(atPath: "\(path)/app/bytes.lua")
        #expect(!FileManager.default.fileExists(atPath: "\(path)/app.lrb"))
        makeSigned()
        let signed = try bytes("app.lrb")
        expect(
            .inputMissing,
            "is not a private key",
            {
                SignCommand(path: "\(path)/app.lrb", key: "\(path)/key.pub").run(streams)
            }
        )
        expect(.inputMissing, "is not a public key", { verify { $0.keys = ["\(path)/key"] } })
        #expect(try bytes("app.lrb") == signed)
    }
}
#endif
