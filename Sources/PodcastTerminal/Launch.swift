// SPDX-License-Identifier: MIT

internal import Dispatch
internal import LuaRouteWatching
internal import LuaRouting
internal import ScenarioKit

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Runs the podcast app in a terminal.
@main
@MainActor
enum Launch {
    /// An input from outside of the app.
    private enum Input: Sendable {
        case bytes([UInt8]), idle, resized, changed, ended(ExitCode)
    }

    static func main() async {
        let options: Options
        switch Options.parse(Array(CommandLine.arguments.dropFirst())) {
        case .success(let parsed): options = parsed
        case .failure(let end):
            RecordFile.report(end.message + "\n")
            exit(end.code.rawValue)
        }
        do {
            let bundle = try ScriptBundle(path: options.scripts ?? defaultScripts)
            let app = try PodcastApp(scripts: bundle, isRecorded: options.record != nil)
            if let file = options.record, let error = RecordFile.problem(of: file) {
                fail(.outputFailed, "'\(file)' cannot be written: \(error)")
            }
            guard let terminal = Terminal() else {
                fail(.usage, "the input and the output have to be a terminal")
            }
            let code = await run(app, terminal)
            guard let file = options.record else { exit(code.rawValue) }
            exit(max(code, RecordFile.save(app, to: file)).rawValue)
        } catch let error as BundleError {
            fail(.inputMissing, error.message)
        } catch let error as RouteError {
            fail(.scriptFailed, error.findings.map(\.description).joined(separator: "\n"))
        } catch {
            fail(.defect, "\(error)")
        }
    }

    private static var defaultScripts: String {
        getenv("LUAROUTE_SCRIPTS").map { String(cString: $0) } ?? "scripts/podcast"
    }

    /// Shows the app until the user ends it.
    private static func run(_ app: PodcastApp, _ terminal: Terminal) async -> ExitCode {
        var terminal = terminal
        defer { terminal.restore() }
        let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        let sources = begin(continuation)
        defer { sources.forEach { $0.cancel() } }
        app.onChange = { continuation.yield(.changed) }
        #if DEBUG
        let watching = Task { await app.router.reloadWhenChanged() }
        defer { watching.cancel() }
        #endif
        var decoder = KeyDecoder()
        terminal.show(app.lines(width: terminal.size.width, height: terminal.size.height))
        for await input in inputs {
            var keys: [Key] = []
            switch input {
            case .bytes(let bytes):
                keys = decoder.keys(bytes)
                // The rest of an arrow key would be there by now.
                if decoder.isWaiting {
                    Task {
                        try? await Task.sleep(for: .milliseconds(50))
                        continuation.yield(.idle)
                    }
                }
            case .idle: keys = decoder.finish()
            case .resized, .changed: break
            case .ended(let code): return code
            }
            guard keys.allSatisfy(app.press) else { return .success }
            let size = terminal.size
            let lines = app.lines(width: size.width, height: size.height)
            if case .resized = input {
                terminal.show(lines, isForced: true)
            } else {
                terminal.show(lines)
            }
        }
        return .success
    }

    /// Begins to read keys and signals.
    ///
    /// The handlers run on other threads.
    nonisolated private static func begin(
        _ inputs: AsyncStream<Input>.Continuation
    ) -> [any DispatchSourceProtocol] {
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        keys.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                inputs.yield(.bytes(Array(bytes[..<count])))
            } else if count == 0 || errno != EINTR {
                inputs.yield(.ended(.success))
            }
        }
        keys.resume()
        let ends: [(Int32, Input)] = [
            (SIGWINCH, .resized), (SIGINT, .ended(.interrupted)), (SIGTERM, .ended(.terminated)),
            (SIGHUP, .ended(.terminated)),
        ]
        return [keys]
            + ends.map { number, input in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { inputs.yield(input) }
                source.resume()
                return source
            }
    }

    private static func fail(_ code: ExitCode, _ message: String) -> Never {
        RecordFile.report("error: \(message)\n")
        exit(code.rawValue)
    }
}
