// SPDX-License-Identifier: MIT

#if Bundles
import LuaRouteBundles
import LuaRouting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

func say(_ text: String) {
    print(text)
    fflush(nil)
}

/// Stages and starts bundles until the process is killed or an operation fails.
///
/// The arguments are the folder of the store, the text of a private key, and the first version. The
/// process prints a line for each step.
func run(_ arguments: [String]) throws {
    guard arguments.count == 3, let key = BundlePrivateKey(arguments[1]),
        let first = Int(arguments[2])
    else { return say("usage: StoreRun FOLDER KEY VERSION") }
    var configuration = BundleStore.Configuration()
    configuration.probation = nil
    for version in first... {
        let store = try BundleStore(
            folder: arguments[0],
            name: "podcast",
            keys: [key.publicKey],
            embedded: ScriptBundle(files: ["main.lua": ""]),
            configuration: configuration
        )
        let chosen = store.start { $0.bundle?.manifest.version ?? 0 }
        say("started \(chosen)")
        try store.confirm()
        say("confirmed \(chosen)")
        // Later ones are larger, until a small disk is full.
        let text =
            "-- version \(version)\n"
            + String(repeating: "-- filler\n", count: 1_000 * min(version, 20))
        let archive = try BundleArchive(
            BundleManifest(name: "podcast", version: version),
            files: ["main.lua": Array(text.utf8)]
        )
        _ = try store.stage(archive.signed(by: key).bytes)
        say("staged \(version)")
    }
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    say("failed \(error)")
}
#endif
