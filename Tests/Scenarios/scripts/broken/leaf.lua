-- A leaf of a tree is no route.
router.register("Main", "show", {
  build = router.tabs { { "Home", "show" }, { "Search" } },
})
