// SPDX-License-Identifier: MIT

import LuaRouting
import RouteFiles
import RouteTypes
import SystemGaps

/// The program that the build tool plugin runs.
///
/// It writes the typed routes of some scripts.
///
///     RoutesTool SCRIPTS FILE
///
/// It uses no argument parser, so a package that uses the plugin resolves no additional dependency.
/// The findings of `luaroute check` without a host manifest, and errors, are printed in the format
/// of compilers, which Xcode reads. Findings do not change the exit code, which is 0 if the
/// file was written, 1 if the scripts do not load, 64 for wrong usage, and 74 if the file could not
/// be written.
@main enum RoutesTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let scripts = arguments.first, let file = arguments.last, arguments.count == 2 else {
            fail(
                64,
                "error: RoutesTool takes two arguments, the scripts and the Swift file to write"
            )
        }
        do throws(BundleError) {
            let bundle = try ScriptBundle(path: scripts)
            do throws(RouteError) {
                let router = try Router(scripts: bundle, host: HeadlessHost())
                let text = SwiftTypes().file(for: router.interface)
                if let reason = SourceFiles.replace(file, with: Array(text.utf8)) {
                    fail(74, "\(file):1:1: error: the typed routes cannot be written: \(reason)")
                }
                let findings = router.check()
                if !findings.isEmpty { printError(lines(of: findings, in: bundle)) }
            } catch {
                fail(1, lines(of: error.findings, in: bundle))
            }
        } catch {
            fail(1, "\(scripts):1:1: error: \(error.message)")
        }
    }

    private static func lines(of findings: [Finding], in bundle: ScriptBundle) -> String {
        findings.map { line(of: $0, in: bundle) }.joined(separator: "\n")
    }

    /// Returns a finding in the format of compilers, located at the first word of its line.
    private static func line(of finding: Finding, in bundle: ScriptBundle) -> String {
        let location = finding.location ?? RouteError.Location(file: bundle.entry, line: 1)
        let lines = (try? bundle.source(of: location.file))?
            .split(separator: 10, omittingEmptySubsequences: false)
        let indent =
            lines.flatMap { $0.indices.contains(location.line - 1) ? $0[location.line - 1] : nil }?
            .prefix { $0 == 32 || $0 == 9 }.count ?? 0
        let place = "\(bundle.displayPath(of: location.file)):\(location.line):\(indent + 1)"
        let help = finding.help.map { " (\($0))" } ?? ""
        return "\(place): \(finding.severity.rawValue): \(finding.message)\(help)"
    }

    private static func printError(_ text: String) {
        _ = SourceFiles.write(Array("\(text)\n".utf8), to: STDERR_FILENO)
    }

    private static func fail(_ code: Int32, _ message: String) -> Never {
        printError(message)
        exit(code)
    }
}
