-- A shop whose routes use each form that the columns of a list show.
local class, intercept, register, screen =
  router.class, router.interceptor, router.register, router.screen

class("Product", { fields = { "id" } })
class("Order", { fields = { "id" } })
class("Main", {})

router.start(function() return router.nav { screen "Main" } end)

router.links { "shop", "https://shop.example" }
router.kind("sku", function(text) return text:match "^%u%u%-%d+$" end)

intercept("track", function() end)
intercept("login", function() end)
router.interceptAll("track", { except = { "Help" } })

register("Product", "show", {
  url = "/products/:id(int)/:tab(about|reviews)?",
  build = function(info) return screen "Product" end,
  reuse = { by = "id" },
})

register("Product", "bySku", {
  url = "/products/:sku(sku)",
  build = function(info) return screen "Product" end,
})

register("Product", "search", {
  url = { "/products/search?q=:q&page=:page(int)?", "shop://find/:q" },
  build = screen "SearchPage",
  reuse = "top",
})

register("Order", "show", {
  url = "/orders/:id(uuid)",
  find = { class = "Order", by = "id" },
  build = function() return screen "Order" end,
  intercept = { "login", function() end },
})

register("Help", "page", {
  url = "/help/*topic?",
  build = function() return screen "HelpPage" end,
})

register("Basket", "show", { build = screen "Basket", via = "presentWithNav" })

router.registerTask("Basket", "count", function() return 0 end)

router.alias("/p/:id(int)", "/products/:id(int)/:tab(about|reviews)?")
