// SPDX-License-Identifier: MIT

public import Foundation

/// Returns the path of a program that was built together with the tests.
public func builtProduct(_ name: String) -> URL {
    #if os(macOS)
    Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        .deletingLastPathComponent().appending(path: name)
        ?? URL(filePath: name)
    #else
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: name)
    #endif
}
