-- Scripts that load, and in which much is not what was meant.
local register, screen = router.register, router.screen

router.interceptor("login", function() end)
router.interceptor("terms", function() end)
router.interceptAll("terms", {
  before = "search",
  only = { "Product", "Oder" },
})

router.class("Product", { fields = { "id" } })
router.expects{ tasks = { "Payment/pay", "Player/play" } }

register("Product", "show", {
  info = { id = "integer", tab = { "about", "reviews" } },
  url = {
    "/products/:id",
    "/products/:id(int)/:tab(about|review)?",
  },
  examples = { { id = 7, tab = "about" }, { id = 7 } },
  build = screen("Product"),
})

register("Order", "show", {
  info = { orderId = "string" },
  url = "/orders/:oderId",
  build = screen("Order"),
})
