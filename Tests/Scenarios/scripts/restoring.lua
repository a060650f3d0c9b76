--
-- restoring.lua: what comes back from a snapshot, and how
--
router.expects { screens = { "Home", "Page", "Draft", "Player", "Odd", "Loud", "Twin" } }

router.start(function() return router.nav { router.screen "Home" } end)

router.class("Page", { fields = { "id" } })
router.class("Player", {
  fields = { "track", "playing" },
  restore = function(fields) return { track = fields.track, playing = false } end,
})
router.class("Draft", { restore = function() return nil end })
router.class("Odd", { restore = function() error("broken beyond repair") end })
router.class("Loud", { restore = function() return 7 end })
router.class("Twin", {
  restore = function(fields) return router.screen("Page", { id = fields.id }) end,
})

router.register("Page", "show", {
  info = { id = "integer" },
  build = function() return router.screen "Page" end,
})
router.register("Gated", "show", {
  build = function() return router.screen("Page", { id = 0 }) end,
  ready = { "session" },
})

local latest = router.routing("/latest/:id(int)")
router.registerTask("Links", "begin", function()
  latest:setAction(function(request)
    router.navigate("Page", "show", { id = request.parameters.id })
  end)
  return true
end)
router.registerTask("Links", "later", function(info)
  router.dispatch(info.url, { timeout = 60, persist = true })
  return true
end)

local kept
router.registerTask("App", "keep", function()
  kept = router.snapshot()
  return #kept.screens
end)
router.registerTask("App", "restore", function() return router.restore(kept).status end)
