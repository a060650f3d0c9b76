// SPDX-License-Identifier: MIT

internal import LuaVM

/// A 128-bit hash that is the same on every machine and in every run.
package struct StateHash: Hashable, Sendable {
    package private(set) var first: UInt64 = 0xcbf2_9ce4_8422_2325
    package private(set) var second: UInt64 = 0x9ae1_6a3b_2f90_404f

    package init() {}

    /// Adds a 64-bit word.
    @inline(__always)
    mutating func add(_ word: UInt64) {
        first = (first ^ word) &* 0x9e37_79b9_7f4a_7c15
        first ^= first >> 29
        second = (second &+ word) &* 0xbf58_476d_1ce4_e5b9
        second ^= second >> 31
    }

    package mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    package mutating func add(_ isTrue: Bool) { add(isTrue ? 1 : 0) }

    /// Adds the number of bytes and the bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(bytes.count)
        var position = 0
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            add(UInt64(littleEndian: word))
            position += 8
        }
        var rest: UInt64 = 0
        while position < bytes.count {
            rest = rest << 8 | UInt64(bytes[position])
            position += 1
        }
        add(rest)
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds a string, or records that there is none.
    mutating func add(_ text: String?) {
        add(text != nil)
        if let text { add(text) }
    }

    /// Adds another hash.
    package mutating func add(_ first: UInt64, _ second: UInt64) {
        add(first)
        add(second)
    }
}

/// A hasher that computes ``ComparedState/router``.
///
/// Each part begins with a word for its kind, and each list begins with the number of its elements,
/// so that different states add different words.
struct StateHasher {
    /// The words for the kinds of parts and values.
    private enum Word: UInt64 {
        case window, screen, state, gates, applying, navigation, task, call, link, timer
        case listeners, routing, export, dependencies, completions, waiting
        case `nil`, boolean, integer, number, string, table, function, object, gone
    }

    private let router: Router
    private(set) var hash = StateHash()
    /// The script values and the coroutines that the hashed data references, in order.
    private(set) var roots: [FingerprintRoot] = []
    /// The positions of screens in tree order.
    private var positions: [ScreenID: Int] = [:]
    /// The positions of timers, by their numbers.
    private let timers: [Int: Int]
    private let pending: [Navigation]

    init(_ router: Router) {
        self.router = router
        pending = router.pending.filter { !$0.isRepeated }
        timers = Dictionary(
            uniqueKeysWithValues: router.timers.all.enumerated().map { ($1.number, $0) }
        )
    }

    /// Adds the complete state of the router.
    mutating func addAll() {
        var screens: [ScreenID] = []
        for window in router.tree.windows {
            router.tree.visit(window.root) { screens.append($0.id) }
            add(.window)
            hash.add(window.name)
            hash.add(screens.count)
        }
        for (position, screen) in screens.enumerated() { positions[screen] = position }
        for screen in screens { addScreen(screen) }
        add(.state)
        add(.table(router.state))
        add(.gates)
        add(router.openGates)
        add(.applying)
        hash.add(router.isApplying)
        for navigation in pending { add(navigation) }
        for task in router.pendingTasks {
            add(.task)
            add(task.target)
            addTimer(task.timer)
            addTimer(task.deadline)
        }
        for call in router.pendingCalls {
            add(.call)
            hash.add(call.name)
        }
        for link in router.queuedLinks + router.activeLinks {
            add(.link)
            hash.add(link.url)
            addTimer(link.timer)
        }
        for entry in router.timers.all {
            add(.timer)
            hash.add(entry.kind.rawValue)
            add(seconds: entry.time - router.now)
            if let function = entry.function { roots.append(.function(function)) }
        }
        for generation in router.generations { addRoots(of: generation) }
    }

    // MARK: Values

    private mutating func add(_ word: Word) { hash.add(word.rawValue) }

    private mutating func add(_ texts: [String]) {
        hash.add(texts.count)
        for text in texts { hash.add(text) }
    }

    private mutating func add(_ target: Target?) {
        hash.add(target?.service)
        hash.add(target?.task)
    }

    private mutating func add(_ text: ByteString) { text.withBytes { hash.add($0) } }

