-- A first tree that needs the session itself.
router.register("Shell", "show", { ready = "session", build = router.screen "Shell", via = "replaceRoot" })
router.start(function() return router.nav { { "Shell", "show" } } end)
