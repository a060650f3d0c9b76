// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A bundle that is loaded with the budgets of routers, followed by calls of the resulting router.
///
/// The files are `main.lua`, `vendor/a.lua` and `b.lua`, separated by NUL. The fuzzer treats an
/// input that takes a second as a failure, which finds work that no budget counts.
struct BundleCase {
    private let bundle: ScriptBundle

    init(_ bytes: [UInt8]) {
        let names = ["main.lua", "vendor/a.lua", "b.lua"]
        let texts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        bundle = ScriptBundle(files: Dictionary(uniqueKeysWithValues: zip(names, texts)))
    }

    func faults() -> [String] {
        var faults: [String] = []
        weak var router: Router?
        do throws(RouteError) {
            let made = try Router(scripts: bundle, host: HeadlessHost())
            router = made
            use(made)
            let rules = made.tree.checkInvariants()
            if !rules.isEmpty { faults.append("the tree: \(rules)") }
            made.collectGarbage()
            if made.scriptMemory > 16 << 20 { faults.append("\(made.scriptMemory) bytes are kept") }
        } catch {
            if error.message.isEmpty { faults.append("a bundle fails for no reason") }
        }
        if router != nil { faults.append("the router leaks") }
        return faults
    }

    /// Uses each way for the host to call the scripts a few times.
    private func use(_ router: Router) {
        router.start()
        for service in router.services.prefix(2) {
            for task in service.tasks.prefix(2) { router.navigate(Target(service.name, task)) }
        }
        router.doTask(Target("T", "do"))
        _ = try? router.call("f")
        for _ in 0..<4 {
            guard let time = router.nextDeadline else { break }
            router.advance(to: time)
        }
        router.back()
    }
}
