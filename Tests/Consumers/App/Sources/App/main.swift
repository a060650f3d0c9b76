// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// Ends the program unless a statement is true.
func check(_ statement: String, _ isTrue: Bool) {
    if isTrue { return }
    print("not true: \(statement); the hierarchy is \(shop.text)")
    exit(1)
}

/// Waits until a statement is true, or ends the program after 5 seconds.
func wait(until statement: String, _ isTrue: () -> Bool) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(5)
    while !isTrue(), clock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    check(statement, isTrue())
}

/// Waits until an animation has changed the view hierarchy to the given text.
func wait(for text: String) async throws {
    try await wait(until: "the hierarchy becomes \(text)") { shop.text == text }
}

let shop = try Shop()
let shown = shop.shown
try await shop.launch()
check("the app starts with the list", shop.text == "Products")

shop.tapProduct(7)
try await wait(for: "Products > Product(7)")

shop.tapProduct(8)
try await wait(for: "Products > Product(7) > Product(8)")
// The animation has ended: a person does not swipe during one, and a link to the page that it leads
// to would be the same request.
try await wait(until: "the host does a task for each visit") { shop.host.seen == [7, 8] }
shop.swipeBack()
check("a person's swipe leaves the rest", shop.text == "Products > Product(7)")
try await shop.open(URL(filePath: "/products/8"))
check("the next push comes after the swipe", shop.text == "Products > Product(7) > Product(8)")
shop.tapProduct(7)
try await wait(for: "Products > Product(7)")
try await wait(until: "the host does a task for each visit") { shop.host.seen == [7, 8, 8, 7] }

let refused = shop.tapOrders()
try await wait(for: "Products > Product(7) ^ Login")
shop.pullSheet()
do {
    _ = try await refused.value
    check("orders without a login are refused", false)
} catch let error as RouteError {
    check("a login that is pulled down stops the orders", error.code == .stopped)
}
check("a refused navigation changes nothing", shop.text == "Products > Product(7)")

let orders = shop.tapOrders()
try await wait(for: "Products > Product(7) ^ Login")
try await shop.confirmLogin("ann")
check("the navigation reaches the orders", try await orders.value.class == "Orders")
check("the orders are pushed after the login", shop.text == "Products > Product(7) > Orders")

let login = Task { try await shop.login() }
try await wait(for: "Products > Product(7) > Orders ^ Login")
try await shop.confirmLogin("ben")
check("a screen's result is typed", try await login.value == "ben")

let unfinished = Task { try await shop.login() }
try await wait(for: "Products > Product(7) > Orders ^ Login")
shop.quit()
do {
    _ = try await unfinished.value
    check("the end of the router cancels what is pending", false)
} catch let error as RouteError {
    check("the end of the router cancels what is pending", error.code == .cancelled)
}

var classes: [String] = []
for await screen in shown.prefix(6) { classes.append(screen.class) }
check(
    "each screen that was shown is reported: \(classes)",
    classes == ["Products", "Product", "Product", "Product", "Product", "Product"]
)
print("ok")
