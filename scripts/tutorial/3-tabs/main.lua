router.start(function()
  return router.tabs {
    router.nav { router.screen "RecipeList" },
    router.nav { router.screen "ShoppingList" },
  }
end)

router.register("RecipeList", "show", { find = "RecipeList" })
router.register("ShoppingList", "show", { find = "ShoppingList" })

router.register("Recipe", "show", {
  info = { id = "integer" },
  build = router.screen "Recipe",
  via = "push",
  from = { "RecipeList", "show" },
})
