-- The shop as it was: without a help page, and with a cellar that has gone since.
local class, interceptor, register, screen =
  router.class, router.interceptor, router.register, router.screen

class("Product", { fields = { "id" } })

router.kind("sku", function(text) return text:match "^%u%u%-%d+$" end)
interceptor("track", function() end)
interceptor("login", function() end)
router.interceptAll("track")

register("Product", "show", {
  url = "/products/:id(int)",
  build = function(info) return screen "Product" end,
})

register("Product", "bySku", {
  url = "/products/:sku(sku)",
  build = function(info) return screen "Product" end,
})

register("Product", "search", {
  url = { "/products/search?q=:q&page=:page(int)?", "shop://find/:q" },
  build = screen "SearchPage",
  reuse = "class",
})

register("Order", "show", {
  url = "/orders/:id(uuid)",
  find = { class = "Order", by = "id" },
  build = function() return screen "Order" end,
  intercept = { "login", function() end },
})

register("Basket", "show", { build = screen "Basket", via = router.present{ style = "sheet" } })

register("Cellar", "show", { url = "/cellar", build = screen "Cellar" })

router.registerTask("Basket", "count", function() return 0 end)
