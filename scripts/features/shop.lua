--
-- shop.lua: tabs of features, each with its own flag; and a feature that needs
-- a dependency of the host.
--
local class, nav, register, screen, tabs =
  router.class, router.nav, router.register, router.screen, router.tabs

class("Offers", { fields = { "session" } })

register("Offers", "show", {
  needs = "session",
  build = function(_, nav)
    return screen("Offers", { session = nav.deps.session.number })
  end,
})

-- Without its flag the shop has another screen in its tab.
register("Auctions", "show", {
  needs = "flags",
  enabled = function(_, nav) return nav.deps.flags.isOn("auctions") end,
  fallback = { "AuctionsHint", "show" },
  build = function() return screen("Auctions") end,
})

register("AuctionsHint", "show", {
  reuse = "class",
  build = function() return screen("AuctionsHint") end,
})

register("Shop", "show", {
  find = "tabs",
  build = tabs { nav { { "Offers", "show" } }, { "Auctions", "show" } },
  via = "present",
})

-- Only the host can print.
router.expects { dependencies = { "printer" } }

register("Vouchers", "show", {
  needs = { "session", "printer" },
  reuse = "class",
  build = function() return screen("Vouchers") end,
})
