// SPDX-License-Identifier: MIT

#if !CommandLine
import SystemGaps

/// The command `luaroute` in a build without the trait `CommandLine`.
///
/// It prints how to build the complete command.
@main
enum Unavailable {
    static func main() {
        let text = "luaroute is not in this build: run 'swift build --traits CommandLine'\n"
        write(STDERR_FILENO, text, text.utf8.count)
        exit(EX_UNAVAILABLE)
    }
}
#endif
