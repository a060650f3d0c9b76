// SPDX-License-Identifier: MIT

internal import LuaVM
internal import RouteCore

extension ScriptText {
    /// Reads those scripts of a bundle that have been loaded.
    ///
    /// - Complexity: O(*n*) in their length.
    init(_ bundle: ScriptBundle) {
        let sources = bundle.files.sorted { $0.key < $1.key }
            .compactMap { file, source in (try? source.get()).map { (file, $0) } }
        self.init(sources.map { ($0, ScriptNames.tokens(of: $1)) })
        let timeouts = Dictionary(grouping: constants.filter(\.isBadTimeout), by: \.location.file)
        findings = sources.flatMap { file, source in
            LuaConstruct.all(in: source).map { construct in
                Finding(
                    .unportable,
                    "with some releases of Lua, \(construct.defect)",
                    at: RouteError.Location(file: file, line: construct.line),
                    help: construct.defect.remedy
                )
            }
                + (timeouts[file] ?? []).map { constant in
                    var text = String(decoding: source[constant.range], as: UTF8.self)
                    if case .text = constant.value { text = "\"\(text)\"" }
                    return Finding(
                        .badTimeout,
                        "'timeout' of '\(constant.function)' is \(constant.isNegative ? "-" : "")\(text) (a positive number of seconds expected, or 'math.huge' for none)",
                        at: constant.location
                    )
                }
        }
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
