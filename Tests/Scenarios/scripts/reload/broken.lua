router.state.visits = 0
router.register("Show", "open", function() return router.screen "Show" end)
error "not today"
