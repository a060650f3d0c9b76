// SPDX-License-Identifier: MIT

internal import LuaRouting

/// Functions that select the folders to watch, and the events that may concern the files.
extension FileWatcher {
    /// The maximum number of attempts to add the watches.
    ///
    /// An attempt is repeated if the path to the files changes in the meantime.
    private static let armings = 8

    /// Watches only the folders that determine which files exist at the watched paths.
    ///
    /// If a folder cannot be watched, the files are also polled.
    func arm(_ state: inout State) {
        guard let events else { return }
        func look() -> Surroundings {
            Surroundings(of: state.watched, from: state.base, settings.isInterrupted)
        }
        var surroundings = look()
        for _ in 0..<Self.armings {
            let isWhole = arm(surroundings, events: events, in: &state)
            state.surroundings = surroundings
            // Changes made before the watches existed were not reported.
            let now = look()
            if isWhole, now == surroundings { return }
            surroundings = now
        }
        state.isPending = true
    }

    /// Watches the folders on the paths of the files.
    ///
    /// - Returns: Whether all of the folders still exist.
    private func arm(
        _ surroundings: Surroundings,
        events: any FolderEvents,
        in state: inout State
    ) -> Bool {
        var watches: [Int32: [String]] = [:]
        var trouble: String?
        var isWhole = true
        for (key, folder) in surroundings.folders {
            let path = key.displayText
            do throws(WatchRefusal) {
                let watch = try events.add(path, writes: folder.isLast)
                watches[watch, default: []].append(path)
            } catch {
                switch error {
                case .gone: isWhole = false
                // A parent folder often cannot be read, and its names seldom change.
                case .forbidden where !folder.isLast: break
                case .forbidden: trouble = "the folder '\(path)' cannot be read"
                case .failed(let why): trouble = why
                }
            }
            if folder.isLast, trouble == nil,
                let type = SilentFileSystems.type(of: path, mounts: state.mounts)
            {
                trouble =
                    "the folder '\(path)' is on a file system of type '\(type)', which does not report changes"
            }
        }
        for watch in state.watches.keys where watches[watch] == nil { events.remove(watch) }
        state.watches = watches
        state.mode = trouble.map { .polling(why: $0) } ?? .events
        return isWhole
    }

    /// Takes the events that have arrived.
    ///
    /// - Returns: Whether any of the events may concern the files.
    func takeHint(_ state: inout State) -> Bool {
        var isHint = false
        for event in events?.take() ?? [] where concerns(event, state) {
            isHint = true
            var unfinished = event
            unfinished.isUnfinished = true
            if event.isUnfinished {
                state.unfinished.insert(unfinished)
            } else if event.name == nil {
                // The event concerns a folder, or events were lost.
                state.unfinished = []
            } else {
                state.unfinished.remove(unfinished)
            }
        }
        // The path may now lead to another folder.
        if isHint { arm(&state) }
        defer { state.isPending = false }
        return isHint || state.isPending
    }

    private func concerns(_ event: FolderEvent, _ state: State) -> Bool {
        guard let watch = event.watch else { return true }
        // The event of a watch that was removed in the meantime is ignored.
        guard let folders = state.watches[watch] else { return false }
        guard let name = event.name?.lowercased() else { return true }
        return folders.contains { path in
            guard let folder = state.surroundings?.folders[ByteString(path)] else { return false }
            return folder.isWhole || folder.names.contains(name)
        }
    }

    /// The text of Linux's table of mounted file systems.
    static var mounts: String {
        let bytes = try? SourceFiles.read("/proc/self/mountinfo", limit: 1 << 20)
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