    /// Adds a value.
    ///
    /// Screens in the value are identified by their positions.
    private mutating func add(_ value: Value) {
        switch value {
        case .nil: add(Word.nil)
        case .boolean(let isTrue):
            add(.boolean)
            hash.add(isTrue)
        case .integer(let integer):
            add(.integer)
            hash.add(UInt64(bitPattern: integer))
        case .number(let number):
            add(.number)
            hash.add(number.isNaN ? .max : number.bitPattern)
        case .string(let text):
            add(.string)
            add(text)
        case .screen(let screen):
            add(.screen)
            addPosition(of: screen)
        case .function(let function):
            roots.append(.function(function.lua))
            add(.function)
        case .table(let table):
            add(.table)
            hash.add(table.list.count)
            for value in table.list { add(value) }
            hash.add(table.entries.count)
            for (key, value) in table.entries {
                switch key {
                case .integer(let integer): add(Value.integer(integer))
                case .string(let text): add(text)
                }
                add(value)
            }
        case .object(let object):
            add(.object)
            hash.add("\(object.base)")
        }
    }

    /// Adds the position of a screen; -1 for a screen that is in no tree, and -2 for nil.
    private mutating func addPosition(of screen: ScreenID?) {
        hash.add(screen.map { positions[$0] ?? -1 } ?? -2)
    }

    private mutating func addTimer(_ number: Int?) {
        hash.add(number.flatMap { timers[$0] } ?? -1)
    }

    /// Adds a time, rounded to microseconds like the router's clock; for nil, adds a fixed word.
    private mutating func add(seconds: Double?) {
        hash.add(seconds.map { ($0 * 1_000_000).rounded().bitPattern } ?? .max)
    }

    private mutating func addPosition(of navigation: Navigation?) {
        hash.add(navigation.flatMap { one in pending.firstIndex { $0 === one } } ?? -1)
    }

    // MARK: Parts

    private mutating func addScreen(_ id: ScreenID) {
        let screen = router.tree[id]
        add(.screen)
        hash.add(screen.class)
        hash.add(screen.kind.rawValue)
        hash.add(screen.selection)
        addPosition(of: screen.parent)
        addPosition(of: screen.presenter)
        if screen.presenter != nil {
            hash.add("\(screen.presentation.style)")
            hash.add(screen.presentation.isModal)
            hash.add(screen.presentation.isContextual)
        }
        hash.add(router.screens.routes[id]?.step.title)
        hash.add(screen.route)
        hash.add(router.screens.waits[id]?.count ?? 0)
        addFields(of: screen)
    }

    private mutating func addFields(of screen: Screen) {
        let names = screen.fields.names.sorted()
        hash.add(names.count)
        for name in names {
            hash.add(name)
            add(screen.fields[name])
        }
    }

    private mutating func add(_ navigation: Navigation) {
        add(.navigation)
        hash.add(navigation.target?.description ?? navigation.title)
        addPosition(of: navigation.request.screen)
        add(.table(navigation.info))
        hash.add(navigation.origin.rawValue)
        var waiting: String?
        if case .pending(let name) = navigation.status { waiting = name }
        hash.add(waiting)
        addTimer(navigation.record.deadlineTimer?.number)
        add(seconds: navigation.record.deadlineTimer == nil ? navigation.record.timeout : nil)
        addTimer(navigation.record.asked?.timer)
        addPosition(of: navigation.record.waitsFor?.navigation)
        guard case .leaving(let asked)? = navigation.record.asked?.interception.interceptor else {
            return hash.add(-1)
        }
        addPosition(of: asked)
        let removed = navigation.journey.removal.touched.map { positions[$0] ?? -1 }.sorted()
        hash.add(removed.count)
        for position in removed { hash.add(position) }
    }

