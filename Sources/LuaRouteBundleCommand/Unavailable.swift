// SPDX-License-Identifier: MIT

#if !BundleCommand
import SystemGaps

/// The command in a build without the trait `BundleCommand`.
///
/// It only prints how to build the full command.
@main
enum Unavailable {
    static func main() {
        let text =
            "luaroute-bundle is not in this build: run 'swift build --traits BundleCommand'\n"
        write(STDERR_FILENO, text, text.utf8.count)
        exit(EX_UNAVAILABLE)
    }
}
#endif
