// SPDX-License-Identifier: MIT

#if Bundles
public import LuaRouting

/// The capabilities that a bundle requests, as words such as `present` or `screens:Main`.
///
/// A word is the name of a capability. For screens, tasks, URLs and the longest timeout, the name is
/// followed by a colon and a value.
///
/// | words | requested capability |
/// | --- | --- |
/// | `screens:Main`, `tasks:Player/play` | a class of screens; a task of the host |
/// | `urls:podcast`, `urls:any` | an origin whose URLs the scripts handle; any origin |
/// | `push present replaceRoot restore force` | a change of the tree |
/// | `windows`, `timers` | more than one window, timers and sleeps |
/// | `leaving`, `interceptAll` | the declarations with these names |
/// | `timeout:60` | timeouts of up to 60 seconds |
///
/// ```swift
/// let asked = BundleCapabilities(["push", "screens:Main"])
/// print(asked.missing(in: ["screens"]))  // ["push"]
/// ```
public struct BundleCapabilities: Sendable, Equatable {
    /// The words, sorted, each once.
    public let words: [String]

    /// Creates capabilities from words in any order.
    public init(_ words: [String] = []) {
        self.words = Set(words).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the requested words that a list of grants does not include.
    ///
    /// - Parameter grants: The granted words. A word without a value, such as `screens`, includes
    ///   all values, and a timeout includes all shorter timeouts.
    /// - Returns: The missing words, sorted.
    public func missing(in grants: some Sequence<String>) -> [String] {
        let grants = Set(grants)
        let longest = grants.compactMap(Self.timeout).max() ?? 0
        return words.filter { word in
            let isShorter = Self.timeout(word).map { $0 <= longest } ?? false
            return !isShorter && !grants.contains(word) && !grants.contains(Self.name(of: word))
        }
    }

    /// Returns whether a text is a valid word.
    package static func isWord(_ word: String) -> Bool {
        let value = word.dropFirst(name(of: word).count + 1)
        return switch name(of: word) {
        case "screens": Name.isValid(String(value))
        case "tasks": (try? Target(checking: String(value))) != nil
        case "urls": value == "any" || (try? URLOrigin(String(value))) != nil
        case "timeout": Double(value).map { $0 > 0 && $0 <= 1e9 } ?? false
        default: plainWords.contains(word)
        }
    }

    /// The capability words without a value.
    private static let plainWords =
        Capabilities.TreeChange.allCases.map(\.rawValue)
        + ["windows", "timers", "leaving", "interceptAll"]

    /// The names of all capabilities.
    ///
    /// Each name is a valid grant.
    package static let names = ["screens", "tasks", "urls"] + plainWords + ["timeout"]

    /// The seconds of the word `timeout:60`; nil for another word.
    private static func timeout(_ word: String) -> Double? {
        word.hasPrefix("timeout:") ? Double(word.dropFirst("timeout:".count)) : nil
    }

    /// The name of the capability in a word.
    private static func name(of word: String) -> String { String(word.prefix { $0 != ":" }) }

    /// The rights that allow exactly the requested capabilities.
    ///
    /// The rights of a bundle are the intersection of these rights and the rights that the app
    /// grants.
    public var rights: Capabilities {
        func values(_ name: String) -> [String] {
            words.filter { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
        }
        var rights = Capabilities()
        rights.screens = Set(values("screens"))
        rights.tasks = Set(values("tasks").compactMap { try? Target(checking: $0) })
        let urls = values("urls")
        rights.urls = urls.contains("any") ? nil : Set(urls.compactMap { try? URLOrigin($0) })
        rights.tree = Set(words.compactMap { Capabilities.TreeChange(rawValue: $0) })
        rights.windows = words.contains("windows") ? nil : 1
        rights.leaving = words.contains("leaving")
        rights.interceptAll = words.contains("interceptAll")
        rights.timeout = words.compactMap(Self.timeout).max()
        rights.timers.count = words.contains("timers") ? nil : 0
        return rights
    }
}
#endif
