router.links { "kitchen", "https://kitchen.example" }

require "login"
require "shopping"

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

router.register("Favorites", "show", {
  url = "/favorites",
  build = router.screen "Favorites",
  via = "push",
  from = { "RecipeList", "show" },
  intercept = "login",
})

router.register("Ingredient", "show", {
  info = { name = "string" },
  reuse = { by = "name" },
  build = router.screen "Ingredient",
})

router.register("Timer", "show", {
  info = { minutes = "integer" },
  reuse = "class",
  build = router.screen "Timer",
})

router.complete()
