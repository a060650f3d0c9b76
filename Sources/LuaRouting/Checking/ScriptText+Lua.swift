// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteCore

extension ScriptText {
    /// Reads the loaded scripts of a bundle.
    ///
    /// - Complexity: O(*n*) in the length of the scripts.
    init(_ bundle: ScriptBundle) {
        self.init(
            joining: bundle.readSources.map { file, source in
                ScriptText(source, ScriptNames.tokens(of: source), of: file)
            }
        )
    }

    /// Reads a script of a bundle.
    fileprivate init(_ source: [UInt8], _ tokens: [ScriptToken], of file: String) {
        self.init(tokens, of: file)
        findings = LuaConstruct.all(in: source).map { construct in
            Finding(
                .unportable,
                "this code fails with some releases of Lua: \(construct.defect)",
                at: RouteError.Location(file: file, line: construct.line),
                help: construct.defect.remedy
            )
        }
        findings += constants.filter(\.isBadTimeout).map { constant in
            var text = String(decoding: source[constant.range], as: UTF8.self)
            if case .text = constant.value { text = "\"\(text)\"" }
            return Finding(
                .badTimeout,
                "'timeout' of '\(constant.function)' is \(constant.isNegative ? "-" : "")\(text) (a positive number of seconds expected, or 'math.huge' for no timeout)",
                at: constant.location
            )
        }
    }
}

/// The texts of a bundle's scripts, read for a check.
///
/// For a newer bundle, only the files that differ are read again.
package struct ScriptTexts {
    private let files: [(names: UndeclaredNames.Script, text: ScriptText)]
    /// The names in each script, sorted by file.
    var scripts: [UndeclaredNames.Script] { files.map { $0.names } }
    /// The text of all scripts.
    package let text: ScriptText

    init(_ bundle: ScriptBundle, after older: ScriptTexts?) {
        let known = Dictionary(
            uniqueKeysWithValues: (older?.files ?? []).map { ($0.names.file, $0) }
        )
        files = bundle.readSources.map { file, source in
            if let same = known[file], same.names.bytes == source { return same }
            let names = UndeclaredNames.Script(file, source)
            return (names, ScriptText(source, names.tokens, of: file))
        }
        text = ScriptText(joining: files.map { $0.text })
    }
}

extension ScriptBundle {
    /// The loaded files that could be read, sorted by name.
    fileprivate var readSources: [(file: String, source: [UInt8])] {
        files.sorted { $0.key < $1.key }
            .compactMap { file, source in (try? source.get()).map { (file, $0) } }
    }
}

extension ScriptToken {
    init(_ token: LuaToken, of source: [UInt8]) {
        let bytes = source[token.content]
        let kind: Kind =
            switch token.kind {
            case .name, .keyword: .word(String(decoding: bytes, as: UTF8.self))
            case .string: .text(bytes)
            case .numeral: .numeral(bytes)
            case .symbol where bytes.elementsEqual("..".utf8): .join
            case .symbol where bytes.count == 1: .symbol(bytes[bytes.startIndex])
            case .symbol: .symbol(0)
            }
        self.init(kind, line: token.lines.lowerBound, range: token.content)
    }
}
