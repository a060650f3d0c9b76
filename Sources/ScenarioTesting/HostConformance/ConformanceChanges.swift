// SPDX-License-Identifier: MIT

internal import LuaRouting

/// A generated change in a run of ``HostConformance``.
///
/// The change chooses screens with its own random numbers, so that it remains the same if other
/// changes are omitted.
struct ConformanceChange {
    let kind: HostConformance.Kind
    let seed: UInt64

    /// Returns random changes for a run.
    ///
    /// The changes are drawn from a shuffled bag that contains each kind twice, so each kind occurs
    /// early.
    static func make(
        _ count: Int,
        _ kinds: [HostConformance.Kind],
        seed: UInt64
    ) -> [ConformanceChange] {
        var numbers = SeededNumbers(seed: seed)
        var bag: [HostConformance.Kind] = []
        return (0..<count).map { _ in
            if bag.isEmpty { bag = (kinds + kinds).shuffled(using: &numbers) }
            return ConformanceChange(kind: bag.removeLast(), seed: numbers.next())
        }
    }
}

/// The random number generator SplitMix64, by Steele, Lea and Flood (2014).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

/// The script for the generated changes.
///
/// The script declares a route for each combination of an action and a page class.
enum ConformanceScript {
    static func text(pages: [String]) -> String {
        """
        local pages = { \(pages.map { "\"\($0)\"" }.joined(separator: ", ")) }
        local register, screen, nav, present = router.register, router.screen, router.nav, router.present
        for _, kind in ipairs { "nav", "tabs" } do
          router.action(kind .. "Order", { needs = kind }, function(container, page, navigation)
            local old, new = container.children, {}
            for _, index in ipairs(navigation.info.order) do
              new[#new + 1] = index == 0 and page or old[index]
            end
            navigation:setChildren(container, new)
          end)
        end
        for _, name in ipairs(pages) do
          router.class(name, {
            fields = { "id" },
            dismissible = function() return router.state.guard ~= "never" end,
            guarded = function() return router.state.guard == "asks" end,
            leaving = function() router.stop "it stays" end,
          })
          local function page(info) return screen(name, { id = info.id }) end
          register(name, "push", { build = page })
          register(name, "sheet", { build = page, via = present { style = "formSheet" } })
          register(name, "cover", { build = page, via = present {} })
          register(name, "stack", { build = page, via = "presentWithNav" })
          register(name, "overlay", { build = page, via = present { contextual = true } })
          register(name, "detail", { build = page, via = "pushToDetails" })
          register(name, "primary", { build = page, via = "setAsPrimary" })
          register(name, "tab", { build = page, via = "addTab" })
          register(name, "navOrder", { build = page, via = "navOrder" })
          register(name, "tabsOrder", { build = page, via = "tabsOrder" })
        end
        router.start(function()
          return nav { screen(pages[1], { id = 0 }) }
        end)
        router.export("update", function(info)
          for _, page in ipairs(info.pages) do page.id = info.id end
        end)
        """
    }
}
