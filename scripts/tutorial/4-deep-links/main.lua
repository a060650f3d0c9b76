router.links { "kitchen", "https://kitchen.example" }

router.start(function()
  return router.tabs {
    router.nav { router.screen "RecipeList" },
    router.nav { router.screen "ShoppingList" },
  }
end)

router.register("RecipeList", "show", { url = "/", find = "RecipeList" })
router.register("ShoppingList", "show", { url = "/shopping", find = "ShoppingList" })

router.register("Recipe", "show", {
  url = "/recipes/:id(int)",
  info = { id = "integer" },
  build = router.screen "Recipe",
  via = "push",
  from = { "RecipeList", "show" },
})
