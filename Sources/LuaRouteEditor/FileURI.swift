// SPDX-License-Identifier: MIT

internal import RouteCore
internal import RouteFiles
internal import SystemGaps

/// Conversions between the URIs of files and their paths.
enum FileURI {
    private static let scheme = "file://"

    /// Returns the path of a URI, with symbolic links resolved; nil if the URI does not name a
    /// local file.
    static func path(_ uri: String) -> String? {
        guard uri.hasPrefix(scheme) else { return nil }
        let bytes = Array(uri.utf8.dropFirst(scheme.utf8.count))
        // A host name may precede the path.
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
            slash == 0 || bytes[..<slash].elementsEqual("localhost".utf8)
        else { return nil }
        var result: [UInt8] = []
        var index = slash
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        guard !result.contains(0), let path = String(valid: result) else {
            return nil
        }
        if let resolved = SourceFiles.resolved(path) { return resolved }
        // The file may not exist yet, so only the symbolic links in the path of its folder are
        // resolved.
        guard let slash = path.lastIndex(of: "/"),
            let folder = SourceFiles.resolved(String(path[..<slash]))
        else { return path }
        return folder + path[slash...]
    }

    static func uri(_ path: String) -> String {
        let plain = Array("/-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var result = Array(scheme.utf8)
        for byte in path.utf8 {
            if byte.isWord || plain.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
