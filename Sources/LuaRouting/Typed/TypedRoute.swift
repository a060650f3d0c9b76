// SPDX-License-Identifier: MIT

/// A route with its parameters and the type of the value with which its screen is closed.
///
/// `luaroute types --swift` writes a static member for each route that scripts register, so an app
/// that calls a route with a wrong parameter does not compile:
///
/// ```swift
/// try await router.navigate(.page(id: 7))
/// ```
///
/// `Result` is ``Value`` if the route declares no result.
public struct TypedRoute<Result: ValueRepresentable & Sendable>: Sendable {
    /// The service and the task.
    public let target: Target
    /// The parameters.
    public let info: InfoTable

    /// Creates a route.
    ///
    /// Parameters that are nil are left out.
    public init(
        _ service: String,
        _ task: String,
        info: [String: (any ValueConvertible)?] = [:]
    ) {
        self.init(service, task, info: InfoTable(info))
    }

    /// Creates a route with a table of parameters.
    public init(_ service: String, _ task: String, info: InfoTable) {
        target = Target(service, task)
        self.info = info
    }
}

/// A task with its parameters and the type of the value with which it ends.
///
/// `luaroute types --swift` writes a static member for each task that scripts register.
///
/// ```swift
/// let sum = try await router.doTask(.sumAdd(numbers: [1, 2]))
/// ```
///
/// `Result` is ``Value`` if the task declares no result.
public struct TypedTask<Result: ValueRepresentable & Sendable>: Sendable {
    /// The service and the task.
    public let target: Target
    /// The parameters.
    public let info: InfoTable

    /// Creates a task.
    ///
    /// Parameters that are nil are left out.
    public init(
        _ service: String,
        _ task: String,
        info: [String: (any ValueConvertible)?] = [:]
    ) {
        self.init(service, task, info: InfoTable(info))
    }

    /// Creates a task with a table of parameters.
    public init(_ service: String, _ task: String, info: InfoTable) {
        target = Target(service, task)
        self.info = info
    }
}

/// A task that scripts ask the app to do, with parameters and a result of known types.
///
/// `luaroute types --swift` writes a protocol with a function for each task that `router.expects`
/// lists:
///
/// ```swift
/// func walletPay(
///     _ task: TypedHostTask<
///         Routes.HostTasks.WalletPay.Info, Routes.HostTasks.WalletPay.Result
///     >
/// ) {
///     guard task.info.cents < 100_00 else { return task.finish(.later) }
///     paid.append(task.info.cents)
///     task.finish(.paid)
/// }
/// ```
///
/// `Info` is ``InfoTable`` and `Result` is ``Value`` for a task without types.
public struct TypedHostTask<Info: ValueRepresentable, Result: ValueRepresentable> {
    /// The parameters.
    public let info: Info
    /// The untyped task.
    public let task: HostTask
    /// The number of the task, from 1.
    public var id: Int { task.id }

    /// Ends the task with its result.
    ///
    /// Call either this function or ``fail(_:)`` once, now or later, on the router's thread.
    public func finish(_ result: Result) { task.end(true, result.routeValue) }

    /// Ends the task as unfinished, for the given reason.
    public func fail(_ reason: String) { task.end(false, Value(reason)) }
}

extension HostTask {
    /// Calls the given function with the task, converted to the types that the function expects.
    ///
    /// If a parameter is of another type, the task ends unfinished with the reason, and the
    /// function is not called. This cannot happen if the scripts match the app's contract and
    /// declare the types.
    public func perform<Info, Result>(_ function: (TypedHostTask<Info, Result>) -> Void) {
        do throws(ValueMismatch) {
            function(TypedHostTask(info: try Info(routeValue: .table(info)), task: self))
        } catch {
            end(false, Value(error.routeError.message))
        }
    }
}

/// A type that contains the fields of the screens of one class.
///
/// `luaroute types --swift` writes a type for each class that scripts declare.
///
/// ```swift
/// if let page = try Routes.Screens.Page(screen) { print(page.id) }
/// ```
public protocol TypedScreen: ValueRepresentable {
    /// The name of the class.
    static var className: String { get }
}

extension TypedScreen {
    /// Creates a value from the fields of a screen; nil if the screen is of another class.
    ///
    /// - Throws: `badInfo` if a field is missing or has another type. The message names the field
    ///   and the screen.
    public init?(_ screen: Screen) throws(RouteError) {
        guard screen.class == Self.className else { return nil }
        do throws(ValueMismatch) {
            try self.init(routeValue: .table(InfoTable(screen.fields)))
        } catch {
            var error = error.routeError
            error.message =
                "\(error.message) in screen #\(screen.id.serial) of class '\(screen.class)'"
            throw error
        }
    }
}
