--
-- shop.lua: tabs of features, each by its own flag; and one that needs what
-- nobody brings.
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

-- It has no fallback: without its flag there is no such tab, and so no shop.
register("Auctions", "show", {
  needs = "flags",
  enabled = function(_, nav) return nav.deps.flags.isOn("auctions") end,
  build = function() return screen("Auctions") end,
})

register("Shop", "show", {
  build = tabs { nav { { "Offers", "show" } }, { "Auctions", "show" } },
  via = "present",
})

register("Vouchers", "show", {
  needs = { "session", "printer" },
  build = function() return screen("Vouchers") end,
})
