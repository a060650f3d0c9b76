// SPDX-License-Identifier: MIT

internal import RouteCore

/// The target of a navigation or of a task call: a service, and one of its tasks.
///
/// ```swift
/// let target = Target("ShowPage", "open")
/// print(target, target.service, target.task)  // ShowPage/open ShowPage open
/// ```
public struct Target: Sendable, Hashable, CustomStringConvertible {
    /// The name of the service, such as `ShowPage`.
    public let service: String
    /// The name of the task, such as `open`.
    public let task: String

    // Computed once, because each navigation looks up its route by this hash.
    private let serviceHash: Int

    /// Creates a target.
    public init(_ service: String, _ task: String) {
        self.service = service
        self.task = task
        serviceHash = ServiceName.hash(of: service)
    }

    /// Creates a target from a service name whose hash is known.
    init(_ service: ServiceName, _ task: String) {
        self.service = service.text
        self.task = task
        serviceHash = service.hash
    }

    /// A number that differs for most targets, and is available without hashing.
    package var shortHash: Int { serviceHash &+ task.utf8.count }

    /// Hashes the target, using the stored hash of the service.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(serviceHash)
        hasher.combine(task)
    }

    /// The name of the service with its hash.
    var serviceName: ServiceName { ServiceName(service, hash: serviceHash) }

    /// The target as text, such as `ShowPage/open`.
    public var description: String { service + "/" + task }
}

/// The name of a service with its hash, which is computed once.
struct ServiceName: Equatable {
    let text: String
    let hash: Int

    init(_ text: String) { self.init(text, hash: Self.hash(of: text)) }

    fileprivate init(_ text: String, hash: Int) {
        self.text = text
        self.hash = hash
    }

    fileprivate static func hash(of text: String) -> Int {
        var hasher = Hasher()
        hasher.combine(text)
        return hasher.finalize()
    }

    static func == (left: ServiceName, right: ServiceName) -> Bool {
        left.hash == right.hash && left.text == right.text
    }
}
