-- The scripts after a reload.
router.start(function() return router.nav { router.screen "Main" } end)

local function tick()
  router.state.second = (router.state.second or 0) + 1
  router.delay(10, tick)
end

router.activated(function(previous)
  router.state.previous = previous or "none"
  router.delay(10, tick)
end)
