-- A first tree.
router.start(function() return router.nav { router.screen "Home" } end)
router.register("Page", "show", { build = router.screen "Page" })
