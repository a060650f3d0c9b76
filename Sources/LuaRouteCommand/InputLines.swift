// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The lines of the input, as bytes: what is no UTF-8 stays what it is.
final class InputLines {
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var position = 0
    private var end = 0

    /// The next line, without its line break; nil at the end.
    func next() -> [UInt8]? {
        var line: [UInt8]?
        while true {
            if position == end {
                position = 0
                end = read()
                if end == 0 { return line }
            }
            let rest = buffer[position..<end]
            guard let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                line = (line ?? []) + rest
                position = end
                continue
            }
            position = lineEnd + 1
            return (line ?? []) + rest[..<lineEnd]
        }
    }

    /// Fills the buffer; returns 0 at the end, and where nothing can be read.
    private func read() -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            while true {
                #if canImport(Glibc)
                    let count = Glibc.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
                #else
                    let count = Darwin.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
                #endif
                if count >= 0 { return count }
                guard errno == EINTR else { return 0 }
            }
        }
    }
}
