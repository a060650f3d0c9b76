// SPDX-License-Identifier: MIT

// UIKit's documentation is that of these declarations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stand-in for a device, with its time, its main run loop, and the faults that occur on it.
///
/// Nothing happens by itself: ``run(for:)`` advances the time from one event to the next, and ends
/// a turn of the run loop after each event.
@_spi(Person) @MainActor
public final class Device {
    /// The device that contains all objects of the stand-in.
    public private(set) static var current = Device()

    /// Replaces the current device with another one, which shows nothing yet.
    @discardableResult
    public static func restart() -> Device {
        current = Device()
        return current
    }

    /// A fault of UIKit that occurs at random times.
    public enum Fault: CaseIterable {
        /// A presentation is refused, with a message in the console.
        case presentRefused
        /// A dismissal is refused, with a message in the console.
        case dismissRefused
        /// A change of the view controllers of a navigation controller is ignored.
        case navigationDropped
        /// A completion handler is never called.
        case completionDropped
        /// A transition does not end for half a minute.
        case transitionStuck
    }

    /// Returns whether a fault occurs now.
    public var happens: (Fault) -> Bool = { _ in false }

    /// The messages that UIKit would write to the console.
    public internal(set) var warnings: [String] = []
    /// The errors for which UIKit would raise an exception.
    public internal(set) var exceptions: [String] = []

    /// The seconds since the start.
    public private(set) var time = 0.0

    private var events: [(time: Double, number: Int, action: () -> Void)] = []
    private var lastNumber = 0
    var observers: [CFRunLoopObserver] = []
    private var isInTurn = false

    /// The time of the next event; nil if there is none.
    public var nextEvent: Double? { events.first?.time }

    func warn(_ text: String) { if warnings.count < 1000 { warnings.append(text) } }
    func raise(_ text: String) { if exceptions.count < 1000 { exceptions.append(text) } }

    func after(_ delay: Double, _ action: @escaping () -> Void) {
        lastNumber += 1
        let due = time + max(delay, 0)
        let index = events.firstIndex { $0.time > due } ?? events.count
        events.insert((due, lastNumber, action), at: index)
    }

    /// Performs the events that are due within some seconds, each in its own turn of the run loop.
    public func run(for seconds: Double = 0) {
        let end = time + seconds
        turn()
        while let next = events.first, next.time <= end {
            events.removeFirst()
            time = next.time
            next.action()
            turn()
        }
        time = end
    }

    /// Performs an action of the user or of the app in a turn of the run loop.
    public func perform(_ action: () -> Void) {
        action()
        turn()
    }

    /// Ends a turn of the run loop.
    private func turn() {
        precondition(!isInTurn, "a turn ends within none")
        isInTurn = true
        for observer in observers where observer.isValid {
            observer.block(observer, .beforeWaiting)
        }
        observers.removeAll { !$0.isValid }
        isInTurn = false
    }
}

/// An active transition, of a navigation or a presentation.
@MainActor
final class Transition: NSObject, UIViewControllerTransitionCoordinator {
    private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    private(set) var hasEnded = false
    let isInteractive: Bool
    private(set) var isCancelled = false
    private let controllers: [UIViewController]
    private let onEnd: (Bool) -> Void

    /// Begins a transition of some view controllers.
    ///
    /// The transition ends by itself unless it is interactive.
    @discardableResult
    init(
        of controllers: [UIViewController],
        lasting seconds: Double,
        isInteractive: Bool = false,
        onEnd: @escaping (_ isCancelled: Bool) -> Void
    ) {
        self.controllers = controllers
        self.isInteractive = isInteractive
        self.onEnd = onEnd
        super.init()
        for controller in controllers { controller.transition = self }
        guard !isInteractive else { return }
        let device = Device.current
        device.after(seconds + (device.happens(.transitionStuck) ? 30 : 0)) { self.end() }
    }

    func end(isCancelled: Bool = false) {
        guard !hasEnded else { return }
        hasEnded = true
        self.isCancelled = isCancelled
        for controller in controllers where controller.transition === self {
            controller.transition = nil
        }
        onEnd(isCancelled)
        if Device.current.happens(.completionDropped) { return }
        for completion in completions { completion(self) }
    }

    func animate(
        alongsideTransition animation: (
            (any UIViewControllerTransitionCoordinatorContext) -> Void
        )?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        guard !hasEnded else { return false }
        animation?(self)
        if let completion { completions.append(completion) }
        return true
    }
}

@MainActor
public protocol UIViewControllerTransitionCoordinatorContext: NSObject {
    var isCancelled: Bool { get }
    var isInteractive: Bool { get }
}

@MainActor
public protocol UIViewControllerTransitionCoordinator:
    UIViewControllerTransitionCoordinatorContext
{
    @discardableResult
    func animate(
        alongsideTransition animation: (
            (any UIViewControllerTransitionCoordinatorContext) -> Void
        )?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}
