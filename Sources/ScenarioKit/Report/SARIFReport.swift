// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteFiles

/// Writes each diagnostic once, as SARIF 2.1.0, with paths relative to the repository.
///
/// Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
enum SARIFReport {
    /// Returns the report.
    ///
    /// - Parameters:
    ///   - diagnostics: The results.
    ///   - path: The path to use for a result without a location, because GitHub rejects results
    ///     without a location.
    ///   - code: The exit code of the command.
    /// - Returns: The document.
    static func text(
        of diagnostics: [Diagnostic],
        at path: String?,
        code: ExitCode
    ) -> PrintedText {
        let results = diagnostics.unrepeated.map { $0.located(in: file(at: path)) }
        let codes = Set(results.map(\.code.description)).sorted()
        var json = JSONWriter()
        json.begin("{")
        json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        json.member("version", "2.1.0")
        json.list("runs", elements: [results]) { json, results in
            json.begin("{")
            json.name("tool")
            json.begin("{")
            json.name("driver")
            json.begin("{")
            json.member("name", "luaroute")
            json.member("version", Release.version)
            json.list("rules", elements: codes) { json, code in
                json.begin("{")
                json.member("id", code)
                if let title = CodeArticle.named(code)?.title {
                    json.name("shortDescription")
                    json.write(message: title)
                }
                json.end("}")
            }
            json.end("}")
            json.end("}")
            json.list("invocations", elements: [code]) { json, code in
                json.begin("{")
                json.member("executionSuccessful", .boolean(code <= .failed))
                json.member("exitCode", Int(code.rawValue))
                json.end("}")
            }
            json.member("columnKind", "unicodeCodePoints")
            json.list("results", elements: results) { $0.write(result: $1) }
            json.end("}")
        }
        json.end("}")
        return json.document
    }

    /// Returns the path to report for the given path.
    ///
    /// For a folder, this is the path of its `main.lua` or `luaroute.json`, if one of them exists.
    private static func file(at path: String?) -> String {
        let path = path ?? "."
        guard SourceFiles.kind(of: path) == .folder else { return path }
        return ["main.lua", ProjectFile.name].map { Paths.path($0, from: path) }
            .first(where: SourceFiles.isThere) ?? path
    }
}

extension Diagnostic {
    /// Returns the diagnostic with a location.
    ///
    /// A diagnostic without a location is placed at the beginning of the given file.
    func located(in path: String) -> Diagnostic {
        var diagnostic = self
        diagnostic.span = span ?? Span(SourceText(name: path, content: []), 0..<0)
        return diagnostic
    }
}

extension JSONWriter {
    fileprivate mutating func write(message: String) {
        begin("{")
        member("text", message)
        end("}")
    }

    fileprivate mutating func write(result: Diagnostic) {
        begin("{")
        member("ruleId", result.code.description)
        member("level", result.severity.rawValue)
        name("message")
        write(message: result.paragraphs.joined(separator: "\n"))
        list("locations", elements: [result.span].compactMap(\.self)) { $0.write(location: $1) }
        let related = result.related
        if !related.isEmpty {
            list("relatedLocations", elements: related) {
                $0.write(location: $1.span, label: $1.label)
            }
        }
        end("}")
    }

    private mutating func write(location span: Span, label: String? = nil) {
        begin("{")
        name("physicalLocation")
        begin("{")
        name("artifactLocation")
        begin("{")
        let path = span.source.repositoryPath
        member("uri", path.isEmpty ? "." : Self.reference(to: path))
        end("}")
        name("region")
        begin("{")
        member("startLine", span.line)
        member("startColumn", span.column)
        member("endLine", span.line)
        member("endColumn", span.column + span.length)
        end("}")
        end("}")
        if let label {
            name("message")
            write(message: label)
        }
        end("}")
    }

    /// Returns a path as a URI reference.
    private static func reference(to path: String) -> String {
        let text = path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "/-._~".unicodeScalars.contains(scalar))
            let hex = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + hex
        }.joined()
        return path.isAbsolutePath ? "file://\(text)" : text
    }
}

extension SourceText {
    /// The path relative to the repository that contains the file; the unchanged path if the file
    /// is not in a repository.
    var repositoryPath: String {
        guard let resolved = SourceFiles.resolved(name) else { return name }
        var folder = Paths.folder(of: resolved)
        while folder.utf8.count > 1 {
            if SourceFiles.isThere("\(folder)/.git") {
                return String(resolved.dropFirst(folder.count + 1))
            }
            folder = Paths.folder(of: folder)
        }
        return name
    }
}
