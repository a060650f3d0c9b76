// SPDX-License-Identifier: MIT

/// The output of a command: its results, messages and files.
package struct Console {
    /// Writes results, in chunks that end with a line break.
    package var output: (PrintedText) -> Void
    /// Writes messages.
    package var errors: (PrintedText) -> Void
    /// Writes a file completely or not at all.
    ///
    /// Returns the system's description of the error if writing fails; `nil` otherwise.
    package var save: (_ text: String, _ path: String) -> String?
    /// The colours of results.
    package var style = TerminalStyle()
    /// The colours of messages.
    package var errorStyle = TerminalStyle()
    /// The number of columns of the terminal that shows the results; `nil` if there is no terminal.
    package var width: Int?
    /// Whether each diagnostic is printed on one line.
    var isShort = false

    /// Creates an output without a terminal and without colours.
    package init(
        output: @escaping (PrintedText) -> Void,
        errors: @escaping (PrintedText) -> Void,
        save: @escaping (_ text: String, _ path: String) -> String? = { _, _ in "read only" }
    ) {
        (self.output, self.errors, self.save) = (output, errors, save)
    }

    /// Creates an output that passes both results and messages to the given closure, and writes no
    /// files.
    package init(_ write: @escaping (PrintedText) -> Void) {
        self.init(output: write, errors: write)
    }

    /// An output that discards everything.
    package static var silent: Self { Self { _ in } }

    /// Writes a file like `save`, and first creates the missing folders of its path.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - path: The path of the file.
    ///   - makeFolder: Creates a folder and its missing parent folders; returns the system's
    ///     description of the error if the folder cannot be created, and nil otherwise.
    /// - Returns: The system's description of the error; nil if the file was written.
    func create(
        _ text: String,
        at path: String,
        makeFolder: (_ path: String) -> String?
    ) -> String? {
        let folder = Paths.folder(of: path)
        return (folder.isEmpty ? nil : makeFolder(folder)) ?? save(text, path)
    }

    /// Writes a diagnostic as a message.
    func write(_ diagnostic: Diagnostic) { errors(text(of: diagnostic)) }

    /// Writes a finding as a message, or as a result if each finding is printed on one line.
    func writeFinding(_ finding: Diagnostic) { (isShort ? output : errors)(text(of: finding)) }

    /// Returns a copy of the output that calls the given closure before it writes a text.
    package func calling(before: @escaping () -> Void) -> Self {
        var console = self
        console.output = { [output] text in
            before()
            output(text)
        }
        console.errors = { [errors] text in
            before()
            errors(text)
        }
        return console
    }

    private func text(of diagnostic: Diagnostic) -> PrintedText {
        ConsoleReport(style: errorStyle, isShort: isShort).text(of: diagnostic)
    }

    /// Returns a copy of the output with the given value of `isShort`.
    func short(_ isShort: Bool) -> Self {
        var console = self
        console.isShort = isShort
        return console
    }
}
