-- Scripts that log and print while they load, and whose first tree has no 'return'.
router.log.info("loading")
print("flag", 7)
router.register("Page", "show", { url = "/pages/:id(int)", build = router.screen "Page" })
router.start(function() router.nav { router.screen "Home" } end)
