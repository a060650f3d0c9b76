router.start(function()
  return router.nav { router.screen "RecipeList" }
end)

router.register("Recipe", "show", function()
  return router.screen "Recipe"
end)
