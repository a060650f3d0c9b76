-- Scripts that do not load: the plugin says where and why, as a compiler does.
router.start(function() return router.nav { router.screen "Home" } end)
  router.register("Product", "show", { info = { id = "int" }, build = router.screen "Product" })
