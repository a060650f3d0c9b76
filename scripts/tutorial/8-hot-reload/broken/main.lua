router.register("Recipe", "show", {
  info = { id = "integer" },
  build = router.screen "Recipe",
