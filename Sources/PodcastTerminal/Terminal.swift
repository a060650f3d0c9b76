// SPDX-License-Identifier: MIT

internal import Dispatch
internal import ScenarioKit
internal import SystemGaps

/// The terminal of the app.
///
/// Until it is restored, keys arrive one by one, and only the app writes to it.
struct Terminal {
    /// An input of the app.
    enum Input: Sendable {
        case bytes([UInt8]), idle, resized, changed, ended(ExitCode)
    }

    private let settings: termios
    /// The lines that are shown.
    private var shown: [String] = []
    /// The inputs, in the order in which they arrive.
    let inputs: AsyncStream<Input>
    /// Adds an input.
    ///
    /// May be called on any thread.
    let add: @Sendable (Input) -> Void
    private let sources: [any DispatchSourceProtocol]

    /// Prepares the terminal for the app; nil if the input or the output is not a terminal.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        self.settings = settings
        let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        self.inputs = inputs
        let add = { @Sendable (input: Input) -> Void in continuation.yield(input) }
        self.add = add
        sources = [Self.keys(add)] + Self.signals(add)
        cfmakeraw(&settings)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        // Switches to the alternate screen, hides the cursor and disables line wrap.
        Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    /// Restores the previous state of the terminal.
    func restore() {
        for source in sources { source.cancel() }
        Self.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// The size of the terminal, or a usual size if the terminal does not report one.
    var size: (width: Int, height: Int) {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    }

    /// Shows the given lines.
    ///
    /// Lines that are already on screen are not written again.
    mutating func show(_ lines: [String], isResized: Bool = false) {
        if isResized { shown = [] }
        var text = isResized ? "\u{1B}[2J" : ""
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H" + Self.placed(line)
        }
        shown = lines
        Self.write(text)
    }

    /// Returns the line with an explicit cursor position after each character whose width differs
    /// between terminals.
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

    private static func keys(_ add: @escaping @Sendable (Input) -> Void)
        -> any DispatchSourceProtocol
    {
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        keys.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                add(.bytes(Array(bytes[..<count])))
            } else if count == 0 || errno != EINTR {
                add(.ended(.success))
            }
        }
        keys.resume()
        return keys
    }

    private static func signals(
        _ add: @escaping @Sendable (Input) -> Void
    ) -> [any DispatchSourceProtocol] {
        let signals: [(number: Int32, input: Input)] = [
            (SIGWINCH, .resized), (SIGINT, .ended(.interrupted)), (SIGTERM, .ended(.terminated)),
            (SIGHUP, .ended(.terminated)),
        ]
        return signals.map { number, input in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { add(input) }
            source.resume()
            return source
        }
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

    /// Ends the process, with a message on stderr.
    static func end(_ code: ExitCode, _ message: String = "") -> Never {
        write(message, to: STDERR_FILENO)
        exit(code.rawValue)
    }

    /// The value of an environment variable.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// The system's `write`, which the method of the same name hides.
private let systemWrite = write
