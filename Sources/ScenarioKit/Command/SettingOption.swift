// SPDX-License-Identifier: MIT

/// A setting on the command line, such as `strict=true`.
///
/// The setting overrides the same setting in scenario files.
package struct SettingOption: Sendable {
    let setting: ScenarioSettings.Setting
    /// The text from which the setting was parsed.
    let text: String

    /// Parses `KEY=VALUE`, as in a `set` line of a scenario file.
    package init(_ text: String) throws(UsageError) {
        self.text = text
        let bytes = Array(text.utf8)
        var parser = StepParser(bytes, at: bytes.indices, names: NameScope())
        do throws(SyntaxError) {
            setting = try parser.setting()
            try parser.checkEnd(of: "KEY=VALUE")
        } catch {
            throw UsageError(error)
        }
    }
}
