router.links { "kitchen" }

router.register("Recipe", "show", {
  url = "/recipes/:id(int)",
  info = { id = "integer" },
  build = router.screen "Recipe",
  via = "presentWithNav",
})

router.complete()
