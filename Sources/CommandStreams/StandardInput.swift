// SPDX-License-Identifier: MIT

package import ScenarioKit
import SystemGaps

/// The standard input of the process.
package enum StandardInput {
    /// The maximum number of bytes that are read in one call.
    private static let pieceSize = 1 << 16

    /// Returns the next bytes; nil at the end of the input.
    ///
    /// - Throws: ``InputError`` if the input cannot be read.
    package static func next() throws(InputError) -> [UInt8]? {
        while true {
            var error: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, count in
                let result = read(STDIN_FILENO, buffer.baseAddress, pieceSize)
                if result < 0 { error = errno }
                count = max(0, result)
            }
            if error == 0 { return piece.isEmpty ? nil : piece }
            guard error == EINTR else { throw InputError(String(cString: strerror(error))) }
        }
    }

    /// The lines of the standard input.
    package static var lines: InputLines {
        InputLines { () throws(InputError) in try next() }
    }
}
