-- The same with a start that does not fail.
router.start(function(info) return router.nav { router.screen("Home", { user = info.user }) } end)
router.register("Page", "show", { build = router.screen "Page" })
