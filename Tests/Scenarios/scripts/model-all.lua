-- Functions that run for the screen of every step.

router.updateAll(function(screen) screen.seen = (screen.seen or 0) + 1 end)
router.afterAll(function(screen)
  router.state.log = (router.state.log or "") .. screen.class .. " "
end)

local function page() return router.screen("Page") end

router.register("Page", "current", { build = page, from = "current" })
router.register("Page", "root", { build = page, from = "root" })
router.register("Page", "finder", { build = page, from = { kind = "nav" } })
router.register("Page", "default", { build = page })