    /// Adds the declarations that scripts of a generation may make at any time, and the waiting
    /// functions in the order of their coroutines, the oldest first.
    ///
    /// Other declarations, such as routes, are represented only by their functions.
    private mutating func addRoots(of generation: Generation) {
        for kind in generation.listeners.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            let listeners = generation.listeners[kind] ?? []
            add(.listeners)
            hash.add(kind.rawValue)
            hash.add(listeners.count)
            roots += listeners.map { .function($0) }
        }
        for routing in generation.declarations.state.routings.routings {
            add(.routing)
            hash.add("\(routing.pattern)")
            hash.add(routing.action != nil)
            if let action = routing.action { roots.append(.function(action.lua)) }
        }
        for (name, export) in generation.declarations.state.exports.sorted(by: { $0.key < $1.key })
        {
            add(.export)
            hash.add(name)
            roots.append(.function(export.function.lua))
        }
        let dependencies = generation.dependencies.living.sorted()
        add(.dependencies)
        add(dependencies)
        roots += dependencies.compactMap { name in
            generation.dependencies[name].map { .reference($0.value) }
        }
        let completions = generation.lease.completions
        add(.completions)
        hash.add(completions.count)
        roots += completions.map { .function($0) }
        let waiting = generation.lease.activities.filter { $0.thread != nil }
        for activity in waiting.sorted(by: { ($0.thread?.serial ?? 0) < ($1.thread?.serial ?? 0) })
        {
            if let thread = activity.thread { roots.append(.thread(thread)) }
            let wait = activity.wait
            add(.waiting)
            hash.add(activity.title)
            addPosition(of: activity.navigation)
            // While the wait counts toward the timeout, the timer already represents the remaining
            // time.
            add(seconds: wait?.isCounted == true ? nil : activity.timeout)
            hash.add(wait?.timers.count ?? 0)
            for timer in wait?.timers ?? [] { addTimer(timer) }
            addPosition(of: wait?.screen)
            addPosition(of: wait?.navigation)
        }
    }

    // MARK: Objects of scripts

    /// Returns the hash of a screen that a script references.
    ///
    /// The screen may have left the tree.
    func hash(of id: ScreenID) -> StateHash {
        objectHash { hasher in
            if hasher.positions[id] != nil { return hasher.addPosition(of: id) }
            hasher.add(.gone)
            guard let screen = hasher.router.tree.screen(id) else { return }
            hasher.hash.add(screen.class)
            hasher.addFields(of: screen)
        }
    }

    /// Returns the hash of everything that scripts can read from an object.
    func hash(of owner: Arguments.Owner) -> StateHash {
        objectHash { $0.add(owner) }
    }

    /// Returns the hash of a single object.
    ///
    /// The functions of the object are not added to the roots of the router.
    private func objectHash(_ add: (inout StateHasher) -> Void) -> StateHash {
        var hasher = self
        hasher.hash = StateHash()
        add(&hasher)
        return hasher.hash
    }

    private mutating func add(_ owner: Arguments.Owner) {
        switch owner {
        case .navigation(let navigation):
            add(.navigation)
            addPosition(of: navigation)
            add(navigation.target)
            add(.table(navigation.info))
            hash.add(navigation.origin.rawValue)
            addPosition(of: navigation.options.from)
            hash.add(navigation.journey.opened?.text.displayText)
            hash.add(navigation.status.name)
            add(.table(InfoTable(list: navigation.results)))
        case .task(let task):
            add(.task)
            hash.add(router.pendingTasks.firstIndex { $0 === task } ?? -1)
            add(task.target)
            hash.add(task.status.name)
            add(.table(InfoTable(list: task.results)))
        case .link(let link):
            add(.link)
            hash.add(router.queuedLinks.firstIndex { $0 === link } ?? -1)
            hash.add(link.text.displayText)
            hash.add(link.status.name)
        case .routing(let routing):
            add(.routing)
            hash.add("\(routing.pattern)")
            hash.add(routing.isBusy)
        case .timer(let number):
            add(.timer)
            addTimer(number)
        case .group(let group): hash.add("\(group)")
        }
    }
}

extension Navigation {
    /// Whether the navigation is coalesced with another pending navigation, and no script or
    /// deadline depends on this navigation.
    ///
    /// States that differ only in the number of such navigations count as one state.
    fileprivate var isRepeated: Bool {
        record.leader != nil && !isOfScript && record.deadlineTimer == nil
    }
}
