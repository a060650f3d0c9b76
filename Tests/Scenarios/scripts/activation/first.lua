-- Scripts that set timers when they become active.
router.options { drain = 60 }
router.start(function() return router.nav { router.screen "Main" } end)

local function tick()
  router.state.first = (router.state.first or 0) + 1
  router.delay(10, tick)
end

router.activated(function(previous)
  router.state.previous = previous or "none"
  router.delay(10, tick)
end)

router.registerTask("Work", "watch", function(_, done)
  local function look()
    router.state.looks = (router.state.looks or 0) + 1
    if router.state.looks == 3 then return done(true, "seen") end
    router.delay(10, look)
  end
  router.delay(10, look)
  return nil, router.later
end)

router.registerTask("Work", "wait", function() return nil, router.later end)

router.export("later", function() router.delay(1000, function() end) end)
