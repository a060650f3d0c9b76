-- Tasks that end later: by a person, by nobody, in time or not.
router.start(function() return router.nav { router.screen "Main" } end)

local finish
router.registerTask("Login", "create", function(_, done)
  finish = done
  return 1, router.later
end)
router.registerTask("Hurried", "create", function()
  return 1, router.later
end, { timeout = 2 })
router.registerTask("Forgotten", "do", function() end)

router.export("finish", function() finish(true, "ann") end)
