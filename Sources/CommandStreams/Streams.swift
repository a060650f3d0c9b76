// SPDX-License-Identifier: MIT

#if CommandLine
package import ArgumentParser
import LuaRouting
package import ScenarioKit
import SystemGaps

/// The output streams of a command: standard output for results, and standard error for messages.
///
/// Results are buffered and written in large pieces, unless a user watches the output. A message is
/// written after the results that precede it.
package final class Streams {
    /// The longest time that a result stays in the buffer, in seconds.
    private static let flushInterval = 0.1

    private var pending: [UInt8] = []
    private var lastFlush = 0.0
    /// Whether a result could not be written.
    package private(set) var hasFailed = false
    /// Whether the reader of the results has closed the pipe.
    package private(set) var isClosed = false
    private let isOutputTerminal = isatty(STDOUT_FILENO) == 1

    package init() {
        // A reader that closes the pipe early, such as `head`, would end the process with a signal.
        // The signal is ignored, so that the run continues and its exit code is correct.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Whether the command runs in CI, where no user watches.
    package var isUnattended: Bool { Self.variable("CI")?.isEmpty == false }

    /// The time of day, such as `12:04:31`.
    package static var timeOfDay: String? {
        var seconds = time(nil)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        return [parts.tm_hour, parts.tm_min, parts.tm_sec]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Returns the settings of the project around the current folder.
    ///
    /// - Throws: The exit code for a project file that cannot be read, after reporting it.
    package func project(_ color: ColorChoice) throws -> ProjectFile {
        do throws(ProjectFile.Failure) {
            return try ProjectFile.find()
        } catch {
            errors(error.text(isColored: isErrorsColored(color)))
            throw exit(error.exitCode)
        }
    }

    /// Creates a folder and its missing parent folders.
    ///
    /// - Returns: The system's reason if the folder cannot be created; otherwise nil.
    package static func makeFolder(_ path: String, mode: UInt32 = 0o777) -> String? {
        var end = path.startIndex
        while end < path.endIndex {
            end =
                path.utf8[path.utf8.index(after: end)...].firstIndex(of: UInt8(ascii: "/"))
                ?? path.endIndex
            let part = String(path[..<end])
            if mkdir(part, mode_t(mode)) != 0, errno != EEXIST {
                return String(cString: strerror(errno))
            }
        }
        return SourceFiles.kind(of: path) == .folder ? nil : "'\(path)' is not a folder"
    }

    /// Whether a file or folder exists at a path.
    package static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns an error if the default command received a misspelled command name as its path.
    ///
    /// - Returns: The error; nil for an existing path, and for a word that is not similar to a
    ///   command name.
    package static func misspelled(_ word: String?, among names: [String]) -> ValidationError? {
        guard let word, !isThere(word), UsageError.isNear(word, to: names) else { return nil }
        let error = UsageError("unknown command '\(word)'", word: word, known: names)
        return ValidationError(error.message)
    }

    /// Whether the terminal that showed the results is gone.
    package var hasLostTerminal: Bool { isOutputTerminal && isatty(STDOUT_FILENO) == 0 }

    /// The number of columns of the terminal that shows the results; nil if there is none.
    package var width: Int? {
        guard isOutputTerminal else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : Self.variable("COLUMNS").flatMap { Int($0) }
    }

    /// Whether a user types the input and sees the results.
    package var isInteractive: Bool { isOutputTerminal && isatty(STDIN_FILENO) == 1 }

    /// Whether a user can type single keys, and the terminal can replace a line of the output.
    package var takesKeys: Bool { isInteractive && Self.variable("TERM") != "dumb" }

    /// Whether a user sees the messages.
    package var isErrorsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether results are coloured.
    package func isOutputColored(_ choice: ColorChoice) -> Bool {
        choice.isColored(isTerminal: isOutputTerminal, environment: Self.variable)
    }

    /// Whether messages are coloured.
    package func isErrorsColored(_ choice: ColorChoice) -> Bool {
        choice.isColored(isTerminal: isErrorsTerminal, environment: Self.variable)
    }

    /// Writes a result.
    package func output(_ printed: PrintedText) {
        let text = printed.text
        guard !text.isEmpty else { return }
        pending.append(contentsOf: text.utf8)
        if isOutputTerminal || pending.count >= 1 << 16 || now - lastFlush > Self.flushInterval {
            flush()
        }
    }

    /// Writes text to the standard output immediately, on any thread.
    package static func write(_ text: String) {
        _ = SourceFiles.write(text.utf8, to: STDOUT_FILENO)
    }

    /// Writes a message to standard error.
    package func errors(_ printed: PrintedText) {
        flush()
        _ = SourceFiles.write(printed.text.utf8, to: STDERR_FILENO)
    }

    /// Returns a console that writes the results and messages of a command to the streams.
    package func console(_ color: ColorChoice) -> Console {
        var console = Console(output: output, errors: errors, save: { Self.save($0, to: $1) })
        console.style.isColored = isOutputColored(color)
        console.errorStyle.isColored = isErrorsColored(color)
        console.width = width
        return console
    }

    /// Writes the remaining results, and returns the given exit code, or the exit code for results
    /// that could not be written.
    package func exit(_ code: ScenarioKit.ExitCode) -> ArgumentParser.ExitCode {
        flush()
        return ArgumentParser.ExitCode((hasFailed ? max(code, .outputFailed) : code).rawValue)
    }

    /// Writes a file completely or not at all.
    ///
    /// A symbolic link and the permissions of the file are kept. A device or a pipe, which cannot
    /// be replaced, is written directly.
    ///
    /// - Returns: The system's reason if the file cannot be written, which is then unchanged;
    ///   otherwise nil.
    package static func save(_ text: String, to path: String) -> String? {
        save(text.utf8, to: path)
    }

    /// Writes a file like ``save(_:to:)``.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The path of the file.
    ///   - isSecret: Whether only the owner can read the file if it is new.
    /// - Returns: The system's reason if the file cannot be written; otherwise nil.
    package static func save(
        _ bytes: some Collection<UInt8>,
        to path: String,
        isSecret: Bool = false
    ) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return SourceFiles.replace(path, with: bytes, mode: isSecret ? 0o600 : nil)
        }
        if status.st_mode & S_IFMT == S_IFREG {
            let mode = UInt32(status.st_mode & 0o777)
            return SourceFiles.replace(SourceFiles.resolved(path) ?? path, with: bytes, mode: mode)
        }
        // Without O_NONBLOCK, opening a pipe without a reader would block, even if a signal
        // arrives.
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return errno == ENXIO ? "no process reads the pipe" : String(cString: strerror(errno))
        }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_WRONLY)
        let error = SourceFiles.write(bytes, to: descriptor)
        return error == 0 ? nil : String(cString: strerror(error))
    }

    /// The folder in the user's cache in which runs record failed scenarios; nil if there is no
    /// home folder.
    package static var failures: FailureStore? {
        var folder = variable("XDG_CACHE_HOME").flatMap { $0.isAbsolutePath ? $0 : nil }
        if folder == nil, let home = variable("HOME"), home.isAbsolutePath {
            #if canImport(Darwin)
            folder = "\(home)/Library/Caches"
            #else
            folder = "\(home)/.cache"
            #endif
        }
        return folder.map { folder in
            FailureStore(folder: "\(folder)/luaroute") {
                makeFolder($0, mode: 0o700)
            } save: {
                save($0, to: $1)
            }
        }
    }

    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Writes the buffered results.
    package func flush() {
        defer {
            pending.removeAll(keepingCapacity: true)
            lastFlush = now
        }
        guard !isClosed, !hasFailed, !pending.isEmpty else { return }
        switch SourceFiles.write(pending, to: STDOUT_FILENO) {
        case 0: break
        case EPIPE: isClosed = true
        default: hasFailed = true
        }
    }
}

