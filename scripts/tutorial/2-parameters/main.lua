router.start(function()
  return router.nav { router.screen "RecipeList" }
end)

router.register("Recipe", "show", {
  info = { id = "integer" },
  build = router.screen "Recipe",
})
