// SPDX-License-Identifier: MIT

import CFuzzer
import Foundation
import FuzzTargets

/// Stops the process if a property is violated, which the fuzzer reports as a crash.
func run(_ target: FuzzTarget, _ bytes: [UInt8]) {
    let faults = target.faults(of: bytes)
    if !faults.isEmpty { fatalError("\(target.rawValue): \(faults.joined(separator: "\n"))") }
}

/// The target to fuzz, as a global, because a C function pointer captures nothing.
nonisolated(unsafe) var chosen = FuzzTarget.chunk

// The fuzzer starts itself again for some work, without the first argument.
let variable = "LUAROUTE_FUZZ_TARGET"
let inherited = ProcessInfo.processInfo.environment[variable].flatMap(FuzzTarget.init(rawValue:))
let named = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.init(rawValue:))
guard let target = named ?? inherited else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
    FileHandle.standardError.write(Data("usage: fuzz \(names) [FILE…] [OPTION…]\n".utf8))
    exit(64)
}
chosen = target
setenv(variable, target.rawValue, 1)

// The fuzzer does not know of the first argument.
var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.indices
    .filter { named == nil || $0 != 1 }
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
for path in CommandLine.arguments.dropFirst(named == nil ? 1 : 2) where !path.hasPrefix("-") {
    run(target, Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    print("\(path): fine")
}
