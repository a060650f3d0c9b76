// SPDX-License-Identifier: MIT

import LuaRouteUIKit
import LuaRouting
import ScenarioTesting
import Testing
@_spi(Person) import UIKitStandin

extension HostTests {
    /// Tests of the host with the suite for all hosts.
    @MainActor
    struct ConformanceTests {
        /// An app whose user makes the gestures that the stand-in for UIKit supports.
        private final class App: ConformanceApp {
            override func act(_ report: Report, _ router: Router) {
                switch report {
                case .dismissed(let presenter):
                    let modal = router.tree[presenter].modal.flatMap { host.controller(of: $0) }
                    if let modal, modal.presentedViewController == nil,
                        modal.presentationController is UISheetPresentationController
                    {
                        modal.pullDown()
                        return
                    }
                case .children(let rest, let container):
                    if let nav = host.controller(of: container) as? UINavigationController,
                        nav.viewIfLoaded?.window != nil, rest.count == nav.viewControllers.count - 1
                    {
                        if rest.count.isMultiple(of: 2) { nav.tapBack() } else { nav.swipeBack() }
                        return
                    }
                default: break
                }
                super.act(report, router)
            }
        }

        @Test("the UIKit host passes the general conformance test for hosts")
        func conforms() async {
            for seed in 1...2 as ClosedRange<UInt64> {
                let device = Device.restart()
                let time = Task {
                    while !Task.isCancelled {
                        device.run(for: 0.1)
                        await Task.yield()
                    }
                }
                var apps: [ObjectIdentifier: App] = [:]
                await HostConformance.run(seed: seed) { router in
                    let app = App(router)
                    apps[ObjectIdentifier(app.host)] = app
                    return app.host
                } person: { host, report in
                    guard let app = apps[ObjectIdentifier(host)], let router = host.router else {
                        return
                    }
                    device.perform { app.act(report, router) }
                } shown: { host in
                    device.run(for: 2)
                    return apps[ObjectIdentifier(host)]?.shown ?? []
                }
                time.cancel()
                await time.value
                #expect(device.exceptions == [])
            }
        }
    }
}
