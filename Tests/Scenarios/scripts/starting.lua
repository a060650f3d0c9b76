--
-- starting.lua: a first tree that waits for a gate, and one that cannot stand
--
local register, screen = router.register, router.screen

register("Account", "show", {
  ready = "session",
  build = function() return screen "Account" end,
})

register("Home", "show", { build = function() return screen "Home" end })
register("News", "show", { build = function() return screen "News" end })

router.start(function()
  return router.tabs { router.nav { { "Home", "show" } }, router.nav { { "Account", "show" } } }
end)