extension ParsableCommand {
    /// Runs the command of the process.
    ///
    /// Errors in the command line are escaped before they are printed, because the parser quotes
    /// text that it cannot parse.
    ///
    /// - Parameter words: The arguments; nil for the arguments of the process.
    package static func runProcess(_ words: [String]? = nil) {
        let streams = Streams()
        do {
            var command = try parseAsRoot(words)
            try command.run()
        } catch {
            let code = exitCode(for: error)
            let message = fullMessage(for: error)
            guard !message.isEmpty else { exit(withError: error) }
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
                .flatMap { $0.hasPrefix("U") ? brokenUsage($0) : [String($0)] }
            // Help, versions and completions are not errors, and are printed unchanged.
            if code == .success {
                Streams.write(lines.map { "\($0)\n" }.joined())
            } else {
                for line in lines { streams.errors("\(line)\n") }
            }
            exit(withError: code)
        }
    }

    /// Returns the lines of a usage text, at most 80 columns wide and broken only between
    /// arguments.
    private static func brokenUsage(_ line: Substring) -> [String] {
        guard line.count > 80, line.lowercased().hasPrefix("usage: ") else { return [String(line)] }
        var lines = [""]
        var argument = ""
        for word in line.split(separator: " ") {
            argument += argument.isEmpty ? word : " \(word)"
            // An argument in brackets may consist of several words.
            guard argument.count(where: { $0 == "[" }) == argument.count(where: { $0 == "]" })
            else { continue }
            let last = lines.count - 1
            if lines[last].count + argument.count < 80 {
                lines[last] += lines[last].isEmpty ? argument : " \(argument)"
            } else {
                lines.append("      \(argument)")
            }
            argument = ""
        }
        return lines
    }
}
#endif
