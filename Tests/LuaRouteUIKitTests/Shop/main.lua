router.expects { screens = { "Home", "Basket", "Product", "Sizes" } }

router.class("Product", { fields = { "id" } })

router.start(function()
  return router.tabs {
    router.nav { router.screen "Home" },
    router.nav { router.screen "Basket" },
  }
end)

router.register("Product", "show", {
  url = { "/products/:id(int)", "https://shop.example/products/:id(int)" },
  info = { id = "integer" },
  find = { class = "Product", by = "id" },
  build = router.screen "Product",
  via = "push",
  from = "root",  -- a link closes sheets that cover the root
})

router.register("Sizes", "pick", {
  build = router.screen "Sizes",
  via = router.present { style = "pageSheet", options = { detents = { "medium" } } },
})

router.register("Basket", "show", { find = "Basket" })

