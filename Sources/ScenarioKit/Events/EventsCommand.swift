// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The command `luaroute events`: prints the events that a run or an app recorded, or writes a
/// scenario that reproduces the events.
///
/// This type does everything except parsing the command line and ending the process, so that tests
/// can run it in their own process.
package struct EventsCommand: Sendable {
    /// The output formats.
    package enum Format: Sendable {
        /// One line for each event.
        case list
        /// The events, grouped by outermost navigation and indented by cause.
        case trace
        /// A scenario file that reproduces the recordings.
        case scenario
    }

    /// The path of the file; `-` for standard input.
    package var file: String
    /// The output format.
    package var format = Format.list
    /// The texts of the filter.
    ///
    /// A recording is selected if the name of its scenario contains at least one of the texts, or
    /// if there are no texts.
    package var filter: [String] = []
    /// The path of the scripts for the written scenario; `nil` to use the scripts that the
    /// recordings name.
    package var script: String?
    /// Whether the written scenario expects that the last failed request succeeds.
    package var isFailing = false

    /// Creates a command.
    package init(file: String) { self.file = file }

    /// Reads the file, and prints its events or the scenario.
    ///
    /// - Parameters:
    ///   - input: Returns the next bytes of the input; `nil` at the end.
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
