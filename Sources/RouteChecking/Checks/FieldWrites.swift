// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each field that scripts write but that the class of the screen does
    /// not list.
    ///
    /// Only writes to a screen whose class is known are checked: the fields in a call to `screen`,
    /// and assignments to fields of the first parameter of `update`, `after` and `closed`.
    func unlistedFieldFindings(_ text: ScriptText) -> [Finding] {
        var findings = text.fieldText.fields.compactMap { write in
            unlisted(write.name, of: write.screenClass, at: write.location)
        }
        for step in steps {
            for function in [step.update, step.after, step.closed].compactMap(\.self) {
                guard let source = source(function), let screen = source.parameters.first,
                    let assignments = text.fieldText.assignments[source.file]
                else { continue }
                for (line, all) in assignments where source.lines.contains(line) {
                    let location = RouteError.Location(file: source.file, line: line)
                    findings += all.filter { $0.variable == screen }.compactMap {
                        unlisted($0.field, of: step.screenClass, at: location)
                    }
                }
            }
        }
        return findings
    }

    private func unlisted(
        _ field: String,
        of name: String?,
        at location: RouteError.Location
    ) -> Finding? {
        guard let its = name.map({ declarations.classes[$0] }), its.declaresFields,
            !its.fields.contains(field), ScreenProperty.named(field) == nil
        else { return nil }
        let hint = Suggestion.hint(for: field, among: its.fields)
        return Finding(
            .unlistedField,
            "class '\(its.name)' does not list the field '\(field)'\(hint)",
            at: location,
            help: "add the field to 'fields' of 'router.class(\"\(its.name)\", …)'"
        )
    }
}
