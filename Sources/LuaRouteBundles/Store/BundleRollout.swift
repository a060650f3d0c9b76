// SPDX-License-Identifier: MIT

#if Bundles
/// The selection of the devices that receive a bundle during a rollout.
///
/// The selection depends only on the key of the device, and on the name and the version of the
/// bundle. A device therefore gets the same answer each time, and a device that is selected at 5 %
/// is also selected at any higher percentage. Each version starts with different devices.
///
/// ```swift
/// let share = BundleRollout.share(of: "device 7", name: "podcast", version: 42)
/// let takes = BundleRollout.isSelected("device 7", name: "podcast", version: 42, percent: 5)
/// ```
public enum BundleRollout {
    /// Returns the percentage above which a device receives a version: at least 0, less than 100.
    ///
    /// - Parameters:
    ///   - key: A text that identifies the device or the user, and never changes.
    ///   - name: The name of the bundle.
    ///   - version: The version of the bundle.
    /// - Returns: The percentage.
    public static func share(of key: String, name: String, version: Int) -> Double {
        let digest = BundleDigest.bytes(of: Array("\(name)\n\(version)\n\(key)".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(number % 1_000_000) / 10_000
    }

    /// Reads a percentage, such as the value `12.5` of a server's header.
    ///
    /// - Parameter text: A number from 0 to 100, in digits and at most one point.
    /// - Returns: The number.
    /// - Throws: ``BundleRefusal`` with the reason `percent` for any other text.
    public static func percent(_ text: String) throws(BundleRefusal) -> Double {
        // Swift also reads `0x10`, `1e2` and `nan`, which other programs read differently or not at
        // all.
        let digits = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
        guard digits, let percent = Double(text) else { throw refusal(text) }
        try check(percent: percent)
        return percent
    }

    /// Throws a refusal unless the given number is from 0 to 100.
    static func check(percent: Double) throws(BundleRefusal) {
        guard (0...100).contains(percent) else { throw refusal("\(percent)") }
    }

    private static func refusal(_ percent: String) -> BundleRefusal {
        BundleRefusal(
            .percent,
            "the percentage of the rollout is invalid",
            expected: "a number from 0 to 100, such as 12.5",
            got: "'\(percent.prefix(100))'"
        )
    }

    /// Returns whether a device receives a version.
    ///
    /// - Parameters:
    ///   - key: A text that identifies the device or the user, and never changes.
    ///   - name: The name of the bundle.
    ///   - version: The version of the bundle.
    ///   - percent: The percentage of devices that receive the version: 0 for none, 100 for all.
    /// - Returns: Whether the device receives the version.
    public static func isSelected(
        _ key: String,
        name: String,
        version: Int,
        percent: Double
    ) -> Bool {
        share(of: key, name: name, version: version) < percent
    }
}
#endif
