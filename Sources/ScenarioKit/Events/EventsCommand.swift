// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The command `luaroute events`: prints the events that a run or an app recorded, or writes a
/// scenario that reproduces them.
///
/// It does everything except parsing the command line and ending the process, so tests call it in
/// process.
package struct EventsCommand: Sendable {
    /// The forms of results.
    package enum Format: Sendable {
        /// One line for each event.
        case list
        /// The events of each outermost navigation together, indented by cause.
        case trace
        /// A scenario file that reproduces the recordings.
        case scenario
    }

    /// The file; `-` reads the input.
    package var file: String
    /// The form of the results.
    package var format = Format.list
    /// Parts of the names of scenarios, one of which a recording's name must contain; empty for all
    /// recordings.
    package var filter: [String] = []
    /// The scripts of the written scenario; nil for the scripts that the recordings name.
    package var script: String?
    /// Whether the written scenario expects the request that failed last to succeed.
    package var isFailing = false

    /// Creates a command.
    package init(file: String) { self.file = file }

    /// Reads the file and prints it.
    ///
    /// - Parameters:
    ///   - input: Returns the next bytes of the input; nil at its end.
    ///   - console: The output.
    /// - Returns: The exit code.
    package func run(
        input: () throws(InputError) -> [UInt8]?,
        _ console: Console
    ) -> ExitCode {
        do throws(Diagnostic) {
            let events = try EventFile(try source(input))
            events.warnings.forEach(console.write)
            let writer = EventListWriter(isTrace: format == .trace, style: console.style)
            let recordings = events.recordings.filter { recording in
                filter.isEmpty || recording.scenario?.contains(anyOf: filter) == true
            }
            if format == .scenario {
                let writer = EventScenario(script: script, isFailing: isFailing)
                console.output(PrintedText(source: try writer.file(for: recordings)))
            } else {
                for recording in recordings { console.output(writer.text(of: recording)) }
            }
            if recordings.isEmpty { throw Diagnostic(.nothingSelected, "no recording is selected") }
            return .success
        } catch {
            console.write(error)
            return error.code == .nothingSelected ? .nothingSelected : .inputMissing
        }
    }

    private func source(
        _ input: () throws(InputError) -> [UInt8]?
    ) throws(Diagnostic) -> SourceText {
        guard file == "-" else {
            do throws(BundleError) {
                let bytes = try SourceFiles.read(file, limit: EventFile.sizeLimit)
                return SourceText(name: file, content: bytes)
            } catch {
                throw Diagnostic(.inputUnreadable, Paths.message(of: error))
            }
        }
        let source: SourceText
        do throws(InputError) {
            source = try SourceText(input: file, limit: EventFile.sizeLimit, input)
        } catch {
            throw .unreadableInput(error)
        }
        guard source.bytes.count <= EventFile.sizeLimit else {
            let error = BundleError.tooLarge(file, limit: EventFile.sizeLimit)
            throw Diagnostic(.inputUnreadable, error.message)
        }
        return source
    }
}
