// SPDX-License-Identifier: MIT

public import LuaRouting

#if Logging
public import Logging

extension Router {
    /// Logs every event from now on.
    ///
    /// ```swift
    /// let logging = router.log(to: Logger(label: "routing"))
    /// ```
    ///
    /// The level depends on the kind of the event:
    ///
    /// | level | events |
    /// | --- | --- |
    /// | the level of the script's call | `log` |
    /// | `error` | a rejected `reload` |
    /// | `warning` | `failed`, `slow`, `breach`; a `task` that fails; a `link` that fails or times out |
    /// | `info` | an accepted `reload` |
    /// | `debug` | `navigate`, `redirect`, `fallback`, `done`, `stayed`, `cancelled`, `shown`, `restore`; other `task` and `link` events |
    /// | `trace` | the phases of a navigation and all other events |
    ///
    /// The message is the message of the event, or the kind of an event without a message. The
    /// metadata contains `event` (the kind), `sequence`, `generation`, `navigation`, `parent`,
    /// `location` and the fields of the kind, such as `code`. As in every event, long values are
    /// cut, and private values are replaced with `•••`. The source is `LuaRouting`; the file and
    /// line are those of the script, if there are any.
    ///
    /// The log handler is called in a separate Swift task, one event at a time, so the router never
    /// waits for the handler. If the handler is slower than the router, the oldest events are lost,
    /// and a warning contains their number.
    ///
    /// The task does not retain the router. It ends after the last event of the router, or when it
    /// is cancelled. Events of the first load of the scripts occur before this method can be called:
    /// ``Router/init(scripts:host:configuration:onEvent:)`` reports them.
    ///
    /// - Parameters:
    ///   - logger: The logger. Its log level decides which events are logged.
    ///   - limit: The maximum number of events that have not been logged yet, at least 1.
    /// - Returns: The task that logs; cancel it to stop.
    @discardableResult
    public func log(to logger: Logger, limit: Int = 1_000) -> Task<Void, Never> {
        let (events, first) = (events(limit: limit), lastSequence + 1)
        return Task.detached(priority: .utility) {
            var next = first
            for await event in events {
                if event.sequence > next {
                    logger.warning(
                        "\(event.sequence - next) events were not logged: the log handler is slower than the router",
                        source: Logger.routerSource
                    )
                }
                next = event.sequence + 1
                logger.log(event)
            }
        }
    }
}

extension Logger {
    fileprivate static let routerSource = "LuaRouting"

    fileprivate func log(_ event: Event) {
        log(
            level: Level(event),
            "\(event["message"].text ?? event.kind.rawValue)",
            metadata: event.metadata,
            source: Self.routerSource,
            file: event.location?.file ?? #fileID,
            function: event.kind.rawValue,
            line: event.location.map { UInt($0.line) } ?? #line
        )
    }
}

extension Logger.Level {
    /// The level of an event.
    fileprivate init(_ event: Event) {
        self =
            switch event.kind {
            case .log: Self(word: event["level"].text ?? "")
            case .failed, .slow, .breach: .warning
            case .reload: event["status"] == "rejected" ? .error : .info
            case .task, .link, .call:
                ["failed", "timeout"].contains(event["phase"]) ? .warning : .debug
            case .navigate, .redirect, .fallback, .done, .stayed, .cancelled, .shown,
                .reselected, .restore, .rewind:
                .debug
            case .joined, .gate, .wait, .intercept, .plan, .replan, .find, .build, .update,
                .stage, .commit, .after, .created, .reused, .removed, .timer, .host:
                .trace
            }
    }

    /// The level for a word in scripts: `debug`, `info`, `warn` or `error`.
    private init(word: String) {
        self = word == "warn" ? .warning : Self(rawValue: word) ?? .info
    }
}

extension Event {
    /// All data of the event except the message and the level.
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "event": "\(kind.rawValue)", "sequence": "\(sequence)", "generation": "\(generation)",
        ]
        metadata["navigation"] = navigation.map { "\($0)" }
        metadata["parent"] = parent.map { "\($0)" }
        metadata["location"] = location.map { "\($0)" }
        for (name, value) in fields where name != "message" && name != "level" {
            metadata[name] = .string(value.text ?? NotationPrinter().value(value))
        }
        return metadata
    }
}
#else
extension Router {
    /// Logs every event from now on, if the trait `Logging` of the package is enabled.
    @available(*, unavailable, message: "enable the trait 'Logging' of the package luaroute")
    public func log<Logger>(to logger: Logger, limit: Int = 1_000) {}
}
#endif
