// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzTargets

/// Stops where something does not hold: that is what the fuzzer looks for.
func run(_ target: FuzzTarget, _ bytes: [UInt8]) {
    let faults = target.faults(of: bytes)
    if !faults.isEmpty { fatalError("\(target.rawValue): \(faults.joined(separator: "\n"))") }
}

/// What a function without captures is told.
nonisolated(unsafe) var chosen = FuzzTarget.chunk

guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
    FileHandle.standardError.write(Data("usage: fuzz \(names) [FILE…] [OPTION…]\n".utf8))
    exit(64)
}
chosen = target

// The fuzzer does not know of the first argument.
var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.indices
    .filter { $0 != 1 }
    .map { strdup(CommandLine.arguments[$0]) }
arguments.append(nil)
let count = Int32(arguments.count - 1)
var code: Int32 = 0
let isFuzzing = arguments.withUnsafeMutableBufferPointer { buffer in
    cfuzzer_run(
        count,
        buffer.baseAddress,
        { data, size in
            run(chosen, Array(UnsafeBufferPointer(start: data, count: size)))
            return 0
        },
        &code
    ) != 0
}
if isFuzzing { exit(code) }

// Without a fuzzer in it, the program tries the files that it is given.
for path in CommandLine.arguments.dropFirst(2) where !path.hasPrefix("-") {
    run(target, Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    print("\(path): fine")
}
