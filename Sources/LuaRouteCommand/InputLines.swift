// SPDX-License-Identifier: MIT

import ScenarioKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The system's `read`, which the method of the same name hides.
private let readBytes = read

/// The lines of the input, as bytes: invalid UTF-8 is kept.
final class InputLines {
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var position = 0
    private var end = 0

    /// Returns the next line without its line break; nil at the end.
    ///
    /// - Throws: ``InputError`` if the input cannot be read.
    func next() throws(InputError) -> [UInt8]? {
        var line: [UInt8]?
        while true {
            if position == end {
                position = 0
                end = try read()
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

    /// Fills the buffer; returns 0 at the end.
    private func read() throws(InputError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                readBytes(STDIN_FILENO, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw InputError(String(cString: strerror(errno))) }
        }
    }
}
