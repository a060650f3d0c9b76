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

-- Ten routes, each the parent of the next, whose classes are known only after building.
for number = 1, 10 do
  register("Way" .. number, "show", {
    reuse = "class",
    build = function() return screen("Stop" .. number) end,
    from = number > 1 and { "Way" .. number - 1, "show" } or nil,
  })
end

-- A route that counts its builds, and never reuses a covered screen.
register("Counted", "show", {
  reuse = "top",
  build = function()
    router.doTask("Count", "one")
    return screen("Covered")
  end,
})
router.expects { tasks = { "Count/one" } }

router.provide("number", function()
  router.state.made = (router.state.made or 0) + 1
  return router.state.made
end)
register("Needy", "show", {
  reuse = { by = "id" },
  info = { id = "integer" },
  build = function() return screen("Numbered", { made = router.dependency("number") }) end,
})
router.on("slow", function() for _ = 1, 600000 do end end)
register("Long", "show", {
  build = function() return screen("Long") end,
  intercept = function() for _ = 1, 600000 do end end,
})
