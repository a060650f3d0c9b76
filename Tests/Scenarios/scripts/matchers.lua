-- Values of each kind, for conditions that compare them.
local register, screen, state = router.register, router.screen, router.state

router.class("Home", {})
router.class("Product", { fields = { "id", "price", "title", "tags", "user", "rate", "none" } })
router.expects { tasks = { "Server/buy" } }
router.start(function() return router.nav { screen "Home" } end)
register("Product", "show", {
  info = { id = "integer" },
  url = "/products/:id(int)",
  build = function(info)
    return screen("Product", {
      id = info.id,
      price = 12,
      title = "The red one",
      tags = { "new", "red", { n = 3, m = 4 } },
      user = { name = "ann", age = 7, pets = { "cat" } },
      rate = 0.5,
    })
  end,
})
register("Home", "show", {
  find = "Home",
  build = function() return screen "Home" end,
})
router.registerTask("Cart", "items", function() return { count = 3, items = { 1, 2, 3 } } end)
router.registerTask("Cart", "buy", function(_, done)
  router.doTask("Server", "buy", { sum = 30, note = "two apples" })
  done(true)
end)
state.items = { 1, 2, 3 }
state.name = "ann"
state.big = 9007199254740993
