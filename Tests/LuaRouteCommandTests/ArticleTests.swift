// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The code and the output in the tutorial, in the articles for users of other routers, and in the
/// articles about similar functions and about links from a browser.
///
/// The last folder that an article names before its first block contains the article's files. If
/// the line above a block ends with a file name, such as "`main.lua`:", the block is an excerpt of
/// that file. If such a block is a `diff`, it is an edit that the reader makes, and undoes after
/// the next output. A `console` block is a command and its output, or the output that a watch
/// prints after an edit if the block contains no command.
@Suite("Articles with code blocks")
struct ArticleTests {

    @Test(
        "each code block that names a file is a contiguous part of that file",
        arguments: Article.all
    )
    func cuts(_ article: Article) throws {
        for block in article.blocks where block.language != "diff" {
            guard let file = block.file else { continue }
            #expect(
                "\n\(try article.text(of: file))".contains("\n\(block.text)\n"),
                "\(file): \(block.text)"
            )
        }
    }

    @Test("each command prints the output that the article shows", arguments: Article.all)
    func output(_ article: Article) throws {
        var text = ""
        var end = article.text.startIndex
        var copy: Copy?
        for block in article.blocks {
            if block.language == "diff" {
                let edited = try copy ?? Copy(of: article)
                copy = edited
                try edited.edit(try #require(block.file), by: String(block.text))
            } else if block.language == "console" {
                let running = try copy ?? Copy(of: article)
                let output = try running.output(of: String(block.text))
                copy = running.isWatching ? running : nil
                text += article.text[end..<block.text.startIndex] + output
                end = block.text.endIndex
            }
        }
        try expectGolden(text + article.text[end...], article.url)
    }

    @Test("the tutorial shows every line of its files")
    func completeness() throws {
        var shown: Set<Substring> = []
        for article in Article.tutorial {
            for block in article.blocks where block.file != nil && block.language != "diff" {
                shown.formUnion(block.text.split(separator: "\n"))
            }
            for file in try article.files() {
                let hidden = try article.text(of: file).split(separator: "\n").filter {
                    !shown.contains($0) && !$0.hasPrefix("// SPDX-")
                }
                #expect(hidden == [], "\(article): \(file)")
            }
        }
        #expect(Article.tutorial.count == 11, "ten chapters, and the list of them")
    }
}

/// An article with code from a folder of the package.
struct Article: Sendable, CustomTestStringConvertible {
    struct Block: Sendable {
        let language: String
        let text: Substring
        /// The file that is named in the line above the block.
        let file: String?
    }

    let url: URL
    let text: String
    /// The folder of the files, relative to the package.
    let folder: String
    let blocks: [Block]

    var testDescription: String { url.deletingPathExtension().lastPathComponent }

    static let tutorial = articles(in: "Tutorial")
    static let all =
        tutorial + articles(in: "ComingFrom")
        + articles(in: "").filter { named.contains($0.testDescription) }
    private static let named: Set = [
        "LinksThatComeBack", "Restoring", "SessionInSwift", "WhichOne",
    ]

    private static func articles(in folder: String) -> [Article] {
        let url = packageFolder.appending(path: "Sources/LuaRouting/Documentation.docc/\(folder)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []
        return names.sorted().compactMap { try? Article(url.appending(path: $0)) }
    }

    /// Reads an article; nil if it names no folder.
    private init?(_ url: URL) throws {
        self.url = url
        text = try String(contentsOf: url, encoding: .utf8)
        let folders = /`((?:scripts|Tests\/Consumers\/App\/Sources)\/[\w\/-]+)`/
        let cut = text.firstMatch(of: /`[\w.\/-]+`:\n\n```/)?.range.lowerBound ?? text.endIndex
        guard let folder = text[..<cut].matches(of: folders).last else { return nil }
        self.folder = String(folder.1)
        blocks = text.matches(of: /(?s)(?:`([\w.\/-]+)`:\n\n)?```(\w*)\n(.*?)\n```\n/).map {
            Block(language: String($0.2), text: $0.3, file: $0.1.map(String.init))
        }
    }

    func text(of file: String) throws -> String {
        try String(contentsOf: packageFolder.appending(path: "\(folder)/\(file)"), encoding: .utf8)
    }

    /// The files, relative to the folder.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(
            atPath: packageFolder.appending(path: folder).path()
        ).filter { $0.contains(".") }
    }
}

/// A copy of an article's folder, in which commands run.
private final class Copy {
    private let folder: URL
    private var watch: WatchedProcess?
    /// The number of characters that the watch printed before the last edit.
    private var printed = 0

    var isWatching: Bool { watch != nil }

    init(of article: Article) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "luaroute-article-\(UUID().uuidString)")
        try FileManager.default.copyItem(
            at: packageFolder.appending(path: article.folder),
            to: folder
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Applies a diff, replacing the lines that begin with `-` with the lines that begin with `+`.
    func edit(_ file: String, by diff: String) throws {
        let url = folder.appending(path: file)
        let lines = diff.split(separator: "\n", omittingEmptySubsequences: false)
        func text(without sign: Character) -> String {
            lines.filter { $0.first != sign }.map { $0.dropFirst() + "\n" }.joined()
        }
        let old = text(without: "+")
        let before = try String(contentsOf: url, encoding: .utf8)
        try #require(before.components(separatedBy: old).count == 2, "\(file) has no single \(old)")
        try Data(before.replacing(old, with: text(without: "-")).utf8).write(to: url)
    }

    /// Runs the command of a block, or waits for what the watch prints.
    func output(of block: String) throws -> String {
        guard block.hasPrefix("$ ") else { return try watched() }
        let line = String(block.prefix { $0 != "\n" })
        let command = line.dropFirst(2).replacing("luaroute", with: "$LUAROUTE", maxReplacements: 1)
        if command.contains(" watch ") {
            watch = try WatchedProcess(shell: "exec \(command) 2>&1", in: folder)
            return try "\(line)\n\(watched())"
        }
        let process = try CommandProcess(shell: "cd '\(folder.path())' && \(command) 2>&1")
        return "\(line)\n\(trimmed(process.output))"
    }

    /// Returns the output of the watch until it waits for the next edit, with a fixed time.
    private func watched() throws -> String {
        let watch = try #require(watch)
        let text = try watch.output(after: printed) { text in
            if printed == 0 { return text.hasSuffix(" files\n") }
            return text.hasSuffix(text.contains("✘ rejected") ? "\n\n" : " failed\n")
        }
        printed += text.count
        return trimmed(text)
            .replacing(/\d\d:\d\d:\d\d/, with: "12:04:31").replacing(/\(\d+ ms\)/, with: "(4 ms)")
    }

    private func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .newlines)
    }
}
