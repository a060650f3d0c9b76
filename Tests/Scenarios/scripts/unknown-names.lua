-- Names for the conditions of unknown-names.scenario, which misspells them.
local class, interceptor, register, screen =
  router.class, router.interceptor, router.register, router.screen

class("Home", { fields = { "id" } })
class("Product", { fields = { "id", "title" } })
interceptor("login", function() end)
router.start(function() return router.nav { screen "Home" } end)
register("Shop", "show", {
  info = { id = "integer" },
  intercept = "login",
  build = function(info) return screen("Product", { id = info.id }) end,
})
register("Bag", "show", { build = function() return screen("Bag", { size = 3 }) end })
