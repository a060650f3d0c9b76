-- Routes whose screens have other names than their services.
local register, screen, start = router.register, router.screen, router.start

start(function() return router.nav { screen("Home") } end)

register("Shop", "show", {
  info = { id = "integer" },
  reuse = { by = "id" },
  build = function(info) return screen("ShopPage", { id = info.id }) end,
})
register("Player", "show", { reuse = "class", build = function() return screen("Deck") end })
register("Badge", "show", { reuse = "top", build = function() return screen("Pin") end })
register("Deep", "show", {
  reuse = "class",
  build = function() return screen("Page") end,
  from = { "Player", "show" },
})
register("Other", "show", function() return screen("Other") end)
