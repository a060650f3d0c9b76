-- Scripts whose function for becoming active raises an error.
router.start(function() return router.nav { router.screen "Main" } end)
router.activated(function(previous) error("cannot follow " .. previous) end)
router.export("here", function() return "here" end)
