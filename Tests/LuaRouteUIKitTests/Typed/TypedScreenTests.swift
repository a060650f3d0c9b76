// SPDX-License-Identifier: MIT

import Foundation
import LuaRouteUIKit
import LuaRouting
import Testing
import UIKitStandin

extension HostTests {
    /// The article "Typed routes".
    @MainActor
    struct TypedScreenTests {
        @Test(
            "typed screens show their fields, and typed tasks check parameters and return results"
        )
        func walk() throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "main.lua")
            let app = try AppFixture(String(contentsOf: file, encoding: .utf8))
            TypedExamples.screens(app.host)
            TypedExamples.services(app.host)
            _ = app.start()
            app.router.navigate(.product(id: 7))
            app.run(for: 1)
            #expect(app.tree == "nav[Home, Product(id=7)]")
            let nav = app.window.rootViewController as? UINavigationController
            let product = nav?.topViewController as? TypedExamples.ProductController
            #expect(product?.id == 7)
            app.router.navigate(.sizePicker())
            app.run(for: 1)
            let picker = nav?.presentedViewController as? TypedExamples.SizePickerController
            picker?.sizeTapped(.m)
            app.run(for: 1)
            #expect(picker != nil && app.tree == "nav[Home, Product(id=7)]")
            let pay = Target("Wallet", "pay")
            func status(_ info: InfoTable) -> String {
                "\(app.router.doTask(pay, info: info).status)"
            }
            #expect(status(["cents": 250]) == #"done(finished: true, info: "paid")"#)
            #expect(status(["cents": 20_000]) == #"done(finished: true, info: "later")"#)
            #expect(status(["cents": "2"]).contains("bad field 'cents' (integer expected"))
        }
    }
}
