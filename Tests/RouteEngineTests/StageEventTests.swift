// SPDX-License-Identifier: MIT

import RouteCore
import RouteEngine
import Testing

struct StageEventTests {
    @Test("the fields of an event are computed only if its kind has a listener")
    func unheard() throws {
        var engine = try Engine("nav[A]")
        engine.surroundings.unheard = [.plan]
        var journey = Journey(.route(Target("A/show"), info: [:]), NavigationOptions())
        var computed: [Event.Kind] = []
        engine.onStage(of: &journey) { stage in
            for kind: Event.Kind in [.plan, .find] {
                stage.emit(kind) { _ in
                    computed.append(kind)
                    return []
                }
            }
        }
        #expect(computed == [.find])
        #expect(engine.surroundings.events.map(\.kind) == [.find])
        #expect(engine.world.lastEvent == 2)
    }
}
