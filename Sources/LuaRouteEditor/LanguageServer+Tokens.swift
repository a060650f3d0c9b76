// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore
internal import ScenarioKit

/// Semantic tokens, with which clients highlight scenario files.
extension LanguageServer {
    /// A token type that the protocol defines.
    enum TokenType: String, CaseIterable {
        /// A screen class.
        case `class`
        /// A screen kind, such as `nav` or `tabs`.
        case type
        /// A route, a task or a function.
        case function
        case macro
        /// A field or a parameter.
        case property
        /// The name of a request, a value or a snapshot.
        case variable
        /// A gate, an interceptor or an action.
        case event
        case string
        case number
        /// The first words of a line.
        case keyword
    }

    func semanticTokens(_ document: Document, in root: Root, with parameters: Value)
        throws(Failure) -> JSON
    {
        guard document.isScenario else { return ["data": []] }
        let lines = root.names(in: document.path).lines
        var tokens: [(range: Range<Int>, type: TokenType)] = []
        var locals: Set<String> = []
        for line in lines {
            if !line.isIndented { locals = [] }
            tokens.append((line.word, .keyword))
            for name in line.names {
                switch name.meaning {
                case .macro: tokens.append((name.range, .macro))
                case .path: tokens.append((name.range, .string))
                case .local:
                    locals.insert(document.lines.text(name.range))
                    tokens.append((name.range, .variable))
                case .script: break
                }
            }
            tokens += values(in: line.range, document.lines, locals: locals)
        }
        for occurrence in occurrences(in: document.path, root) {
            guard case .script(let subject) = occurrence.symbol.kind else { continue }
            tokens.append((occurrence.range, TokenType(subject)))
        }
        return ["data": .list(encoded(tokens, document.lines), JSON.integer)]
    }

    /// Returns the tokens in a line that the parser does not report: quoted texts, numbers, screen
    /// kinds and local names.
    private func values(in line: Range<Int>, _ lines: TextLines, locals: Set<String>)
        -> [(range: Range<Int>, type: TokenType)]
    {
        let bytes = lines.bytes
        var tokens: [(range: Range<Int>, type: TokenType)] = []
        var index = line.lowerBound
        while index < line.upperBound {
            let start = index
            let first = bytes[index]
            if first == UInt8(ascii: "\"") {
                index += 1
                while index < line.upperBound, bytes[index] != first {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index = min(index + 1, line.upperBound)
                tokens.append((start..<index, .string))
            } else if first.isWord {
                while index < line.upperBound, bytes[index].isWordOrHyphen || bytes[index] == 0x2E {
                    index += 1
                }
                let word = lines.text(start..<index)
                if first.isDigit {
                    tokens.append((start..<index, .number))
                } else if Screen.Kind(rawValue: word) != nil {
                    tokens.append((start..<index, .type))
                } else if locals.contains(word) {
                    tokens.append((start..<index, .variable))
                }
            } else {
                index += 1
            }
        }
        return tokens
    }

    /// Encodes tokens in the format of the protocol: five numbers for each token, relative to the
    /// previous token.
    ///
    /// If tokens overlap, only the token that starts first is encoded; if they start at the same
    /// offset, only the last one in `tokens`. A token that extends over several lines is omitted.
    private func encoded(
        _ tokens: [(range: Range<Int>, type: TokenType)],
        _ lines: TextLines
    ) -> [Int] {
        var numbers: [Int] = []
        var end = 0
        var before = (line: 0, character: 0)
        for token in tokens.enumerated().sorted(by: {
            ($0.element.range.lowerBound, -$0.offset) < ($1.element.range.lowerBound, -$1.offset)
        }).map(\.element) where !token.range.isEmpty && token.range.lowerBound >= end {
            let start = lines.place(token.range.lowerBound, encoding)
            let stop = lines.place(token.range.upperBound, encoding)
            guard start.line == stop.line else { continue }
            end = token.range.upperBound
            numbers += [
                start.line - before.line,
                start.character - (start.line == before.line ? before.character : 0),
                stop.character - start.character, token.type.index, 0,
            ]
            before = start
        }
        return numbers
    }
}

extension LanguageServer.TokenType {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    fileprivate init(_ subject: NameSubject) {
        self =
            switch subject {
            case .class: .class
            case .field: .property
            case .service, .task, .target, .export: .function
            case .gate, .interceptor, .action, .dependency: .event
            }
    }
}
