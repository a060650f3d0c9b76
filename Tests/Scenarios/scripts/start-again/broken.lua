-- A start that fails.
router.start(function() error "no tabs" end)
router.register("Page", "show", { build = router.screen "Page" })
