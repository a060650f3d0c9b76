// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import SystemGaps

/// The command `luaroute repl`: executes scenario steps and Lua, line by line.
///
/// The type does everything except parsing the command line and ending the process, so tests can
/// run the command in process.
package struct ReplCommand: Sendable {
    /// The scripts: a file, or a folder with a `main.lua`.
    package var script: String
    /// The options for running scripts.
    package var options: RunOptions
    /// The prompt before each line; empty for no prompt, for example if the input is a pipe.
    package var prompt = ""

    /// Creates a command.
    package init(script: String, options: RunOptions = RunOptions()) {
        (self.script, self.options) = (script, options)
    }

    /// Reads and executes lines until the end of the input or `quit`.
    ///
    /// - Parameters:
    ///   - input: Returns the next line of the input without its line break; nil at the end of the
    ///     input.
    ///   - console: The output.
    /// - Returns: The exit code, which is 1 if a line failed and there is no prompt. At a prompt,
    ///   the user has already seen the failure.
    package func run(
        input: () throws(InputError) -> [UInt8]?,
        _ console: Console
    ) -> ExitCode {
        do throws(LoadedScripts.Failure) {
            var options = options
            try options.readHostFiles()
            var repl = try Repl(
                script,
                options,
                style: console.style,
                width: console.width
            )
            defer { repl.session.end() }
            for line in TraceWriter.lines(of: repl.session.latestEvents, NotationPrinter()) {
                console.errors("\(line)\n")
            }
            return try run(&repl, input: input, console)
        } catch {
            error.diagnostics.forEach(console.write)
            return error.code
        }
    }

    private func run(
        _ repl: inout Repl,
        input: () throws(InputError) -> [UInt8]?,
        _ console: Console
    ) throws(LoadedScripts.Failure) -> ExitCode {
        var code = ExitCode.success
        func show(_ result: Repl.Output) {
            console.output(result.text)
            if result.isFailed, prompt.isEmpty { code = .failed }
        }
        if repl.session.app.router.hasStart { show(repl.enter("start")) }
        do throws(InputError) {
            while true {
                console.output("\(prompt)")
                guard var line = try input() else { break }
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                guard let text = String(valid: line) else {
                    show(Repl.Output(text: "the line is not UTF-8 text\n", isFailed: true))
                    continue
                }
                let words = text.split(separator: " ", maxSplits: 1).map(String.init)
                switch words.first {
                case "quit": return code
                case "save": show(saved(repl, path: words.count > 1 ? words[1] : "", console))
                default: show(repl.enter(text))
                }
            }
        } catch {
            throw LoadedScripts.Failure(
                diagnostics: [.unreadableInput(error)],
                code: .inputMissing
            )
        }
        if !prompt.isEmpty { console.output("\n") }
        return code
    }

    /// Returns whether the session may be saved at a path: no file exists there, or this command
    /// saved the existing file.
    private static func mayWrite(_ path: String) -> Bool {
        guard SourceFiles.kind(of: path) == .file else { return true }
        let bytes = try? SourceFiles.read(path, limit: ScenarioFile.sizeLimit)
        return bytes?.starts(with: "# \(Repl.heading)\n".utf8) == true
    }

    private func saved(
        _ repl: Repl,
        path: String,
        _ console: Console
    ) -> Repl.Output {
        guard !path.isEmpty else {
            let text: PrintedText = "'save' needs a file name, such as 'save bug.scenario'\n"
            return Repl.Output(text: text, isFailed: true)
        }
        guard Self.mayWrite(path) else {
            let text: PrintedText =
                "'\(path: path)' already exists and was not saved by 'luaroute repl' (use another name)\n"
            return Repl.Output(text: text, isFailed: true)
        }
        do throws(Diagnostic) {
            let (text, luaLineCount) = try repl.scenario(at: path)
            if let reason = console.save(text, path) {
                return Repl.Output(
                    text: "cannot write '\(path: path)' (\(reason))\n",
                    isFailed: true
                )
            }
            let remark =
                luaLineCount == 0
                ? ""
                : " (left out: \(luaLineCount.counted("line")) of Lua, which no step reproduces)"
            return Repl.Output(text: "saved; run it with: luaroute \(path: path)\(remark)\n")
        } catch {
            let text = ConsoleReport(style: console.style).text(of: error)
            return Repl.Output(text: text, isFailed: true)
        }
    }
}

extension Repl {
    /// A command of the session, as opposed to a step.
    struct Command {
        let word: String
        let signature: String
        let help: String
        let run: @Sendable (inout Repl, String) -> Output
    }

    /// The commands, except `save` and `quit`.
    ///
    /// ``ReplCommand`` executes `save` and `quit` itself.
    static var commands: [Command] {
        [
            Command(
                word: "undo",
                signature: "undo [N]",
                help:
                    "undo the last N lines with all their effects (only the last \(undoLimit) lines can be undone)"
            ) {
                $0.go($1, 1)
            },
            Command(word: "redo", signature: "redo [N]", help: "redo the last N undone lines") {
                $0.go($1, -1)
            },
            Command(word: "trace", signature: "trace", help: "print the events of the last step") {
                repl,
                _ in repl.traced()
            },
            Command(word: "why", signature: "why", help: "print the plan of the last navigation") {
                repl,
                _ in repl.why()
            },
            Command(
                word: "explain",
                signature: "explain TARGET",
                help: "explain what a URL, 'Service/task' or 'unready NAME leaving' would do"
            ) { $0.explained($1) },
            Command(word: "help", signature: "help", help: "print this list") { _, _ in
                Output(text: list)
            },
        ]
    }

    /// Executes `undo` (direction 1) or `redo` (direction -1) with the given argument.
    private mutating func go(_ text: String, _ direction: Int) -> Output {
        guard let count = text.isEmpty ? 1 : Int(text), (1...1_000_000).contains(count) else {
            let message: PrintedText =
                "expected a number of lines from 1 to 1,000,000, got '\(text)'\n"
            return Output(text: message, isFailed: true)
        }
        return go(back: count * direction)
    }

    private static var list: PrintedText {
        var table = TextTable()
        table.indent = "  "
        for command in commands { table.add([command.signature, command.help]) }
        table.add(["save FILE", "write the session as a scenario"])
        table.add(["quit", "end the session (so does the end of the input)"])
        table.add(["reload", "load the scripts again ('reload PATH' loads other scripts)"])
        table.add([
            "any step", "run a step as in a scenario, such as 'user back'",
        ])
        table.add(["any Lua", "run Lua code, such as 'router.state.user = \"ann\"'"])
        return table.lines(width: nil).map { "\($0)\n" }.joined()
    }
}
