-- A first tree that cannot be built.
router.class("Home", {})
router.start(function() error("no tabs") end)
router.register("Page", "show", { build = router.screen "Page" })
