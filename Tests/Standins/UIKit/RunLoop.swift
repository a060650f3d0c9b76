// SPDX-License-Identifier: MIT

// UIKit's documentation is that of these declarations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The run loop of CoreFoundation, as far as the host uses it.

public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias CFTimeInterval = Double
public typealias CFAbsoluteTime = Double

public final class CFAllocator {}

public nonisolated(unsafe) let kCFAllocatorDefault: CFAllocator? = nil

public struct CFRunLoopActivity: OptionSet, Sendable {
    public let rawValue: CFOptionFlags
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
    public static let beforeWaiting = CFRunLoopActivity(rawValue: 1 << 5)
}

public struct CFRunLoopMode: Sendable {
    public static let commonModes = CFRunLoopMode()
}

public final class CFRunLoop {}

public final class CFRunLoopObserver {
    let block: (CFRunLoopObserver?, CFRunLoopActivity) -> Void
    fileprivate(set) var isValid = true

    fileprivate init(_ block: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void) {
        self.block = block
    }
}

public final class CFRunLoopTimer {
    fileprivate let date: CFAbsoluteTime
    fileprivate let block: (CFRunLoopTimer?) -> Void
    fileprivate var isValid = true

    fileprivate init(_ date: CFAbsoluteTime, _ block: @escaping (CFRunLoopTimer?) -> Void) {
        self.date = date
        self.block = block
    }
}

@MainActor
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Device.current.time }

public func CFRunLoopGetMain() -> CFRunLoop! { CFRunLoop() }

public func CFRunLoopObserverCreateWithHandler(
    _ allocator: CFAllocator?,
    _ activities: CFOptionFlags,
    _ repeats: Bool,
    _ order: CFIndex,
    _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! { CFRunLoopObserver(block) }

@MainActor
public func CFRunLoopAddObserver(
    _ loop: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFRunLoopMode!
) { Device.current.observers.append(observer) }

public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver!) {
    observer.isValid = false
}

public func CFRunLoopTimerCreateWithHandler(
    _ allocator: CFAllocator?,
    _ fireDate: CFAbsoluteTime,
    _ interval: CFTimeInterval,
    _ flags: CFOptionFlags,
    _ order: CFIndex,
    _ block: ((CFRunLoopTimer?) -> Void)!
) -> CFRunLoopTimer! { CFRunLoopTimer(fireDate, block) }

@MainActor
public func CFRunLoopAddTimer(
    _ loop: CFRunLoop!,
    _ timer: CFRunLoopTimer!,
    _ mode: CFRunLoopMode!
) {
    guard let timer else { return }
    Device.current.after(timer.date - Device.current.time) {
        if timer.isValid { timer.block(timer) }
    }
}

public func CFRunLoopTimerInvalidate(_ timer: CFRunLoopTimer!) { timer.isValid = false }
