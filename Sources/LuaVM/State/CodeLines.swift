// SPDX-License-Identifier: MIT

internal import CLuaRoute

extension LineSet {
    /// Creates the set of a chunk's lines that contain code; nil if the chunk does not compile.
    ///
    /// The last line of a function is not included if its only code is the function's implicit
    /// return.
    ///
    /// - Complexity: O(*n*) in the size of the chunk.
    package init?(codeOf source: [UInt8]) {
        let chunk = luaroute_compile(source, source.count, "=")
        defer { luaroute_free_compiled(chunk) }
        guard let bytes = chunk.bytes else { return nil }
        var reader = DumpReader(bytes: UnsafeBufferPointer(start: bytes, count: chunk.count))
        reader.readChunk()
        self = reader.lines
    }
}

/// A reader of the output of `lua_dump`, as written by Lua 5.4 in the same process.
///
/// The format is defined by `ldump.c` and `ldebug.c` of Lua 5.4.
private struct DumpReader {
    /// The size of the header, in bytes: signature, version, format, check data, sizes of three
    /// types, an integer and a number.
    private static let headerSize = 4 + 1 + 1 + 6 + 3 + 8 + 8
    /// The line difference that marks an instruction whose line is in the list of absolute lines.
    private static let absolute = Int8.min

    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var lines = LineSet()
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func readChunk() {
        position = Self.headerSize + 1  // Also skips the number of upvalues of the main function.
        readFunction()
    }

    private mutating func readByte() -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number that is stored in groups of 7 bits.
    ///
    /// The highest bit marks the last group.
    private mutating func readNumber() -> Int {
        var number = 0
        while true {
            let byte = readByte()
            number = number << 7 | Int(byte & 0x7F)
            if byte & 0x80 != 0 { return number }
        }
    }

    private mutating func skipString() {
        let size = readNumber()
        if size > 0 { position += size - 1 }
    }

    private mutating func readFunction() {
        skipString()
        let firstLine = readNumber()
        _ = readNumber()  // the last line
        position += 1
        let isVariadic = readByte() != 0
        position += 1
        let count = readNumber()
        position += count * 4
        skipConstants()
        position += readNumber() * 3  // upvalues
        for _ in 0..<readNumber() { readFunction() }
        readLines(of: count, from: firstLine, isVariadic)
        skipNames()
    }

    private mutating func skipConstants() {
        for _ in 0..<readNumber() {
            switch readByte() {
            case 0x03, 0x13: position += 8  // an integer, a number
            case 0x04, 0x14: skipString()
            default: break
            }
        }
    }

    private mutating func readLines(of count: Int, from firstLine: Int, _ isVariadic: Bool) {
        let size = readNumber()
        let differences = bytes[position..<position + size].map { Int8(bitPattern: $0) }
        position += size
        var absolutes: [Int: Int] = [:]
        for _ in 0..<readNumber() {
            let instruction = readNumber()
            absolutes[instruction] = readNumber()
        }
        var line = firstLine
        for (instruction, difference) in differences.enumerated() {
            line =
                difference == Self.absolute
                ? absolutes[instruction] ?? line : line + Int(difference)
            // The first instruction of a variadic function prepares the arguments. The last
            // instruction of every function is the implicit return.
            let isOwn = instruction > 0 || !isVariadic
            if isOwn, instruction < count - 1 { lines.insert(line) }
        }
    }

    private mutating func skipNames() {
        for _ in 0..<readNumber() {
            skipString()
            _ = readNumber()
            _ = readNumber()
        }
        for _ in 0..<readNumber() { skipString() }
    }
}
