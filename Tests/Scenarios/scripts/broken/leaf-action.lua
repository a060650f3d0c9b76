-- A leaf of a tree has an action that nobody declares.
router.register("Home", "show", function() return router.screen("Home") end)
router.register("Main", "show", {
  build = router.tabs { { "Home", "show", via = "addTba" } },
})
