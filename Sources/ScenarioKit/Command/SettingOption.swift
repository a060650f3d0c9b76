// SPDX-License-Identifier: MIT

/// A setting of the command line, which overrides the setting in each scenario file: `strict=true`.
package struct SettingOption: Sendable {
    let setting: ScenarioSettings.Setting
    /// The text from which the setting was read.
    let text: String

    /// Reads `KEY=VALUE`, as a line `set` of a file has it.
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
