// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The events of a run, as a stream in the format of an event file.
extension Session {
    /// The events so far: a header with the name of the scenario, and a line for each event.
    var eventStream: String {
        var header = JSONWriter()
        header.begin("{")
        header.member("schema", Event.schema)
        header.member("scenario", cursor.scenario.name)
        header.member("location", "\(source.name):\(cursor.scenario.address)")
        if let script = ScenarioRunner.scriptPath(of: file, options) {
            header.member("script", script)
        }
        for setting in EventRecording.Setting.allCases {
            if let value = text(of: setting) { header.member(setting.rawValue, value) }
        }
        header.end("}")
        var text = header.text + "\n"
        for event in log.events { text += event.json + "\n" }
        return text
    }

    /// Returns the value of a setting as written in a file; `nil` for the default.
    private func text(of setting: EventRecording.Setting) -> String? {
        switch setting {
        case .seed: (options.seed ?? settings.seed).map { String($0) }
        case .profile:
            options.isTrusted
                ? ScenarioSettings.Profile.trusted.rawValue : settings.profile?.rawValue
        }
    }
}
