-- The URLs of a shop: patterns, aliases for old links, and a fallback.
router.api(1)
router.links { "shop", "https://shop.example" }

router.start(function()
  return router.nav { router.screen "Home" }
end)

router.register("Home", "show", { url = "/", find = "Home" })

router.register("Product", "show", {
  url = "/products/:id(int)",
  examples = { { id = 7 } },  -- for 'luaroute explore'
  reuse = { by = "id" },
  build = router.screen "Product",
})

router.register("Search", "show", {
  url = "/search?text=:text",
  examples = { { text = "shoes" } },
  reuse = "class",
  build = router.screen "Search",
})

-- Links of the old shop.
router.alias("/item/:id(int)", "/products/:id(int)")
router.alias("/offers", "/search?text=offers")

-- Shown for a route that no longer exists.
router.fallback {
  screen = function(service) return router.screen("Missing", { service = service }) end,
}
