-- Every kind of declaration that an app can use from Swift.
local class, nav, register, registerTask, screen =
  router.class, router.nav, router.register, router.registerTask, router.screen

class("Product", { fields = { "title", id = "integer", tags = "[string]?", size = { "S", "M" } } })

router.start(function() return nav { screen "Home" } end)

register("Home", "show", { info = {}, build = screen "Home" })
register("Product", "show", {
  info = { id = "integer", title = "string?" },
  build = screen "Product",
})
register("SizePicker", "show", {
  info = { sizes = "[string]" }, result = "string",
  build = screen "SizePicker", via = "present",
})
register("Order", "edit", {
  info = {
    address = { street = "string", zip = "string?" },
    items = { { id = "integer", count = "integer?" } },
    kind = { "gift wrap", "self", 1, -2.5, true, optional = true },
    check = function(value) return value end,
  },
  result = { total = "number", ok = "boolean" },
  ready = { "catalog" },
  build = screen "Order",
})
register("Old", "open", function() return screen "Old" end)
register("Inner", "show", { info = {}, origin = { "script" }, build = screen "Inner" })
registerTask("Sum", "add", function() return 1 end, {
  info = { numbers = "[number]" }, result = "number",
})
registerTask("Log", "it", function() return 1 end)
router.export("total", function() return 1 end)
