-- Scripts without a first tree.
router.register("Page", "show", { build = router.screen "Page" })
