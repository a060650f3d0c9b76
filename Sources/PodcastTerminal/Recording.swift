// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import ScenarioKit

/// The events of a session, from which a scenario is written.
struct Recording {
    private var lines: [String] = [Event.jsonHeader]
    /// The number of accepted and rejected reloads.
    private var reloadCount = 0

    /// Adds an event.
    ///
    /// Reloads are left out: the scripts that they loaded are no longer on disk, and the scenario
    /// runs with those that are.
    mutating func add(_ event: Event) {
        if event.kind == .reload { reloadCount += 1 }
        let isReload = event.kind == .reload || event["act"].text == "reload"
        if !isReload { lines.append(event.json) }
    }

    /// Returns the text of a scenario that does what was done.
    ///
    /// - Parameter script: The path of the scripts, from the folder of the scenario.
    /// - Returns: The text, and the messages about what could not be reproduced.
    func scenario(script: String) -> (text: String, errors: String) {
        var command = EventsCommand(file: "-")
        command.format = .scenario
        command.script = script
        var rest = lines[...]
        var (text, errors) = ("", "")
        _ = command.run(
            input: { rest.popFirst().map { Array($0.utf8) } },
            output: { text += $0 },
            errors: { errors += $0 }
        )
        if reloadCount > 0 {
            text = "# The scripts were reloaded meanwhile; it uses them as they are now.\n" + text
        }
        return (text, errors)
    }
}
