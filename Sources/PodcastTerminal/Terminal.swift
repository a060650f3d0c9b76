// SPDX-License-Identifier: MIT

internal import ScenarioKit

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The terminal: while it exists, keys arrive one by one, and the screen belongs to the app.
struct Terminal {
    private let settings: termios
    /// The lines that are shown.
    private var shown: [String] = []

    /// Takes the terminal; nil if the input or the output is not one.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        self.settings = settings
        cfmakeraw(&settings)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        // The alternate screen, without cursor and without line wrap.
        Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    /// Gives the terminal back as it was.
    func restore() {
        Self.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// The size; that of a small terminal if it is unknown.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows lines; those that are shown already are not written.
    mutating func show(_ lines: [String], isForced: Bool = false) {
        var text = isForced ? "\u{1B}[2J" : ""
        for (row, line) in lines.enumerated()
        where isForced || !shown.indices.contains(row) || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H" + Self.placed(line)
        }
        shown = lines
        Self.write(text)
    }

    /// Places the character after each one whose width terminals do not agree about.
    private static func placed(_ line: String) -> String {
        var text = ""
        var column = 1
        for character in line {
            text.append(character)
            column += DisplayWidth.of(character.unicodeScalars)
            let isPlain = character.isASCII || ("─"..."┘").contains(character)
            if !isPlain { text += "\u{1B}[\(column)G" }
        }
        return text
    }

    /// Writes text to an output of the process.
    static func write(_ text: String, to output: Int32 = STDOUT_FILENO) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(output, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// The system's `write`, which a method of the same name hides.
private let systemWrite = write
